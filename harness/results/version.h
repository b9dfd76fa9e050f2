/* What was built: the version with its commit, the compiler, the flags. */
#pragma once

/* "1.0.0+COMMIT" or "1.0.0+COMMIT-dirty"; without a repository "1.0.0". */
extern const char *const tilelab_version;

/* 16 hexadecimal digits: the hash of the sources that the program was built from, committed or not,
 * and of compiler, flags and sanitizers (cmake/version.cmake). Builds with the same hash run the
 * same searches. */
extern const char *const build_hash;

extern const char *const build_compiler;   /* "gcc 12.2.0" */
extern const char *const build_type;       /* "Release" */
extern const char *const build_flags;      /* "-O3 -DNDEBUG" */
extern const char *const build_sanitizers; /* "" or "address,undefined" */
