/* What the parts of tilelab predict share: predict_nodes.c, predict_cover.c, predict_values.c,
 * predict_figure.c. */
#ifndef COMMANDS_PREDICT_H
#define COMMANDS_PREDICT_H

#include "harness/figures/draw.h"
#include "harness/prediction/population.h"
#include "harness/text/document.h"
#include "harness/text/human.h"
#include "heuristics/heuristic.h"
#include "puzzle/distance.h"

struct prediction {
    struct board goal;
    struct heuristic_choice choice;
    struct heuristic heuristic; /* prepared for the goal */
    char *name;                 /* the heuristic's; owned */
    bool has_board;
    struct board board; /* the one asked for */
    bool exact;         /* all boards of the goal are counted: distances has them */
    struct distances distances;
    unsigned first, last; /* thresholds */
    bool has_thresholds;
    unsigned probes;
    bool measure;     /* walk the trees, too */
    bool by_distance; /* values of each distance, too */
    uint64_t boards;  /* of a sample */
    uint64_t seed;    /* of samples and probes */
    uint64_t limit;   /* nodes of a tree that is walked */
    bool quiet;
    struct document document; /* what is said; owned */
};

/* Each adds its tables and sentences to prediction->document and returns the exit code; problems
 * go to standard error. */
int predict_nodes(struct prediction *prediction); /* a population, or the board asked for */
int predict_cover(struct prediction *prediction); /* the same */
int predict_eta(struct prediction *prediction);
int predict_distribution(struct prediction *prediction);

/* What --figure FILE draws by the ending of its name; PICTURES if that is none of theirs. */
enum picture predict_picture(const char *file);

/* Draws what predict_nodes or predict_distribution said. Returns the exit code. */
int predict_draw(const struct prediction *prediction, const char *file);

/* The boards of a population by blank cell and h: all of them; else of shapes that tilted.h takes
 * boards near the goal, drawn with `tilted`, which is prepared; else uniform ones. `each` (or NULL)
 * sees every board with its weight in the population. population_end and tilted_end free them. */
struct population predict_population(struct prediction *prediction, struct tilted *tilted,
                                     void (*each)(void *context, const struct board *board,
                                                  double weight),
                                     void *context);

/* Says how the boards were drawn and what the intervals mean. */
void predict_say_sample(struct prediction *prediction, const struct population *population);

/* "4x4, goal 1 2 3 ..": heap memory. */
char *predict_goal_text(const struct prediction *prediction);

#endif
