#include "harness/commands/output.h"
#include "harness/commands/commands.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

int finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "tilelab: standard output cannot be written: %s\n", strerror(errno));
    return EXIT_FAILED;
}
