#include "base/heap.h"
#include "harness/report/marks.h"

struct tidy marks_view(const struct marks *marks)
{
    struct tidy table = {0};
    unsigned cents = 0;
    for (size_t i = 0; i < marks->rule_count; i++)
        cents += marks->rules[i].cents;
    tidy_column_as(&table, "label", "", SHAPE_TEXT);
    tidy_column_as(&table, "points", "", SHAPE_SHARE)->heading =
        heap_format("points of %g", (double)cents / CENTS);
    for (size_t i = 0; i < marks->rule_count; i++)
        tidy_column_as(&table, marks->rules[i].text, "", SHAPE_SHARE)->heading =
            heap_format("%s (%g)", marks->rules[i].text, (double)marks->rules[i].cents / CENTS);
    tidy_column_as(&table, "comment", "", SHAPE_TEXT)->prose = true;
    for (size_t i = 0; i < marks->solver_count; i++) {
        const struct marked_solver *solver = &marks->solvers[i];
        tidy_add(&table, "%s %g", solver->label, strtod(points_text(solver->points).text, NULL));
        for (size_t j = 0; j < marks->rule_count; j++) {
            const double points = marks_points(&marks->rules[j], &solver->tallies[j]);
            tidy_number(&table, isnan(points) ? NAN : strtod(points_text(points).text, NULL));
        }
        tidy_text(&table, solver->comment);
    }
    return table;
}

void marks_tell_rows(const struct marks *marks, const struct marked_solver *solver,
                     struct document *document)
{
    static const char *const verdicts[] = {
        [POINT_EARNED] = "earned", [POINT_LOST] = "lost", [POINT_EXCUSED] = "left out"};
    for (size_t rule = 0; rule < marks->rule_count; rule++) {
        const struct point_rule *own = &marks->rules[rule];
        const struct tally *tally = &solver->tallies[rule];
        SCOPED_BY(tidy_end) struct tidy table = {0};
        document_say(document, PART_HEADING, "%s: %s of %g", own->text,
                     tally->of == 0 ? "none" : points_text(marks_points(own, tally)).text,
                     (double)own->cents / CENTS);
        tidy_heads(&table, "rule:t-|run_id:t^1|board:t|expected:t|got:t|point:t");
        for (size_t i = 0; i < solver->run_count; i++) {
            const size_t run = solver->runs[i];
            const enum point_verdict verdict = marks_verdict(marks, rule, run);
            if (verdict == POINT_NONE)
                continue;
            SCOPED char *expected = marks_expected(marks, rule, run);
            SCOPED char *got = marks_got(marks, rule, run);
            tidy_add(&table, "%s %s", own->text, page_runs_text(marks->runs, run, COLUMN_run_id));
            tidy_show(&table, "%.8s", page_runs_text(marks->runs, run, COLUMN_run_id));
            tidy_format(&table, "%s/%s", page_runs_text(marks->runs, run, COLUMN_set),
                        page_runs_text(marks->runs, run, COLUMN_instance));
            tidy_add(&table, "%s %s %s", expected, got, verdicts[verdict]);
        }
        if (table.cell_count > 0)
            document_table(document, "rows", &table, "%zu of %zu rows", tally->earned, tally->of);
        else
            document_say(document, PART_TEXT, "It applies to none of the rows.");
    }
}
