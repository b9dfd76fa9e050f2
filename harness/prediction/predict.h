/* What theory says of a search before it runs, as tables. */
#pragma once

#include "harness/prediction/population.h"
#include "harness/text/document.h"
#include "harness/text/ending.h"
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
    char *problem; /* why there is no prediction; owned; NULL: there is one, or that was said */
};

/* Why that cannot be predicted; heap memory; NULL: it can. The heuristic need not be prepared. */
char *nodes_refuse(const struct prediction *prediction);
char *cover_refuses(const struct prediction *prediction);
char *distribution_refuses(const struct prediction *prediction);

/* Each adds its tables and sentences to prediction->document, or says in prediction->problem why it
 * cannot. What it refuses was asked before. The cover of a board needs the heuristic's tables for
 * it as a goal. */
enum ending predict_nodes(struct prediction *prediction); /* a population, or the board asked for */
enum ending predict_cover(struct prediction *prediction); /* the same */
enum ending predict_eta(struct prediction *prediction);
enum ending predict_distribution(struct prediction *prediction);

/* The boards of a population by blank cell and h: all of them; else of shapes that tilted.h takes
 * boards near the goal, drawn with `tilted`, which is prepared; else uniform ones. `each` (or NULL)
 * sees every board with its weight in the population. population_end and tilted_end free them. */
struct population predict_population(struct prediction *prediction, struct tilted *tilted,
                                     void (*each)(void *context, const struct board *board,
                                                  double weight),
                                     void *context);

/* Says how the boards were drawn and what the intervals mean. */
void predict_say_sample(struct prediction *prediction, const struct population *population);

/* Adds a table whose caption ends with the goal, "4x4, goal 1 2 3 .."; takes both. */
void predict_table(struct prediction *prediction, const char *name, char *caption,
                   struct tidy *table);

/* Adds a column with its heading (NULL: its name). */
void predict_column(struct tidy *table, const char *name, const char *heading,
                    enum tidy_shape shape, const char *meaning);
