# Writes OUTPUT, a header with the version text VERSION[+COMMIT[-dirty]], only when it changes.
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
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define TILELAB_VERSION_TEXT \"${text}\"\n" @ONLY)
