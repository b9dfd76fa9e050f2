#include "base/file.h"
#include "base/heap.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

char *file_read(const char *path, size_t *length, struct report *report)
{
    enum { PIECE = 1 << 16, MOST = 1 << 30 };
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) {
        report_add(report, 0, 0, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    char *text = NULL;
    const char *zero = NULL;
    size_t used = 0;
    size_t got;
    do { /* a file that never ends, such as a device, is given up at a zero byte or at MOST */
        text = heap_resize(text, used + PIECE + 1);
        got = fread(text + used, 1, PIECE, file);
        zero = memchr(text + used, '\0', got);
        used += got;
    } while (got > 0 && zero == NULL && used <= MOST);
    text[used] = '\0';
    int failed = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    if (failed != 0) {
        report_add(report, 0, 0, "cannot be read: %s", strerror(failed));
    } else if (zero != NULL) {
        size_t line = 1;
        size_t column = 1;
        for (const char *at = text; at < zero; at++) {
            column = *at == '\n' ? 1 : column + 1;
            line += *at == '\n';
        }
        report_add(report, line, column, "a zero byte; expected a text file");
    } else if (used > MOST) {
        report_add(report, 0, 0, "more than 1 GiB; expected a text file");
    } else {
        if (length != NULL)
            *length = used;
        return text;
    }
    free(text);
    return NULL;
}
