#include "harness/external/output_log.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/external/program.h"
#include <zlib.h>

enum { GZIP = 16, TITLE_BYTES = 128, MESSAGE_BYTES = 1 << 16, PARTS = 3 };
enum { PLAIN_BYTES = PARTS * LOG_BYTES + (PARTS + 1) * TITLE_BYTES + MESSAGE_BYTES };

static const char *const titles[PARTS] = {"standard output", "standard error", "lines came at"};
static const char answered[] = "answered";

/* Writes a part with its title; returns where it ends. */
static char *put(char *at, const char *name, const char *bytes, size_t count)
{
    const size_t kept = count < LOG_BYTES ? count : LOG_BYTES;
    at += kept < count ? sprintf(at, "%s: the first %zu of %zu bytes\n", name, kept, count)
                       : sprintf(at, "%s: %zu bytes\n", name, count);
    if (kept > 0)
        at = mempcpy(at, bytes, kept);
    *at++ = '\n';
    return at;
}

/* When lines had come, of which each is whole in a piece that had come then: no other times are
 * ever asked for. */
static void put_arrivals(const struct printed *printed, FILE *stream)
{
    const struct arrivals *arrivals = printed->arrivals;
    size_t before = 0;
    for (size_t i = 0; i < arrivals->count && before < printed->bytes; i++) {
        const struct arrival *arrival = &arrivals->items[i];
        const size_t end = arrival->bytes < printed->bytes ? arrival->bytes : printed->bytes;
        if (end == printed->bytes || memchr(printed->output + before, '\n', end - before) != NULL)
            fprintf(stream, "%zu %.9f\n", arrival->bytes, arrival->seconds);
        before = end;
    }
}

char *output_log_pack(const struct printed *printed, size_t error_bytes, size_t *length)
{
    enum { MEMORY_LEVEL = 8 };
    SCOPED char *lines = WRITTEN(stream, put_arrivals(printed, stream));
    SCOPED char *plain = heap_take(PLAIN_BYTES, 1);
    char *end = put(plain, titles[0], printed->output, printed->bytes);
    end = put(end, titles[1], printed->error, error_bytes);
    end = put(end, titles[2], lines, strlen(lines));
    end += snprintf(end, MESSAGE_BYTES, "ended: %s%s%.*s\n",
                    printed->answered ? answered : status_rows[printed->status].name,
                    printed->answered || printed->message == NULL ? "" : ": ",
                    MESSAGE_BYTES - TITLE_BYTES,
                    printed->answered || printed->message == NULL ? "" : printed->message);
    z_stream stream = {.next_in = (Bytef *)plain, .avail_in = (uInt)(end - plain)};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        heap_exhausted();
    const uLong room = deflateBound(&stream, stream.avail_in);
    char *packed = heap_take(room, 1);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)room;
    deflate(&stream, Z_FINISH); /* ends at once: there is room for the most that it can be */
    *length = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

/* Unpacks a whole file of gzip of up to PLAIN_BYTES; heap memory, NULL: it is none. */
static char *inflated(const char *packed, size_t length, size_t *bytes)
{
    char *text = heap_take(PLAIN_BYTES + 1, 1);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)length};
    if (inflateInit2(&stream, MAX_WBITS + GZIP) != Z_OK)
        heap_exhausted();
    stream.next_out = (Bytef *)text;
    stream.avail_out = PLAIN_BYTES;
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
    *bytes = stream.total_out;
    inflateEnd(&stream);
    return heap_keep(whole, text);
}

/* Takes the part with a title from *at on. NULL with the reason, in heap memory, if it is not there
 * or, unless `may_be_cut`, not whole. */
static char *take(char **at, const char *end, const char *title, bool may_be_cut, size_t *count,
                  char **why)
{
    size_t kept = 0;
    size_t all = 0;
    char *line = *at;
    char *bytes = memchr(line, '\n', (size_t)(end - line));
    const size_t named = strlen(title);
    const bool ours = bytes != NULL && strncmp(line, title, named) == 0;
    const bool cut = ours && sscanf(line + named, ": the first %zu of %zu bytes", &kept, &all) == 2;
    if (!cut && (!ours || sscanf(line + named, ": %zu bytes", &kept) != 1))
        *why = heap_text("it has no times: an older version wrote it, or it is damaged");
    else if (kept >= (size_t)(end - bytes) || bytes[1 + kept] != '\n')
        *why = heap_text("it is damaged");
    else if (cut && !may_be_cut)
        *why = heap_format("it has only the first %zu of %zu bytes of %s", kept, all, title);
    if (*why != NULL)
        return NULL;
    *count = kept;
    *at = bytes + 1 + kept + 1;
    bytes[1 + kept] = '\0';
    return bytes + 1;
}

static void read_arrivals(const char *lines, struct arrivals *arrivals)
{
    struct arrival arrival;
    int used;
    for (; sscanf(lines, "%zu %lf\n%n", &arrival.bytes, &arrival.seconds, &used) == 2;
         lines += used) {
        *HEAP_ADD(arrivals->items, arrivals->count) = arrival;
    }
}

/* Reads "ended: STATUS: MESSAGE"; false if it is none. */
static bool read_end(char *line, struct printed *printed)
{
    static const char begins[] = "ended: ";
    char *status = line + strlen(begins);
    if (strncmp(line, begins, strlen(begins)) != 0)
        return false;
    status[strcspn(status, "\n")] = '\0';
    char *message = strstr(status, ": ");
    if (message != NULL) {
        *message = '\0';
        printed->message = message + 2;
    }
    printed->answered = strcmp(status, answered) == 0;
    printed->status = NAME_PLACE(status_rows, STATUSES, name, status);
    return printed->status < STATUSES || printed->answered;
}

char *output_log_unpack(const char *packed, size_t length, struct output_log *log)
{
    char *why = NULL;
    size_t bytes;
    size_t count;
    *log = (struct output_log){.text = inflated(packed, length, &bytes)};
    if (log->text == NULL)
        return heap_text("it is damaged");
    char *at = log->text;
    const char *end = at + bytes;
    struct printed *printed = &log->printed;
    if ((printed->output = take(&at, end, titles[0], false, &printed->bytes, &why)) == NULL ||
        (printed->error = take(&at, end, titles[1], true, &count, &why)) == NULL)
        return why;
    if (count > TAIL_BYTES)
        printed->error += count - TAIL_BYTES;
    const char *lines = take(&at, end, titles[2], false, &count, &why);
    if (lines == NULL)
        return why;
    read_arrivals(lines, &log->arrivals);
    printed->arrivals = &log->arrivals;
    return read_end(at, printed) ? NULL : heap_text("it is damaged");
}

void output_log_end(struct output_log *log)
{
    FREE(log->arrivals.items, log->text);
}
