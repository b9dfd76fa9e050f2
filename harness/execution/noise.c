#include "harness/execution/noise.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/heap.h"
#include <inttypes.h>
#include <unistd.h>

/* Others disturb when they keep more than this many processors busy, or this share of them all. */
#define BUSY_PROCESSORS 0.25
#define BUSY_SHARE      0.1

/* A clock below this share of its maximum, or of its earlier speed, is being held down. */
#define FULL_CLOCK 0.9

/* The first word of a small file below the root; false if there is none. */
static bool read_word(const struct noise *noise, const char *path, char word[64])
{
    SCOPED char *whole = heap_format("%s%s", noise->root, path);
    SCOPED_BY(stream_end) FILE *file = fopen(whole, "r");
    return file != NULL && fscanf(file, "%63s", word) == 1;
}

static double read_number(const struct noise *noise, const char *path)
{
    char word[64];
    return read_word(noise, path, word) ? strtod(word, NULL) : 0;
}

/* Seconds that all processors together have been busy, or taken away by a host; -1: unknown. */
static double busy_seconds(struct noise *noise)
{
    SCOPED char *path = heap_format("%s/proc/stat", noise->root);
    SCOPED_BY(stream_end) FILE *file = fopen(path, "r");
    char line[256];
    double busy = -1;
    noise->processors = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        uint64_t user, nice, kernel, idle, waiting, interrupts, soft, stolen = 0;
        if (strncmp(line, "cpu", 3) == 0 && line[3] != ' ')
            noise->processors++;
        if (strncmp(line, "cpu ", 4) == 0 &&
            sscanf(line,
                   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                   " %" SCNu64 " %" SCNu64,
                   &user, &nice, &kernel, &idle, &waiting, &interrupts, &soft, &stolen) >= 7 &&
            user + idle > 0)
            busy = (double)(user + nice + kernel + interrupts + soft + stolen) /
                   (double)sysconf(_SC_CLK_TCK);
    }
    return busy;
}

static int on_battery(const struct noise *noise)
{
    SCOPED char *path = heap_format("%s/sys/class/power_supply", noise->root);
    SCOPED_BY(listing_end) DIR *folder = opendir(path);
    int found = -1;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char type[64] = "";
        char status[64] = "";
        SCOPED char *supply = heap_format("/sys/class/power_supply/%s/type", entry->d_name);
        SCOPED char *state = heap_format("/sys/class/power_supply/%s/status", entry->d_name);
        if (entry->d_name[0] != '.' && read_word(noise, supply, type) &&
            strcmp(type, "Battery") == 0 && read_word(noise, state, status))
            found = found == 1 || strcmp(status, "Discharging") == 0;
    }
    return found;
}

/* The processors' clocks: the smallest share of its maximum that one may use, the fastest now, and
 * how often any was too hot. */
static void read_clocks(struct noise *noise)
{
    noise->cap = noise->clock = 0;
    noise->throttled = 0;
    for (unsigned i = 0; i < noise->processors; i++) {
        char path[128];
        static const char folder[] = "/sys/devices/system/cpu/cpu";
        snprintf(path, sizeof path, "%s%u/cpufreq/cpuinfo_max_freq", folder, i);
        const double top = read_number(noise, path);
        snprintf(path, sizeof path, "%s%u/cpufreq/scaling_max_freq", folder, i);
        const double allowed = read_number(noise, path);
        snprintf(path, sizeof path, "%s%u/cpufreq/scaling_cur_freq", folder, i);
        const double now = read_number(noise, path);
        snprintf(path, sizeof path, "%s%u/thermal_throttle/core_throttle_count", folder, i);
        noise->throttled += (uint64_t)read_number(noise, path);
        if (top > 0 && allowed > 0 && (noise->cap == 0 || allowed / top < noise->cap))
            noise->cap = allowed / top;
        noise->clock = now > noise->clock ? now : noise->clock;
    }
    noise->max_clock = noise->clock > noise->max_clock ? noise->clock : noise->max_clock;
}

void noise_start(struct noise *noise, const char *root, double own_seconds)
{
    *noise = (struct noise){.root = root, .started = clock_wall()};
    noise->looked = noise->started;
    noise->busy = noise->busy_at_start = busy_seconds(noise);
    noise->own = noise->own_at_start = own_seconds;
    noise->battery = on_battery(noise);
    read_clocks(noise);
    noise->throttled_at_start = noise->throttled;
}

/* Processors that were busy with others, on average over `wall` seconds. */
static double others(double busy, double own, double wall)
{
    return wall > 0 && busy > own ? (busy - own) / wall : 0;
}

/* Adds a sentence to `text` (taken), once for each kind. */
PRINTF_LIKE(4, 5)
static char *report(struct noise *noise, unsigned kind, char *text, const char *format, ...)
{
    if ((noise->reported & kind) != 0)
        return text;
    noise->reported |= kind;
    SCOPED char *sentence = FORMATTED(format);
    heap_append(&text, "%s%s", text == NULL ? "" : "; ", sentence);
    return text;
}

char *noise_look(struct noise *noise, double own_seconds)
{
    const double now = clock_wall();
    const double busy = busy_seconds(noise);
    double recent = 0;
    char *text = NULL;
    if (busy >= 0 && noise->busy >= 0) {
        recent = others(busy - noise->busy, own_seconds - noise->own, now - noise->looked);
        noise->others = others(busy - noise->busy_at_start, own_seconds - noise->own_at_start,
                               now - noise->started);
        noise->max_others = recent > noise->max_others ? recent : noise->max_others;
    }
    noise->looked = now;
    noise->busy = busy;
    noise->own = own_seconds;
    noise->battery = on_battery(noise);
    read_clocks(noise);
    if (recent > BUSY_PROCESSORS && recent > BUSY_SHARE * noise->processors)
        text = report(noise, NOISE_BUSY, text,
                      "the machine is busy: other processes keep %.1f of its %u processors", recent,
                      noise->processors);
    if (noise->battery == 1)
        text = report(noise, NOISE_BATTERY, text, "the machine runs on battery");
    if (noise->cap > 0 && noise->cap < FULL_CLOCK)
        text =
            report(noise, NOISE_CAPPED, text,
                   "the processors may use only %.0f%% of their maximum clock", 100 * noise->cap);
    if (noise->throttled > noise->throttled_at_start)
        text = report(noise, NOISE_HOT, text, "the processors are too hot and slow down");
    if (noise->clock > 0 && noise->clock < FULL_CLOCK * noise->max_clock)
        text = report(noise, NOISE_SLOWER, text, "the clock has fallen from %.2f to %.2f GHz",
                      noise->max_clock / 1e6, noise->clock / 1e6);
    return text;
}

json_t *noise_json(const struct noise *noise)
{
    json_t *json = json_object();
    if (noise->busy >= 0) {
        json_object_set_new(json, "other_processors_busy", json_real(noise->others));
        json_object_set_new(json, "other_processors_busy_max", json_real(noise->max_others));
    }
    if (noise->battery >= 0)
        json_object_set_new(json, "on_battery", json_boolean(noise->battery == 1));
    if (noise->cap > 0)
        json_object_set_new(json, "clock_allowed", json_real(noise->cap));
    if (noise->clock > 0) {
        json_object_set_new(json, "clock_khz", json_real(noise->clock));
        json_object_set_new(json, "clock_khz_max", json_real(noise->max_clock));
    }
    json_object_set_new(json, "times_throttled",
                        json_integer((json_int_t)(noise->throttled - noise->throttled_at_start)));
    json_object_set_new(json, "disturbed", json_boolean(noise->reported != 0));
    return json;
}
