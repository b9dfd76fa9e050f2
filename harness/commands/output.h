/* The end of standard output. */
#ifndef COMMANDS_OUTPUT_H
#define COMMANDS_OUTPUT_H

/* Flushes standard output. Returns `code`, or EXIT_FAILED with a message if any of it could not be
 * written (a full disk, a closed pipe). */
int finish_output(int code);

#endif
