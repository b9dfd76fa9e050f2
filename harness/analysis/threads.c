#include "harness/analysis/threads.h"
#include "base/crew.h"
#include "base/processors.h"
#include <gsl/gsl_errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* A value takes some ten nanoseconds or more, a thread some ten microseconds to start. */
static size_t least_values = 100000;
static unsigned most_threads; /* 0: as many as there are processors */

struct sharing {
    size_t count;
    void (*work)(void *context, size_t item);
    void *context;
    atomic_size_t next; /* the item that is to be done next */
};

static void take_items(void *context, unsigned number)
{
    struct sharing *sharing = context;
    size_t item;
    (void)number;
    while ((item = atomic_fetch_add(&sharing->next, 1)) < sharing->count)
        sharing->work(sharing->context, item);
}

void threads_work(size_t count, size_t values, void (*work)(void *context, size_t item),
                  void *context)
{
    struct sharing sharing = {.count = count, .work = work, .context = context};
    const size_t usual = most_threads > 0 ? most_threads : processors_count();
    const size_t threads = count < usual ? count : usual;
    if (values < least_values || threads < 2) {
        take_items(&sharing, 0);
        return;
    }
    struct crew *crew = crew_start((unsigned)threads);
    crew_work(crew, take_items, &sharing);
    crew_end(crew);
}

void threads_divide(size_t values, unsigned threads)
{
    least_values = values;
    most_threads = threads;
}

static void turn_off(void)
{
    gsl_set_error_handler_off();
}

void threads_quiet_errors(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, turn_off);
}
