/* The two halves of reading an experiment: its sets of instances and its solvers.
 *
 * Both take the nodes of the YAML file that hold them and report their problems to the inbox. */
#ifndef EXPERIMENT_PARTS_H
#define EXPERIMENT_PARTS_H

#include "harness/experiment/experiment.h"
#include "harness/experiment/problems.h"
#include "harness/experiment/schema.h"
#include "instances/generate.h"

/* The maximum numbers of runs, solvers and sets of one experiment. */
enum { MAX_RUNS = 10000000, MAX_SOLVERS = 10000, MAX_SETS = 1000 };

/* time, memory, nodes; the target is a struct limits. */
extern const struct schema limits_schema;

/* The whole file, one set of `instances`, and a solver in the long form. */
extern const struct schema file_schema;
extern const struct schema set_schema;
extern const struct schema solver_schema;
extern const struct schema database_schema; /* the heuristic pdb in the long form */

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
 * experiment's seed. `goal` is the experiment's goal, or NULL. Paths are relative to the folder of
 * experiment->path. Returns the number of instances; those beyond `max` are counted but not
 * generated. */
uint64_t experiment_read_instances(struct experiment *experiment, const struct yaml_node *sets,
                                   const struct yaml_node *goal, uint64_t max,
                                   struct problems *problems);

/* Reads the list `solvers` into experiment->solvers; their limits begin as experiment->limits. */
void experiment_read_solvers(struct experiment *experiment, const struct yaml_node *solvers,
                             struct report *report);

/* The heuristic that a node describes, as NAME or NAME:ARGUMENT, heap memory; NULL with
 * a problem. A single word is not checked. */
char *experiment_heuristic(const struct yaml_node *node, struct report *report);

/* Reads a solver in the short form; `name` is the key it belongs to. */
bool experiment_parse_solver(const struct yaml_node *node, const char *name, struct report *report,
                             struct solver *solver);

#endif
