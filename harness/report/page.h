/* A page of HTML in one file that needs no network: a template, its style and its script
 * (harness/report/page/, which the build puts into the program), and what goes into its places.
 *
 * A content security policy forbids all that would be loaded, and any script but the page's own. */
#pragma once

#include "base/heap.h"

enum page_kind {
    PAGE_REPORT,     /* of an experiment */
    PAGE_SOLVE,      /* of the boards that `tilelab solve` was given */
    PAGE_SUBMISSION, /* of a program of a class */
    PAGES
};

/* Writes the page; what replaces {{NAME}} in the template is HTML, or JSON within <script>. Every
 * name must be among the parts, whose texts are freed, but for style, script and nonce, which are
 * known here. The same parts give the same bytes. */
void page_write(enum page_kind kind, const struct heap_part *parts, size_t count, FILE *file);
