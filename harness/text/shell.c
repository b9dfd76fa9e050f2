#include "harness/text/shell.h"
#include "base/heap.h"
#include "base/report.h"
#include <stdbool.h>
#include <string.h>

char *shell_in_quotes(const char *text)
{
    char *quoted = heap_text("'");
    for (const char *at = text; *at != '\0'; at++)
        heap_append(&quoted, *at == '\'' ? "'\\''" : "%c", *at);
    heap_append(&quoted, "'");
    return quoted;
}

char *shell_quoted(const char *text)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@%";
    const bool plain = text[0] != '\0' && text[strspn(text, harmless)] == '\0';
    return plain ? heap_text(text) : shell_in_quotes(text);
}

char *shell_word(const char *text)
{
    char *shown = text_printable(text);
    char *word = shell_quoted(shown);
    free(shown);
    return word;
}

char *shell_command(const char *const *words)
{
    char *command = heap_text("");
    for (size_t i = 0; words[i] != NULL; i++) {
        char *word = shell_quoted(words[i]);
        heap_append(&command, "%s%s", i == 0 ? "" : " ", word);
        free(word);
    }
    return command;
}
