/* Words of shell commands. */
#ifndef TEXT_SHELL_H
#define TEXT_SHELL_H

/* A text as one word of a POSIX shell's command, byte for byte, in quotes where it needs them; heap
 * memory, free(). */
char *shell_quoted(const char *text);

/* The same, in quotes in any case. */
char *shell_in_quotes(const char *text);

/* The same for a command that is shown, not run: what could control a terminal is '?'. */
char *shell_word(const char *text);

/* Words as one command, separated by spaces; `words` ends with NULL. Heap memory, free(). */
char *shell_command(const char *const *words);

#endif
