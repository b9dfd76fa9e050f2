/* What the fuzz targets share. A target is LLVMFuzzerTestOneInput: called by libFuzzer with inputs
 * of its making, or by replay.c with the files of a corpus. */
#pragma once

#include "base/heap.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As assert, but in release builds too. */
#define MUST_HOLD(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (false)

/* The input as a text, ended by its first zero byte or its end; heap memory of no byte more, so
 * that a read beyond it is seen. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    size_t length = 0;
    while (length < size && data[length] != '\0')
        length++;
    char *text = heap_take(length + 1, 1);
    if (length > 0)
        memcpy(text, data, length);
    return text;
}
