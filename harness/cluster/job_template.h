/* The script of a job made from a user's template, for schedulers that tilelab does not know: PBS,
 * SGE, HTCondor.
 *
 * A template is a script, or whatever the scheduler is given, with names in braces: {command} runs
 * the shard. Its line "#tilelab WORD..." is the command that sends the script: "#tilelab qsub
 * {script}". {{name}} stands for {name}. */
#pragma once

#include "base/report.h"
#include "harness/cluster/job_script.h"

struct job_template {
    char *path;  /* owned */
    char *text;  /* owned */
    size_t send; /* where in the text the words of the command are */
};

/* Reads and checks a template: false, with what is wrong in the report, whose file is the path.
 * job_template_end in any case. */
bool job_template_read(struct job_template *template, const char *path, struct report *report);

/* The script of a shard, and the command that sends it, as words ended by NULL (words_end); heap
 * memory. */
char *template_script(const struct job_template *template, const struct job *job, unsigned shard);
char **template_words(const struct job_template *template, const struct job *job, unsigned shard);

/* The name of a shard's script in submit/; heap memory. */
char *template_script_name(const struct job *job, unsigned shard);

void job_template_end(struct job_template *template);
