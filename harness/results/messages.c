#include "harness/results/messages.h"
#include "base/heap.h"
#include "instances/csv.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct column message_columns[MESSAGE_COLUMNS] = {
    {"run_id", COLUMN_TYPE_HASH, "", false, false, "the row's run_id"},
    {"finished_at", COLUMN_TYPE_TIME, "", false, false, "the row's finished_at"},
    {"status", COLUMN_TYPE_STATUS, "", false, false, "the row's status"},
    {"message", COLUMN_TYPE_TEXT, "", false, false,
     "why it crashed, is wrong or contradicts another"},
};

static const char header[] = "run_id,finished_at,status,message\n";

/* Whether an open file is empty, ours, or the beginning of ours. */
static bool is_ours(int file, off_t size)
{
    char begins[sizeof header];
    const size_t wanted =
        size < (off_t)sizeof header - 1 ? (size_t)size : sizeof header - (size_t)1;
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

/* A row's text; heap memory. */
static char *row_of(const char *const cells[MESSAGE_COLUMNS])
{
    char *row = NULL;
    size_t length = 0;
    FILE *stream = heap_stream(&row, &length);
    for (unsigned i = 0; i < MESSAGE_COLUMNS; i++) {
        char *cell = heap_text(cells[i]);
        for (char *at = cell; *at != '\0'; at++)
            if (iscntrl((unsigned char)*at))
                *at = ' ';
        if (i > 0)
            fputc(',', stream);
        csv_write_field(stream, cell);
        free(cell);
    }
    fputc('\n', stream);
    heap_stream_end(stream);
    return row;
}

/* Adds a row to an open file; nothing of it stays when it could not be written whole. */
static bool append(int file, const char *row, const char **why)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (!S_ISREG(status.st_mode) || !is_ours(file, status.st_size)) {
        *why = "the file of that name is not one of messages";
        return false;
    }
    const off_t end = whole_rows(file, status.st_size);
    char *text = heap_format("%s%s", end == 0 ? header : "", row);
    const size_t length = strlen(text);
    ssize_t written = -1;
    if (end == status.st_size || ftruncate(file, end) == 0)
        written = write(file, text, length);
    *why = written < 0 ? strerror(errno) : strerror(ENOSPC);
    free(text);
    if (written == (ssize_t)length)
        return true;
    if (written > 0 && ftruncate(file, end) != 0)
        *why = strerror(errno);
    return false;
}

static int open_messages(const char *folder, int flags)
{
    char *path = heap_format("%s/%s", folder, MESSAGES_FILE);
    const int file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    const int why = errno;
    free(path);
    errno = why;
    return file;
}

bool messages_add(const char *folder, const char *run_id, const char *finished_at,
                  const char *status, const char *message, const char **why)
{
    const int file = open_messages(folder, O_RDWR | O_APPEND | O_CREAT);
    if (file < 0) {
        *why = strerror(errno);
        return false;
    }
    char *row = row_of((const char *const[MESSAGE_COLUMNS]){run_id, finished_at, status, message});
    const bool fine = append(file, row, why);
    free(row);
    close(file);
    return fine;
}

bool messages_sync(const char *folder)
{
    const int file = open_messages(folder, O_RDONLY);
    if (file < 0)
        return errno == ENOENT;
    const bool fine = fdatasync(file) == 0 || errno == EINVAL; /* EINVAL: no disk behind it */
    const int why = errno;
    close(file);
    errno = why;
    return fine;
}
