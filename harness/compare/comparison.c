#include "harness/compare/comparison.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/execution/manifest.h"
#include "harness/text/screen.h"

void comparison_note(struct comparison *comparison, const char *about, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    *HEAP_ADD(comparison->notes, comparison->note_count) =
        (struct note){about, text_printable(text)};
}

/* The manifest.json of a result, or NULL; to be released with json_decref. A CSV file of another
 * name than runs.csv has none: what lies beside it may be of other runs. */
static json_t *read_manifest(struct comparison *comparison, const char *file)
{
    static const char own_name[] = "runs.csv";
    const char *name = file_name(file);
    if (strcmp(name, own_name) != 0)
        return NULL;
    SCOPED char *path = heap_format("%.*smanifest.json", (int)(name - file), file);
    SCOPED char *folder = results_folder(file);
    json_error_t error;
    const char *why;
    json_t *manifest = NULL;
    FILE *stream = file_open_own(path, &why);
    if (stream != NULL) {
        manifest = json_loadf(stream, 0, &error);
        fclose(stream);
        if (manifest == NULL)
            comparison_note(comparison, "an unreadable manifest.json",
                            "%s:%d:%d: %s; its solvers and baseline are not known", path,
                            error.line, error.column, error.text);
    } else if (access(path, F_OK) == 0) {
        comparison_note(comparison, "an unreadable manifest.json",
                        "%s: cannot open: %s; its solvers and baseline are not known", path, why);
    }
    if (manifest != NULL && !manifest_fits(manifest, folder, NULL)) {
        comparison_note(comparison, "a foreign manifest.json",
                        "%s is of other runs than the rows beside it and is left "
                        "aside; its solvers and baseline are not known.",
                        path);
        json_decref(manifest);
        manifest = NULL;
    }
    return manifest;
}

/* The solvers of a manifest and their limits; false where it names none. */
static bool expected_of(const json_t *manifest, struct expected *expected)
{
    const json_t *solvers = json_object_get(manifest, "solvers");
    const json_t *limits = json_object_get(manifest, "limits");
    *expected = (struct expected){0};
    for (size_t i = 0; i < json_array_size(solvers); i++) {
        const char *solver = json_string_value(json_array_get(solvers, i));
        const size_t count = expected->solvers.count;
        if (solver == NULL || names_add(&expected->solvers, solver) != count)
            continue;
        const json_t *own = json_object_get(limits, solver);
        expected->limits = heap_grow(expected->limits, count, sizeof *expected->limits);
        expected->limits[count] = (struct limits){
            .seconds = own == NULL ? -1 : json_number_value(json_object_get(own, "seconds")),
            .nodes = (uint64_t)json_integer_value(json_object_get(own, "nodes")),
            .bytes = (uint64_t)json_integer_value(json_object_get(own, "bytes")),
            .cpu_seconds = json_number_value(json_object_get(own, "cpu_seconds")),
        };
    }
    return expected->solvers.count > 0;
}

/* The metrics that a manifest names; those of the first that names any count. */
static void read_metrics(struct comparison *comparison, const json_t *metrics)
{
    if (comparison->metric_count > 0)
        return;
    for (size_t i = 0; i < json_array_size(metrics) && comparison->metric_count < METRICS; i++) {
        const char *name = json_string_value(json_array_get(metrics, i));
        const enum metric metric = name == NULL                 ? METRICS
                                   : metric_word_is_extra(name) ? metric_extra_add(name, false)
                                                                : metric_named(name);
        if (metric != METRICS)
            comparison->metrics[comparison->metric_count++] = metric;
    }
}

/* Adds the metrics extra.NAME that manifests name, and their units, before any row is read. */
static void read_extras(struct comparison *comparison, json_t *const *manifests, size_t count)
{
    metric_extras_forget();
    for (size_t i = 0; i < count; i++)
        read_metrics(comparison, json_object_get(manifests[i], "metrics"));
    for (unsigned metric = METRIC_extra; metric < metric_count(); metric++) {
        const char *unit = NULL;
        for (size_t i = 0; i < count && unit == NULL; i++)
            unit = json_string_value(
                json_object_get(json_object_get(manifests[i], "units"), metric_extra(metric)));
        metric_extra_unit(metric, unit);
    }
}

/* Says where no run has a metric extra.NAME, and what the runs have; false where it was asked for.
 */
static bool check_extra(struct comparison *comparison, enum metric metric, FILE *errors)
{
    const struct names *extras = &comparison->results.extras;
    const char *name = metric_extra(metric);
    const bool asked = metric_extra_asked(metric);
    if (comparison->results.count == 0 || names_find(extras, name) != NAMES_NONE)
        return true;
    SCOPED char *listed = words_listed((const char *const *)extras->text, extras->count);
    SCOPED char *meant = word_meant(name, (const char *const *)extras->text, extras->count);
    SCOPED char *text = heap_format("no run has a number '%s' in the column extra; %s%s%s", name,
                                    extras->count > 0 ? "expected " : "it has none", listed, meant);
    if (asked)
        screen_say(errors, "tilelab: %s\n", text);
    else
        comparison_note(comparison, "a metric that no run has", "The experiment's metric %s: %s.",
                        metric_column(metric)->name, text);
    return !asked;
}

enum metric comparison_metric(const struct comparison *comparison, enum metric asked)
{
    if (asked != METRICS)
        return asked;
    return comparison->metric_count > 0 ? comparison->metrics[0] : METRIC_expanded;
}

void comparison_metrics(const struct comparison *comparison, bool metrics[METRICS])
{
    for (size_t i = 0; i < comparison->metric_count; i++)
        metrics[comparison->metrics[i]] = true;
    if (comparison->metric_count == 0)
        metrics[METRIC_generated] = true;
}

/* What the manifest of a result calls the solvers. */
static void read_labels(struct comparison *comparison, const char *path, const json_t *manifest)
{
    const char *solver;
    json_t *label;
    json_object_foreach(json_object_get(manifest, "labels"), solver, label)
    {
        const char *own = json_string_value(label);
        const char *counts = own == NULL ? NULL : results_label(&comparison->results, solver, own);
        if (own != NULL && counts == NULL)
            comparison_note(comparison, "solvers with one label",
                            "%s calls %s %s, which is another solver in these results; "
                            "it is shown as itself.",
                            path, solver, own);
        else if (own != NULL && strcmp(own, counts) != 0)
            comparison_note(comparison, "solvers with two labels",
                            "%s is called %s, as the first of these results has it; "
                            "%s calls it %s.",
                            solver, counts, path, own);
    }
}

/* Reads one result by its manifest, and what the manifest says of the comparison. */
static bool read_result(struct comparison *comparison, const char *path, json_t *manifest,
                        FILE *errors)
{
    SCOPED char *file = results_file(path);
    SCOPED_BY(expected_end) struct expected expected;
    SCOPED_BY(report_end) struct report report = {.file = file};
    const bool known = expected_of(manifest, &expected);
    const bool good = results_read(&comparison->results, file, known ? &expected : NULL, &report);
    if (!good)
        fputs(report.text, errors);
    for (size_t i = 0; i < expected.solvers.count; i++)
        names_add(&comparison->order, expected.solvers.text[i]);
    const char *baseline = json_string_value(json_object_get(manifest, "baseline"));
    if (baseline != NULL && comparison->named_baseline == NULL)
        comparison->named_baseline = heap_text(baseline);
    comparison->all_pairs =
        comparison->all_pairs || json_is_true(json_object_get(manifest, "all_pairs"));
    comparison->has_references =
        comparison->has_references || json_object_get(manifest, "expect") != NULL;
    if (comparison->manifest == NULL)
        comparison->manifest = json_incref(manifest);
    return good;
}

/* Reads the references that a manifest names; they lie beside it. What cannot be read agrees with
 * nothing. */
static void read_references(struct comparison *comparison, const char *path)
{
    SCOPED char *folder = results_folder(path);
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(comparison->manifest, "expect"), i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        const char *by = json_string_value(json_object_get(entry, "by"));
        const json_t *level = json_object_get(entry, "level");
        const enum expect_by key =
            by == NULL ? EXPECT_BYS : WORD_PLACE(expect_by_names, EXPECT_BYS, by);
        if (name == NULL || strchr(name, '/') != NULL || by == NULL || key == EXPECT_BYS ||
            !json_is_real(level)) {
            comparison->expect_failed++;
            comparison_note(comparison, "references",
                            "A reference in manifest.json is not as tilelab wrote it; "
                            "nothing is held against it.");
            continue;
        }
        struct reference reference = {0};
        SCOPED char *file = heap_format("%s/" EXPECTED_FILE, folder, name);
        SCOPED_BY(report_end) struct report report = {.file = file};
        SCOPED char *text = file_read_own(file, NULL, &report);
        if (text != NULL &&
            reference_read(&reference, name, key, json_real_value(level), text, &report)) {
            *HEAP_ADD(comparison->references, comparison->reference_count) = reference;
        } else {
            SCOPED char *first = report_first(&report);
            comparison->expect_failed++;
            comparison_note(comparison, "references", "%s; nothing is held against it.", first);
            reference_end(&reference);
        }
    }
}

static bool read_results(struct comparison *comparison, const char *const *paths, size_t count,
                         FILE *errors)
{
    bool good = true;
    SCOPED json_t **manifests = heap_take(count, sizeof *manifests);
    for (size_t i = 0; i < count; i++) {
        SCOPED char *file = results_file(paths[i]);
        manifests[i] = read_manifest(comparison, file);
        read_labels(comparison, paths[i], manifests[i]);
    }
    read_extras(comparison, manifests, count);
    for (size_t i = 0; i < count; i++) {
        good = read_result(comparison, paths[i], manifests[i], errors) && good;
        json_decref(manifests[i]);
    }
    for (unsigned metric = METRIC_extra; good && metric < metric_count(); metric++)
        good = check_extra(comparison, (enum metric)metric, errors);
    return good;
}

/* Reports a part of a choice that took nothing; true: there is none. */
static bool check_choice(const struct choice *choice, const char *option, const char *what,
                         FILE *errors)
{
    SCOPED char *unmet = choice_unmet(choice);
    if (unmet == NULL)
        return true;
    const char *const *there = (const char *const *)choice->there.text;
    SCOPED char *listed = words_listed(there, choice->there.count);
    SCOPED char *meant = word_meant(unmet, there, choice->there.count);
    screen_say(errors, "tilelab: %s: no %s '%s' in these results; expected %s%s\n", option, what,
               unmet, choice->there.count == 0 ? "rows, and there are none" : listed, meant);
    return false;
}

static bool check_choices(struct comparison *comparison, FILE *errors)
{
    const struct results *results = &comparison->results;
    const char *sets = results->sets.asked;
    const char *solvers = results->chosen.asked;
    if (sets != NULL || solvers != NULL)
        comparison_note(comparison, "a part of the results",
                        "Only%s%s%s%s%s, as if nothing else had been run.",
                        sets == NULL ? "" : " the sets ", sets == NULL ? "" : sets,
                        sets != NULL && solvers != NULL ? " and" : "",
                        solvers == NULL ? "" : " the solvers ", solvers == NULL ? "" : solvers);
    return check_choice(&results->sets, "--sets", "set", errors) &&
           check_choice(&results->chosen, "--solvers", "solver", errors);
}

static bool find_asked_baseline(struct comparison *comparison, const char *asked, FILE *errors)
{
    const struct names *solvers = &comparison->results.solvers;
    comparison->baseline = names_find(solvers, asked);
    if (comparison->baseline == NAMES_NONE)
        comparison->baseline = WORD_PLACE(comparison->results.shown, solvers->count, asked);
    if (comparison->baseline < solvers->count)
        return true;
    SCOPED char *meant = word_meant(asked, (const char *const *)solvers->text, solvers->count);
    screen_say(errors, "tilelab: no runs of the baseline '%s'%s\nThe solvers there are:\n", asked,
               meant);
    for (size_t i = 0; i < solvers->count; i++)
        screen_say(errors, "  %s\n", solvers->text[i]);
    return false;
}

static void find_usual_baseline(struct comparison *comparison)
{
    const char *named = comparison->named_baseline;
    comparison->baseline = 0;
    if (named == NULL || comparison->results.count == 0)
        return;
    size_t found = names_find(&comparison->results.solvers, named);
    if (found != NAMES_NONE)
        comparison->baseline = found;
    else
        comparison_note(comparison, "the baseline",
                        "The experiment's baseline %s has no runs here; the first "
                        "solver stands in for it.",
                        named);
}

void comparison_end(struct comparison *comparison)
{
    for (size_t i = FIRST_DERIVED; i < TABLES; i++)
        tidy_end(&comparison->tables[i]);
    free(comparison->extras);
    document_end(&comparison->document);
    for (size_t i = 0; i < comparison->results.block_count && comparison->pairs != NULL; i++) {
        pairs_end(&comparison->pairs[i]);
        summary_end(&comparison->summaries[i]);
    }
    FREE(comparison->pairs, comparison->summaries);
    side_numbers_end(&comparison->side);
    results_end(&comparison->results);
    names_end(&comparison->order);
    json_decref(comparison->manifest);
    free(comparison->named_baseline);
    for (size_t i = 0; i < comparison->reference_count; i++)
        reference_end(&comparison->references[i]);
    free(comparison->references);
    for (size_t i = 0; i < comparison->note_count; i++)
        free(comparison->notes[i].text);
    free(comparison->notes);
}

bool comparison_read(struct comparison *comparison, const char *const *results, size_t count,
                     const char *baseline, FILE *errors)
{
    if (!read_results(comparison, results, count, errors) || !check_choices(comparison, errors))
        return false;
    const bool part =
        comparison->results.sets.asked != NULL || comparison->results.chosen.asked != NULL;
    for (size_t i = 0; i < count && comparison->side_wanted != SIDE_NONE; i++)
        if (!side_numbers_read(&comparison->side, &comparison->results, results[i],
                               comparison->side_wanted == SIDE_ALL, errors))
            comparison->side_wrong = true;
    if (count == 1 && !comparison->results.pooled && !part)
        read_references(comparison, results[0]);
    else if (comparison->has_references)
        comparison_note(comparison, "published cells",
                        "Published cells (expect) are held against one whole results "
                        "folder, set by set: for them compare each folder alone, without "
                        "--pool, --sets and --solvers.");
    results_settle(&comparison->results, &comparison->order);
    if (baseline != NULL && comparison->results.count > 0)
        return find_asked_baseline(comparison, baseline, errors);
    find_usual_baseline(comparison);
    return true;
}
