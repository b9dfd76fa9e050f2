/* An external solver: a program in any language, started without a shell, that reads a board and
 * prints its answer.
 *
 * Here is only what it is; program.h runs it. A run (results/run.h) of an external solver has a
 * struct solver too, whose algorithm is one of the two below: so whoever asks what a solver
 * promises need not know the difference. */
#pragma once

#include "algorithms/solver.h"
#include "base/file.h"
#include "harness/external/output_patterns.h"
#include "harness/external/placeholders.h"
#include <jansson.h>
#include <sys/types.h>

/* A file that the command names, or a folder or a pattern that `program` names (matches.h): another
 * file is another solver. */
struct program_file {
    char *name;                 /* as the command has it, such as "mine.py" */
    char *path;                 /* absolute */
    char hash[FILE_HASH_BYTES]; /* of its contents */
    uint64_t looks;             /* what it looked like when it was hashed: matches_hash */
};

struct external {
    char **words; /* the command and its arguments, ended by NULL; with placeholders */
    size_t word_count;
    char *input;          /* what it reads, with placeholders; NULL: as protocol_input says */
    char **version_words; /* the command that prints its version, ended by NULL; NULL: none */
    char *version; /* what that printed at the start of the session, which goes to `extra` of its
                      rows; owned; NULL: nothing */
    json_t *environment; /* variables and their texts, with placeholders; NULL: none */
    json_t *parameters;  /* those of `params` that its words were made with; NULL: none */
    json_t *written;     /* then, its command, input and env as written: with {w}, not 1.5 */
    struct output_pattern *patterns; /* how its output is read; none: as `name: value` */
    size_t pattern_count;
    unsigned threads; /* the processors that a run of it holds; 0: one */
    double grace;    /* seconds between SIGTERM at the time limit and SIGKILL; 0: SIGKILL at once */
    bool logs;       /* what it prints is kept (output_log.h) */
    bool isolated;   /* bubblewrap keeps it from the network, other processes and all files but
                        those of its folder, which it cannot write */
    char **shown;    /* then, what else it sees (isolation_show); owned, ended by NULL; or NULL */
    char *path;      /* and its PATH; owned; NULL: the system's */
    char *folder;    /* absolute; the program's current folder: that of the experiment file, or */
    char *cwd;       /* this one, as it was typed; NULL */
    bool persistent; /* one process, board after board */
    bool json;       /* one JSON object a line each way */
    bool tile_moves; /* it names the direction of the tile, not that of the blank */
    bool optimal;    /* it promises shortest solutions, and to find one */
    char *submission;   /* owned; of a folder that was handed in (submission.h) its label, which
                           differs from those of others; NULL: it is none */
    char **build_words; /* then: the command that builds it, ended by NULL; NULL: none */
    char *problem; /* then: why it cannot be run, which is all that its rows say; owned; NULL */
    char *note;    /* then: what else a person should know of it; owned; NULL */
    char *copy;    /* then: the private copy (absolute) in which it runs; owned; NULL: not made */
    bool building; /* the command builds it: it may write into its copy */
    struct program_file *files; /* words of the command that are files, be it without their ending
                                   (.class, .py, .js), and others, folders and patterns that the
                                   caller named; the program too, unless it is one that the PATH
                                   finds (an interpreter) and there are other files */
    size_t file_count;
    bool values; /* a heuristic: it answers each batch of boards with a line */
};

/* The algorithm that the rows of external solvers have: "external", which promises nothing, and its
 * twin, which promises what `optimal: true` says. */
const struct algorithm *external_algorithm(bool optimal);

/* The solver in its short form: external(COMMAND, option, ..), defaults left out, words quoted as
 * for a shell where they need it: external(python3 mine.py, persistent, moves=tile, optimal). Heap
 * memory. */
char *external_text(const struct external *external);

/* Its options alone, as the column `options` has them: "persistent, protocol=json, moves=tile,
 * optimal"; heap memory. */
char *external_options_text(const struct external *external);

/* The same for the column options_json, with the command and its files' hashes: {"command": [..],
 * "files": {"mine.py": "0123456789abcdef"}, "persistent": true, "protocol": "json", "moves":
 * "tile", "optimal": true}, defaults left out. Of a solver with parameters also "params", and as
 * "written" what is the same for all their values. A new reference. */
json_t *external_json(const struct external *external);

/* Reads what external_json wrote: all but the files, of which only the names are there, for
 * external_find_files to find again. `folder` is copied. False if it is not such an object; nothing
 * need be ended then. */
bool external_read(const json_t *json, const char *folder, struct external *external);

/* Whether its command, its input or its environment has {name}. */
bool external_has(const struct external *external, const char *name);

/* Adds a pattern for the output, compiled. NULL, or what is wrong with it, in heap memory. */
char *external_add_pattern(struct external *external, const char *name, const char *text,
                           size_t line);

/* The processors that a run of it holds: at least 1. */
unsigned external_threads(const struct external *external);

/* The command as a person would type it in its folder: words quoted as for a shell where they need
 * it; heap memory. */
char *external_command(const struct external *external);

/* The path of the program, found with the system's PATH unless the first word has a slash (relative
 * paths begin in the folder); heap memory, NULL: there is none. */
char *external_program(const struct external *external);

/* Finds the program (with the system's PATH, unless it has a slash) and the files that the command
 * names, and hashes them; files whose names the caller put into external->files too. NULL, or what
 * is wrong, in heap memory: what external_check_words says, a file that cannot be read. Of a
 * submission only its folder is hashed. */
char *external_find_files(struct external *external);

/* What is wrong with the words of its command, or NULL: no such program, not executable, a word
 * that looks like a file that is not there. Of what is built (`made`) the program need not be there
 * yet. Heap memory. The files are put into external->files. */
char *external_check_words(struct external *external, bool made);

/* Whether a file has changed since it was hashed: "its file mine.py has changed since the start of
 * the experiment", heap memory; else NULL. Costs a stat() for each file, lists folders and
 * patterns, and reads what was touched. */
char *external_changed(const struct external *external);

void external_end(struct external *external);

/* What else a run of an external solver has. */
struct answer {
    uint32_t known; /* bit i: it said counter number i (search/statistics.def), or the system did;
                       the others are not 0 but unknown */
    char *extra;    /* what else it said, `name: value`, as a JSON object; owned; NULL: nothing */
    char *log;      /* what it printed, packed (output_log.h); owned; NULL: not kept */
    size_t log_bytes;
    double lost_seconds; /* processor time of it that no account of this process's children has */
    char *message; /* why it ended as it did, where its status alone does not say; owned; NULL */
};

void answer_end(struct answer *answer);
