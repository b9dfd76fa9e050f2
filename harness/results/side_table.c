#include "harness/results/side_table.h"
#include "base/file.h"
#include "base/heap.h"
#include "instances/csv.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

char *side_table_path(const char *folder, enum table table)
{
    return heap_format("%s/%s.csv", folder, table_schemas[table].name);
}

char *side_table_header(enum table table)
{
    const struct table_schema *schema = &table_schemas[table];
    char *header = heap_text("");
    for (size_t i = 0; i < schema->column_count; i++)
        heap_append(&header, "%s%s", schema->columns[i].name,
                    i + 1 < schema->column_count ? "," : "\n");
    return header;
}

void side_table_row(char **text, enum table table, const char *const *cells)
{
    SCOPED char *row = NULL;
    size_t length = 0;
    FILE *stream = heap_stream(&row, &length);
    for (size_t i = 0; i < table_schemas[table].column_count; i++) {
        SCOPED char *cell = heap_text(cells[i]);
        for (char *at = cell; *at != '\0'; at++)
            if (iscntrl((unsigned char)*at))
                *at = ' ';
        if (i > 0)
            fputc(',', stream);
        csv_write_field(stream, cell);
    }
    heap_stream_end(stream);
    heap_append(text, "%s\n", row);
}

/* Whether an open file is empty, or begins with the header or a part of it. */
static bool is_ours(int file, off_t size, const char *header)
{
    const size_t length = strlen(header);
    const size_t wanted = size < (off_t)length ? (size_t)size : length;
    SCOPED char *begins = heap_take(wanted, 1);
    return pread(file, begins, wanted, 0) == (ssize_t)wanted && memcmp(begins, header, wanted) == 0;
}

/* The size of a file up to and with its last line end. */
static off_t whole_rows(int file, off_t size)
{
    char last;
    while (size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n')
        size--;
    return size;
}

/* Adds lines to an open file; nothing of them stays when they could not be written whole. */
static bool append(int file, const char *header, const char *lines, const char **why)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (!S_ISREG(status.st_mode) || !is_ours(file, status.st_size, header)) {
        *why = "the file of that name is not one that tilelab wrote";
        return false;
    }
    const off_t end = whole_rows(file, status.st_size);
    SCOPED char *text = heap_format("%s%s", end == 0 ? header : "", lines);
    if ((end == status.st_size || ftruncate(file, end) == 0) &&
        file_write_all(file, text, strlen(text)))
        return true;
    *why = strerror(errno);
    if (ftruncate(file, end) != 0)
        *why = strerror(errno);
    return false;
}

static int open_table(const char *folder, enum table table, int flags)
{
    SCOPED char *path = side_table_path(folder, table);
    return open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
}

bool side_table_append(const char *folder, enum table table, const char *lines, const char **why)
{
    const int file = open_table(folder, table, O_RDWR | O_APPEND | O_CREAT);
    if (file < 0) {
        *why = strerror(errno);
        return false;
    }
    SCOPED char *header = side_table_header(table);
    const bool fine = append(file, header, lines, why);
    close(file);
    return fine;
}

bool side_table_sync(const char *folder, enum table table)
{
    const int file = open_table(folder, table, O_RDONLY);
    if (file < 0)
        return errno == ENOENT;
    const bool fine = fdatasync(file) == 0 || errno == EINVAL; /* EINVAL: no disk behind it */
    const int why = errno;
    close(file);
    errno = why;
    return fine;
}
