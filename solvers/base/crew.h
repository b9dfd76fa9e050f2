/* A crew: threads that do one piece of work together, again and again. The caller is one of them.
 *
 * Between two pieces of work the others sleep. Signals go to the caller's thread, never to them. */
#pragma once

struct crew;

/* Starts a crew of `size` threads, the caller included; heap memory, crew_end. If the system
 * refuses a thread, the crew is smaller. */
struct crew *crew_start(unsigned size);

/* Each thread calls work(context, number) once, number being 0 for the caller and below the size of
 * the crew for the others. Returns when all have come back. */
void crew_work(struct crew *crew, void (*work)(void *context, unsigned number), void *context);

/* The same in two steps, for a caller that does something else meanwhile: the other threads begin,
 * and come back before crew_wait returns. Each crew_begin needs a crew_wait before the next. */
void crew_begin(struct crew *crew, void (*work)(void *context, unsigned number), void *context);
void crew_wait(struct crew *crew);

/* Ends the threads. Returns the processor time that the others took, in seconds. NULL is allowed.
 */
double crew_end(struct crew *crew);
