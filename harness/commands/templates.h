/* The templates that ship: solvers of a page in several languages, to start one's own from. */
#pragma once

#include "harness/show/lists.h"

struct template
{
    const char *name;    /* what `tilelab template` takes */
    const char *file;    /* in the folder of templates */
    const char *summary; /* what it is */
    const char *start;   /* shell commands that make it a program of one's own */
    const char *entry;   /* what an experiment file says of it */
};

enum {
#define TEMPLATE(name, file, summary, start, entry) TEMPLATE_##name,
#include "harness/commands/templates.def"
#undef TEMPLATE
    TEMPLATES
};

extern const struct template templates[TEMPLATES];

/* The list of them. */
list_fill list_templates;
