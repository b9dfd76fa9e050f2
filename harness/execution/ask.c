#include "harness/execution/ask.h"
#include "base/heap.h"
#include "harness/text/filter.h"
#include <errno.h>

void reply_end(struct reply *reply)
{
    FREE(reply->text, reply->errors, reply->problem);
}

struct reply ask(char *const *words, const char *folder)
{
    struct reply reply = {0};
    size_t length;
    const int status = filter_run_in(words, folder, "", 0, &reply.text, &length, &reply.errors);
    reply.fine = status == 0;
    if (status < 0)
        reply.problem = errno == ENOENT
                            ? heap_format("%s is not on the PATH", words[0])
                            : heap_format("%s cannot be started: %s", words[0], strerror(errno));
    if (reply.text == NULL)
        reply.text = heap_text("");
    if (reply.errors == NULL)
        reply.errors = heap_text("");
    for (size_t end = strlen(reply.errors); end > 0 && reply.errors[end - 1] == '\n'; end--)
        reply.errors[end - 1] = '\0';
    return reply;
}
