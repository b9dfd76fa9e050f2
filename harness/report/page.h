/* A page of HTML in one file that needs no network: a template, its style and its script
 * (harness/report/page/, which the build puts into the program), and what goes into its places.
 *
 * A content security policy forbids all that would be loaded, and any script but the page's own. */
#pragma once

#include <stdio.h>

enum page_kind {
    PAGE_REPORT,     /* of an experiment */
    PAGE_SOLVE,      /* of the boards that `tilelab solve` was given */
    PAGE_SUBMISSION, /* of a program of a class */
    PAGES
};

/* What replaces {{NAME}} in the template: HTML, or JSON within <script>. */
struct page_part {
    const char *name;
    char *text; /* page_write frees it */
};

/* Writes the page. Every {{NAME}} of the template must be among the parts, but for style, script
 * and nonce, which are known here. The same parts give the same bytes. */
void page_write(enum page_kind kind, const struct page_part *parts, size_t count, FILE *file);
