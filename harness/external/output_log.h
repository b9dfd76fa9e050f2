/* What a program printed, kept as it came (logs: true): packed by the worker that ran it, written
 * by whoever writes the rows (results/run_logs.h), and read when rows are made anew. */
#pragma once

#include "harness/external/printed.h"

/* The most that is kept of each of the two outputs, and of the times, their first bytes; and more
 * than a packed log takes. */
enum { LOG_BYTES = 1 << 20, LOG_PACKED_BYTES = 4 * LOG_BYTES };

/* Both outputs as a file of gzip, in heap memory: of each a line such as "standard output: 23
 * bytes" or "standard error: the first 1048576 of 2000000 bytes", then its bytes and an end of
 * line. Then in the same way when lines of the output had come, "BYTES SECONDS", and how the run
 * ended: "ended: answered" or "ended: crashed: exit code 1". `printed->error` has the first
 * LOG_BYTES of `error_bytes`, or all of fewer. Sets *length. */
char *output_log_pack(const struct printed *printed, size_t error_bytes, size_t *length);

/* A log that is read again. */
struct output_log {
    struct printed printed;
    struct arrivals arrivals;
    char *text; /* owned; what the texts above are in */
};

/* Reads a packed log; output_log_end in any case. NULL, or why what it was of cannot be had from
 * it, in heap memory. */
char *output_log_unpack(const char *packed, size_t length, struct output_log *log);
void output_log_end(struct output_log *log);
