/* The parts of reading an experiment: its sets of instances, its solvers, its references.
 *
 * All take the nodes of the YAML file that hold them and report their problems to the inbox. */
#pragma once

#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/schema.h"
#include "instances/generate.h"

/* The maximum numbers of runs, solvers and sets of one experiment. */
enum { MAX_RUNS = 10000000, MAX_SOLVERS = 10000, MAX_SETS = 1000 };

/* time, memory, nodes, cpu; the target is a struct limits. */
extern const struct schema limits_schema;

/* The whole file, one set of `instances`, a solver in the long form, one with a command, and a
 * reference of `expect`. */
extern const struct schema file_schema;
extern const struct schema set_schema;
extern const struct schema solver_schema;
extern const struct schema external_schema;
extern const struct schema expect_schema;
extern const struct schema database_schema; /* the heuristic pdb in the long form */

/* What `measure` may name. */
extern const char *const measure_words[];
extern const size_t measure_word_count;

/* The kinds of sets: the key that decides it, and the keys that apply to it. The first kind whose
 * key a set has is the set's kind; those of `method` go by the method's name. */
enum { SET_KIND_WORDS = 8 };

struct set_kind {
    const char *key;
    const char *method; /* NULL: the key alone decides */
    const char *what;   /* for messages */
    const char *needs[SET_KIND_WORDS];
    const char *may_have[SET_KIND_WORDS];
};

enum { SET_PUBLISHED, SET_FILE, SET_BOARDS, SET_METHODS, SET_KINDS = SET_METHODS + METHODS };

/* Those from SET_METHODS on in the order of enum method; a set without a method is of the first. */
extern const struct set_kind set_kinds[SET_KINDS];

/* Reads the list `sets` and makes its instances, in order, into experiment->instances, under the
 * experiment's seed. `goal` is the experiment's goal, or NULL, `cost` its model of costs. Paths are
 * relative to the folder of experiment->path. Returns the number of instances; those beyond `max`
 * are counted but not generated. */
uint64_t experiment_read_instances(struct experiment *experiment, const struct yaml_node *sets,
                                   const struct yaml_node *goal, enum cost_model cost, uint64_t max,
                                   struct problems *problems);

/* `file` as a path: it is relative to experiment->folder. Heap memory. */
static inline char *experiment_file(const struct experiment *experiment, const char *file)
{
    return heap_format("%s%s", file[0] == '/' ? "" : experiment->folder, file);
}

/* Reads the list `solvers` into experiment->solvers; their limits begin as experiment->limits. */
void experiment_read_solvers(struct experiment *experiment, const struct yaml_node *solvers,
                             struct report *report);

/* The canonical text of the solver that is written so, in any spelling, or labelled so; NULL: none.
 * External ones have no other spelling than their own. */
const char *experiment_solver_named(const struct experiment *experiment, const char *text);

/* Reports that `what` ("the baseline") is none of the solvers, with the nearest of them. */
void experiment_refuse_solver(const struct experiment *experiment, const char *what,
                              struct text_place place, const char *text, struct report *report);

/* Reads `points`, after the solvers and the baseline; and checks, after the instances, that each
 * rule applies to some board. */
void experiment_read_points(struct experiment *experiment, const struct yaml_node *node,
                            bool solvers_fine, struct report *report);
void experiment_check_points(const struct experiment *experiment, struct report *report);

/* Reads `expect`, a mapping or a list of them, and the files that it names. */
void experiment_read_expectations(struct experiment *experiment, const struct yaml_node *node,
                                  struct report *report);

/* What a mapping says of a solver, whatever it is; the rows of its keys, for structures that begin
 * with it. */
struct solver_settings {
    const struct yaml_node *label; /* NULL: none */
    struct limits limits;
};

bool solver_label(const struct yaml_node *node, void *field, struct report *report);

#define SOLVER_SETTINGS                                                                            \
    {KEY("label", CUSTOM, struct solver_settings, label,                                           \
         "what tables and figures call the solver; for a mapping that is one solver"),             \
     .read = solver_label,                                                                         \
     .expected = "at most 60 printable characters, words separated by single spaces",              \
     .definition = "text"},                                                                        \
    {                                                                                              \
        .name = "limits", .type = SCHEMA_MAPPING, .mapping = &limits_schema,                       \
        .definition = "limits", .offset = offsetof(struct solver_settings, limits),                \
        .fallback = "the experiment's", .help = "its own limits, key by key"                       \
    }

/* At most so many solvers come of one mapping with a command. */
enum { MAX_EXTERNALS = 10000 };

struct external_choice {
    struct external *external; /* heap memory, external_end and free */
    char *parameters;          /* "w=1.5, seed=3"; owned; NULL: it has none */
};

struct external_list {
    struct external_choice *items; /* owned */
    size_t count;
};

/* The solvers of a mapping with a command, one for each combination of its parameters; false with a
 * problem, and none then. `settings` hold what the experiment says. Its units go to the experiment.
 */
bool experiment_externals(const struct yaml_node *node, struct experiment *experiment,
                          struct solver_settings *settings, struct report *report,
                          struct external_list *list);

/* A program as a heuristic: the keys of its mapping, be it in a solver or a file of its own; and
 * the heuristic that the mapping describes, whose files are in `folder` ("", or ended by a slash),
 * program_heuristic_end. NULL, with problems, if it is none. */
struct program_heuristic;
const struct schema *program_heuristic_schema(void);
struct program_heuristic *experiment_program_heuristic(const struct yaml_node *node,
                                                       const char *folder, struct report *report);

/* Frees the list, and with `solvers` those as well. */
void external_list_end(struct external_list *list, bool solvers);

/* A mapping as one line of JSON, which is YAML too: the same line for the same keys and values, in
 * whatever order and style. Heap memory. */
char *experiment_mapping_text(const struct yaml_node *node);

/* The heuristic that a node describes, as NAME or NAME:ARGUMENT, heap memory; NULL with
 * a problem. A single word is not checked. A program becomes a plugin of the experiment. */
char *experiment_heuristic(const struct yaml_node *node, struct experiment *experiment,
                           struct report *report);

/* Reads a solver in the short form; `name` is the key it belongs to. */
bool experiment_parse_solver(const struct yaml_node *node, const char *name, struct report *report,
                             struct solver *solver);
