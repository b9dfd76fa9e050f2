/* Feeds each file named on the command line to a fuzz target, where there is no libFuzzer to do it.
 */
#include "fuzz.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        MUST_HOLD(file != NULL);
        MUST_HOLD(fseek(file, 0, SEEK_END) == 0);
        size_t size = (size_t)ftell(file);
        SCOPED uint8_t *data = heap_take(size, 1);
        rewind(file);
        MUST_HOLD(fread(data, 1, size, file) == size);
        fclose(file);
        fprintf(stderr, "%s\n", argv[i]);
        LLVMFuzzerTestOneInput(data, size);
    }
    MUST_HOLD(argc > 1);
    return 0;
}
