#include "harness/report/page.h"
#include "page_files.h" /* what the build makes of harness/report/page/ */
#include <inttypes.h>
#include <xxhash.h>

static const char *const templates[PAGES] = {[PAGE_REPORT] = page_report_html,
                                             [PAGE_SOLVE] = page_solve_html,
                                             [PAGE_SUBMISSION] = page_submission_html};

/* A text that no name in the page can hold, as it depends on all of them: only what has it may run
 * as a script. */
static char *nonce_of(const struct heap_part *parts, size_t count)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        heap_exhausted();
    XXH3_128bits_reset(state);
    for (size_t i = 0; i < count; i++)
        XXH3_128bits_update(state, parts[i].text, strlen(parts[i].text));
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return heap_format("%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}

void page_write(enum page_kind kind, const struct heap_part *parts, size_t count, FILE *file)
{
    const struct heap_part own[] = {{"style", heap_text(page_page_css)},
                                    {"script", heap_text(page_page_js)},
                                    {"nonce", nonce_of(parts, count)},
                                    {"library", heap_text(page_d3_min_js)},
                                    {"explore_style", heap_text(page_figures_css)},
                                    {"explore", heap_text(page_figures_js)}};
    SCOPED struct heap_part *all = heap_take(1, sizeof own + count * sizeof *parts);
    memcpy(all, own, sizeof own);
    memcpy(all + sizeof own / sizeof *own, parts, count * sizeof *parts);
    heap_fill(file, templates[kind], all, sizeof own / sizeof *own + count);
}
