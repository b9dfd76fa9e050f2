#include "harness/text/shell.h"
#include "base/heap.h"
#include "base/report.h"
#include <errno.h>
#include <sys/stat.h>

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
    SCOPED char *shown = text_printable(text);
    return shell_quoted(shown);
}

/* Whether a folder has this program as `tilelab`. */
static bool has_program(const char *folder, size_t length)
{
    struct stat own;
    struct stat found;
    SCOPED char *path = heap_format("%.*s/tilelab", (int)length, folder);
    return stat("/proc/self/exe", &own) == 0 && stat(path, &found) == 0 &&
           own.st_dev == found.st_dev && own.st_ino == found.st_ino;
}

char *shell_program(void)
{
    const char *folders = getenv("PATH");
    if (strchr(program_invocation_name, '/') == NULL)
        return heap_text("tilelab");
    while (folders != NULL && *folders != '\0') {
        const size_t length = strcspn(folders, ":");
        if (has_program(folders, length))
            return heap_text("tilelab");
        folders += length + (folders[length] == ':');
    }
    return shell_word(program_invocation_name);
}

char *shell_command(const char *const *words)
{
    char *command = heap_text("");
    for (size_t i = 0; words[i] != NULL; i++) {
        SCOPED char *word = shell_quoted(words[i]);
        heap_append(&command, "%s%s", i == 0 ? "" : " ", word);
    }
    return command;
}
