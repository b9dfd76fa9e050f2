#include "harness/report/page.h"
#include "base/heap.h"
#include "page_files.h" /* what the build makes of harness/report/page/ */
#include <assert.h>
#include <inttypes.h>
#include <xxhash.h>

static const char *const templates[PAGES] = {[PAGE_REPORT] = page_report_html,
                                             [PAGE_SOLVE] = page_solve_html,
                                             [PAGE_SUBMISSION] = page_submission_html};

/* A text that no name in the page can hold, as it depends on all of them: only what has it may run
 * as a script. */
static char *nonce_of(const struct page_part *parts, size_t count)
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

void page_write(enum page_kind kind, const struct page_part *parts, size_t count, FILE *file)
{
    static const char opens[] = "{{";
    static const char closes[] = "}}";
    SCOPED char *nonce = nonce_of(parts, count);
    const struct {
        const char *name, *text;
    } own[] = {{"style", page_page_css},
               {"script", page_page_js},
               {"nonce", nonce},
               {"library", page_d3_min_js},
               {"explore_style", page_figures_css},
               {"explore", page_figures_js}};
    const char *at = templates[kind];
    for (const char *open; (open = strstr(at, opens)) != NULL;) {
        const char *name = open + sizeof opens - 1;
        const char *end = strstr(name, closes);
        const char *text = NULL;
        fwrite(at, 1, (size_t)(open - at), file);
        for (size_t i = 0; i < count + sizeof own / sizeof *own && text == NULL; i++) {
            const char *part = i < count ? parts[i].name : own[i - count].name;
            if (strlen(part) == (size_t)(end - name) &&
                strncmp(part, name, (size_t)(end - name)) == 0)
                text = i < count ? parts[i].text : own[i - count].text;
        }
        assert(text != NULL);
        fputs(text == NULL ? "" : text, file);
        at = end + sizeof closes - 1;
    }
    fputs(at, file);
    for (size_t i = 0; i < count; i++)
        free(parts[i].text);
}
