#include "harness/external/output_log.h"
#include "base/heap.h"
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* Writes one output with its title; returns where it ends. */
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

char *output_log_pack(const char *output, size_t output_bytes, const char *error,
                      size_t error_bytes, size_t *length)
{
    enum { TITLES = 256, GZIP = 16, MEMORY_LEVEL = 8 };
    char *plain = heap_take(2 * (size_t)LOG_BYTES + TITLES, 1);
    char *end = put(plain, "standard output", output, output_bytes);
    end = put(end, "standard error", error, error_bytes);
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
    free(plain);
    return packed;
}
