# Writes OUTPUT, a header with the version text VERSION[+COMMIT[-dirty]] and the build's hash, only when it changes.
#
# The hash covers what the counters of a run depend on: the program's sources as they lie in SOURCE, committed or not, in a
# repository or not, and SETTINGS, a text of the compiler, its flags and the sanitizers.
set(text "${VERSION}")
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
                OUTPUT_VARIABLE top RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(REAL_PATH ${SOURCE} source)
if(NOT failed AND top STREQUAL source)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
        set(text "${VERSION}+${commit}")
    endif()
endif()

set(hashed "${SETTINGS}\n")
foreach(folder include solvers instances harness cmake)
    file(GLOB_RECURSE found RELATIVE ${source} ${source}/${folder}/*.c ${source}/${folder}/*.h ${source}/${folder}/*.def
         ${source}/${folder}/*.cmake)
    list(APPEND names ${found})
endforeach()
list(APPEND names CMakeLists.txt)
list(SORT names)
foreach(name IN LISTS names)
    file(SHA256 ${source}/${name} sum)
    string(APPEND hashed "${sum} ${name}\n")
endforeach()
string(SHA256 hash "${hashed}")
string(SUBSTRING ${hash} 0 16 hash)
string(REGEX REPLACE "^[0-9]([0-9]*e?[0-9]+)$" "a\\1" hash ${hash}) # spreadsheets would take it for a number

file(CONFIGURE OUTPUT ${OUTPUT}
     CONTENT "#define TILELAB_VERSION_TEXT \"${text}\"\n#define TILELAB_BUILD_HASH \"${hash}\"\n" @ONLY)
