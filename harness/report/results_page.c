#include "base/heap.h"
#include "harness/report/page_report.h"
#include "harness/report/results_report.h"
#include "harness/text/screen.h"

/* experiment.yaml of the folder; NULL where there is none, or none that belongs to the runs. */
static char *experiment_text(const struct results_report *of)
{
    if (of->folder == NULL || of->comparison->manifest == NULL)
        return NULL;
    char hash[FILE_HASH_BYTES];
    const char *why;
    const char *own =
        json_string_value(json_object_get(of->comparison->manifest, "experiment_hash"));
    SCOPED char *path = heap_format("%s/experiment.yaml", of->folder);
    SCOPED_BY(report_end) struct report report = {.file = path};
    char *text = file_read_own(path, NULL, &report);
    const bool other =
        text != NULL && own != NULL && (!file_hash(path, hash, &why) || strcmp(own, hash) != 0);
    if (other)
        screen_say(of->errors, "tilelab report: %s is not the file that was run; it is left out\n",
                   path);
    return heap_keep(!other, text);
}

void results_page_write(const struct results_report *report, FILE *file)
{
    SCOPED char *experiment = experiment_text(report);
    SCOPED char *figures = report->document != NULL
                               ? heap_text("<p>Those of the solvers: tilelab report, without "
                                           "--by-solver.</p>\n")
                               : figures_html(report);
    const struct page_report page = {
        .name = report->name,
        .results = report->count == 1 ? report->paths[0] : NULL,
        .folder = report->folder,
        .experiment = experiment,
        .document = report->document != NULL ? report->document : &report->comparison->document,
        .comparison = report->comparison,
        .runs = report->runs,
        .sampled = report->sampled,
        .figures = figures};
    page_report_write(&page, file);
}
