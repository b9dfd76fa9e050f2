#include "base/crew.h"
#include "base/clock.h"
#include "base/heap.h"
#include <pthread.h>
#include <signal.h>

struct member {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
    double seconds; /* of processor time */
};

struct crew {
    unsigned size; /* the caller included */
    struct member *members;
    pthread_mutex_t lock; /* for all below */
    pthread_cond_t begins;
    pthread_cond_t ends;
    unsigned long pieces; /* of work that began */
    unsigned busy;        /* members at work, without the caller */
    bool over;
    void (*work)(void *context, unsigned number);
    void *context;
};

/* Deep enough for a subtree counter's recursion, which sanitizers make larger. */
enum { STACK_BYTES = 4 << 20 };

static void *serve(void *data)
{
    struct member *member = data;
    struct crew *crew = member->crew;
    unsigned long done = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->pieces == done && !crew->over)
            pthread_cond_wait(&crew->begins, &crew->lock);
        if (crew->over)
            break;
        done = crew->pieces;
        pthread_mutex_unlock(&crew->lock);
        crew->work(crew->context, member->number);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->ends);
    }
    pthread_mutex_unlock(&crew->lock);
    member->seconds = clock_thread();
    return NULL;
}

struct crew *crew_start(unsigned size)
{
    struct crew *crew = heap_take(1, sizeof *crew);
    pthread_attr_t attributes;
    sigset_t all, before;
    *crew = (struct crew){.size = 1, .members = heap_take(size, sizeof *crew->members)};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begins, NULL);
    pthread_cond_init(&crew->ends, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* threads inherit it */
    for (unsigned i = 1; i < size; i++) {
        struct member *member = &crew->members[i];
        *member = (struct member){.crew = crew, .number = i};
        if (pthread_create(&member->thread, &attributes, serve, member) != 0)
            break;
        crew->size++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return crew;
}

void crew_begin(struct crew *crew, void (*work)(void *context, unsigned number), void *context)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->busy = crew->size - 1;
    crew->pieces++;
    pthread_cond_broadcast(&crew->begins);
    pthread_mutex_unlock(&crew->lock);
}

void crew_wait(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->ends, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void crew_work(struct crew *crew, void (*work)(void *context, unsigned number), void *context)
{
    crew_begin(crew, work, context);
    work(context, 0);
    crew_wait(crew);
}

double crew_end(struct crew *crew)
{
    double seconds = 0;
    if (crew == NULL)
        return 0;
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_broadcast(&crew->begins);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 1; i < crew->size; i++) {
        pthread_join(crew->members[i].thread, NULL);
        seconds += crew->members[i].seconds;
    }
    pthread_cond_destroy(&crew->begins);
    pthread_cond_destroy(&crew->ends);
    pthread_mutex_destroy(&crew->lock);
    free(crew->members);
    free(crew);
    return seconds;
}
