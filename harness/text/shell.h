/* Words of shell commands. */
#pragma once

/* A text as one word of a POSIX shell's command, byte for byte, in quotes where it needs them; heap
 * memory, free(). */
char *shell_quoted(const char *text);

/* The same, in quotes in any case. */
char *shell_in_quotes(const char *text);

/* The same for a command that is shown, not run: what could control a terminal is '?'. */
char *shell_word(const char *text);

/* The program as one word of a command that is shown: `tilelab` if the PATH finds this one by that
 * name, else the path that it was started by, which works from the same folder. Heap memory. */
char *shell_program(void);

/* Words as one command, separated by spaces; `words` ends with NULL. Heap memory, free(). */
char *shell_command(const char *const *words);
