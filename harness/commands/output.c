#include "harness/commands/output.h"
#include "harness/commands/commands.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

void print_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_INDENT(4) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(json);
}

int finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    screen_say(stderr, "tilelab: standard output cannot be written: %s\n", strerror(errno));
    return EXIT_FAILED;
}

int exit_code_of(enum ending ending)
{
    static const int codes[] = {[ENDING_DONE] = EXIT_DONE,
                                [ENDING_FAILED] = EXIT_FAILED,
                                [ENDING_REFUSED] = EXIT_USAGE,
                                [ENDING_INTERRUPTED] = EXIT_INTERRUPTED};
    return codes[ending];
}
