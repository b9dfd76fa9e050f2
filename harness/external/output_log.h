/* What a program printed, kept as it came (logs: true): packed by the worker that ran it, written
 * by whoever writes the rows (results/run_logs.h). */
#ifndef EXTERNAL_OUTPUT_LOG_H
#define EXTERNAL_OUTPUT_LOG_H

#include <stddef.h>

/* The most that is kept of each of the two outputs, its first bytes; and more than a packed log
 * takes. */
enum { LOG_BYTES = 1 << 20, LOG_PACKED_BYTES = 4 * LOG_BYTES };

/* Both outputs as a file of gzip, in heap memory: of each a line such as "standard output: 23
 * bytes" or "standard error: the first 1048576 of 2000000 bytes", then its bytes and an end of
 * line. `error` has the first LOG_BYTES of `error_bytes`, or all of fewer. Sets *length. */
char *output_log_pack(const char *output, size_t output_bytes, const char *error,
                      size_t error_bytes, size_t *length);

#endif
