/* From what a program printed, and how it ended, to the result of its run: when it has run
 * (program.h), and again from its log when patterns have changed (output_log.h). */
#pragma once

#include "harness/external/protocol.h"

struct printed {
    const char *output; /* `bytes` of them */
    size_t bytes;
    const char *error; /* the end of its standard error, a text of whole or torn lines */
    const struct arrivals *arrivals;
    bool answered;       /* it ended well, or is persistent: the output is an answer */
    enum status status;  /* else, how the run ended, */
    const char *message; /* and why; NULL: the status says it */
    bool killed;         /* by others, so that a missing answer is not its fault */
};

/* What was measured of a run, which no reading of the output changes. */
struct measured_run {
    double wall_seconds, cpu_seconds;
    uint64_t peak_bytes; /* 0: not known */
    bool sure;           /* the peak is good enough for the row whatever became of the run */
};

/* Fills in the result and the answer, as protocol_read does; where that fails, the run crashed. */
void printed_read(const struct external *external, const struct question *question,
                  const struct printed *printed, struct result *result, struct answer *answer);

/* Holds what was read against the limits, and adds what was measured. Of a run that a limit ended
 * the best solution counts that was printed. */
void printed_complete(const struct external *external, const struct question *question,
                      const struct printed *printed, const struct measured_run *measured,
                      struct result *result, struct answer *answer);

/* The run failed: it has neither moves nor a length. Takes over the message. */
void printed_fail(struct result *result, struct answer *answer, enum status status, char *message);

/* Lines as the end of a message: ": FIRST | SECOND", or ""; heap memory. */
char *printed_words(const char *lines);
