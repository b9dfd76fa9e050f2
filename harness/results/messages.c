#include "harness/results/messages.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/results/side_table.h"
#include "instances/csv.h"

bool messages_add(const char *folder, const char *run_id, const char *finished_at,
                  const char *status, const char *message, const char **why)
{
    SCOPED char *row = NULL;
    side_table_row(&row, TABLE_MESSAGES,
                   (const char *const[]){run_id, finished_at, status, message});
    return side_table_append(folder, TABLE_MESSAGES, row, why);
}

void messages_each(const char *folder,
                   void (*show)(void *context, const char *run_id, const char *finished_at,
                                const char *status, const char *message),
                   void *context)
{
    SCOPED char *path = side_table_path(folder, TABLE_MESSAGES);
    const char *why;
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    SCOPED_BY(csv_end) struct csv csv = {0};
    SCOPED_BY(report_end) struct report ignored = {0};
    if (file == NULL || !csv_start(&csv, file, CSV_APPENDED | CSV_LINES, &ignored))
        return;
    const size_t id = csv_column(&csv, "run_id");
    const size_t time = csv_column(&csv, "finished_at");
    const size_t status = csv_column(&csv, "status");
    const size_t message = csv_column(&csv, "message");
    while (id != CSV_NONE && time != CSV_NONE && status != CSV_NONE && message != CSV_NONE &&
           csv_next(&csv))
        show(context, csv.fields[id].text, csv.fields[time].text, csv.fields[status].text,
             csv.fields[message].text);
}
