#include "harness/results/version.h"
#include "version_text.h"

const char *const tilelab_version = TILELAB_VERSION_TEXT;
const char *const build_hash = TILELAB_BUILD_HASH;

#ifdef __clang__
const char *const build_compiler = "clang " __clang_version__;
#else
const char *const build_compiler = "gcc " __VERSION__;
#endif

const char *const build_type = BUILD_TYPE;
const char *const build_flags = BUILD_FLAGS;
const char *const build_sanitizers = BUILD_SANITIZE;
