/* A folder of the tests' own, made for all tests of a file or for each, and texts in its files. */
#pragma once

#include "base/file.h"
#include "tests/test.h"
#include <unistd.h>

static char folder[32];

/* What runs before and after: the folder is the present one, and removed with all in it. */
static inline int make_folder(UNUSED void **state)
{
    strcpy(folder, "/tmp/tilelab-test-XXXXXX");
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static inline int remove_folder(UNUSED void **state)
{
    SCOPED char *command = heap_format("rm -r %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static inline void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fail_msg("%s cannot be written", path);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* All of a file; heap memory. */
static inline char *read_text(const char *path)
{
    struct report report = {.file = path};
    char *text = file_read(path, NULL, &report);
    if (text == NULL)
        fail_msg("%s", report.text);
    return text;
}
