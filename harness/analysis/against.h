/* Two results compared, instance by instance and solver by solver: what changed.
 *
 * Each repetition is held against one of the older results: that of its run_id, or where there is
 * none, as of another build, one that is alike if it can be. Further ones may share it.
 *
 * Counters and lengths are exact, so any change counts. The counters of runs that ended by a time
 * limit or a crash say nothing; only how they ended is compared. Times of single runs are noise:
 * for each solver, the ratio of the geometric means over what it solved in both results is reported
 * and compared with the tolerance. */
#pragma once

#include "harness/analysis/results.h"

enum difference_kind {
    DIFFERENCE_STATUS,  /* it ended in another way */
    DIFFERENCE_COUNTER, /* a counter or the length changed */
    DIFFERENCE_SLOWER,  /* a solver's time is worse than the tolerance allows; of no instance */
    DIFFERENCE_MISSING, /* the new results do not have it */
};

struct difference {
    enum difference_kind kind;
    const char *solver;
    char *set, *instance; /* owned; NULL: of the solver as a whole */
    const char *run_id;   /* in the new results, or in the old where it is missing; of repetitions
                             that have the same difference, the first; NULL */
    enum metric metric;   /* of a counter or a time */
    double old_value, new_value;
    enum status old_status, new_status;
    bool old_edited, new_edited; /* the run's row is; of a time, one of its rows */
    bool of_nodes; /* neither times nor bytes can explain it: the solver searches otherwise, fails,
                      or is missing */
};

/* What a solver takes over the boards that it solved in both. */
struct times {
    const char *solver;
    enum metric metric;
    size_t boards;
    size_t edited;               /* of the boards, those with an edited row on either side */
    bool old_edited, new_edited; /* whether that side has one */
    double old_value, new_value; /* geometric means; NaN without a board */
};

struct against {
    struct difference *differences;
    size_t count;
    size_t of_nodes;     /* of the differences */
    struct times *times; /* of each solver in both, each time */
    size_t time_count;
    size_t compared;   /* instance and solver in both */
    size_t exact;      /* of these, whose counters were compared */
    size_t additional; /* in the new results alone */
};

/* Both results must be settled and outlive the returned value. `tolerance`: how much worse a time
 * may be, as a share; below 0: no time is a difference. */
struct against against_of(const struct results *now, const struct results *before,
                          double tolerance);
void against_end(struct against *against);
