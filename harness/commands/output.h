/* The end of a command's standard output. */
#ifndef COMMANDS_OUTPUT_H
#define COMMANDS_OUTPUT_H

/* Writes out what is left for standard output. Returns `code`, or EXIT_FAILED with a message where
 * something of it could not be written (a full disk, a closed pipe). */
int finish_output(int code);

#endif
