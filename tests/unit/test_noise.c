/* Noise, on machines that are folders: a proc/ and a sys/ with the few files that are read. */
#include "base/clock.h"
#include "harness/execution/noise.h"
#include "tests/folder.h"
#include "tests/support.h"
#include <sys/stat.h>

/* Writes a file of the machine, with the folders above it. */
static void put(const char *path, const char *text)
{
    SCOPED char *whole = heap_format("%s%s", folder, path);
    for (char *slash = strchr(whole + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    write_text(whole, text);
}

/* A processor time of all processors together, in ticks of the system. */
static void put_busy(double seconds)
{
    char *text = heap_format("cpu  %.0f 0 0 1000 0 0 0 0 0 0\ncpu0 1 1 1\ncpu1 1 1 1\nintr 5\n",
                             seconds * (double)sysconf(_SC_CLK_TCK));
    put("/proc/stat", text);
    free(text);
}

static void put_clock(unsigned processor, const char *name, const char *khz)
{
    put(text_of("/sys/devices/system/cpu/cpu%u/cpufreq/%s", processor, name), khz);
}

/* Looks, and compares what is reported; NULL: nothing is. */
static void expect(struct noise *noise, double own, const char *reported)
{
    const struct timespec moment = {0, 100 * 1000 * 1000};
    nanosleep(&moment, NULL);
    SCOPED char *text = noise_look(noise, own);
    if (reported == NULL)
        assert_null(text);
    else
        assert_string_equal(text, reported);
}

static double number(const struct noise *noise, const char *key)
{
    json_auto_t *json = noise_json(noise);
    const json_t *value = json_object_get(json, key);
    const double found = value == NULL ? -1 : json_number_value(value);
    return found;
}

static bool is_true(const struct noise *noise, const char *key)
{
    json_auto_t *json = noise_json(noise);
    const bool found = json_is_true(json_object_get(json, key));
    return found;
}

TEST(test_a_machine_that_tells_nothing)
{
    struct noise noise;
    noise_start(&noise, "/nonexistent", 0);
    expect(&noise, 5, NULL);
    assert_true(number(&noise, "other_processors_busy") == -1);
    assert_true(number(&noise, "clock_khz") == -1);
    json_auto_t *json = noise_json(&noise);
    assert_null(json_object_get(json, "on_battery"));
    assert_true(json_is_false(json_object_get(json, "disturbed")));
}

TEST(test_others)
{
    struct noise noise;
    put_busy(100);
    noise_start(&noise, folder, 7);
    assert_int_equal(noise.processors, 2);
    put_busy(200); /* all of it ours */
    expect(&noise, 107, NULL);
    assert_true(number(&noise, "other_processors_busy") == 0);
    assert_false(is_true(&noise, "disturbed"));
    put_busy(300);
    SCOPED char *text = NULL;
    const struct timespec moment = {0, 100 * 1000 * 1000};
    nanosleep(&moment, NULL);
    const double before = clock_wall();
    text = noise_look(&noise, 107 + 99.9); /* a tenth of a second of it not ours */
    const double wall = before - noise.started;
    assert_non_null(text);
    assert_non_null(strstr(text, "of its 2 processors"));
    assert_true(number(&noise, "other_processors_busy") > 0.05 / wall);
    assert_true(number(&noise, "other_processors_busy") < 0.15 / wall);
    assert_true(number(&noise, "other_processors_busy_max") >
                number(&noise, "other_processors_busy"));
    put_busy(400);
    expect(&noise, 206.9, NULL); /* reported once */
    assert_true(is_true(&noise, "disturbed"));
}

TEST(test_battery)
{
    struct noise noise;
    put("/sys/class/power_supply/AC/type", "Mains\n");
    noise_start(&noise, folder, 0);
    assert_int_equal(noise.battery, -1);
    put("/sys/class/power_supply/BAT0/type", "Battery\n");
    put("/sys/class/power_supply/BAT0/status", "Charging\n");
    noise_start(&noise, folder, 1e9);
    expect(&noise, 1e9, NULL);
    assert_false(is_true(&noise, "on_battery"));
    put("/sys/class/power_supply/BAT0/status", "Discharging\n");
    expect(&noise, 1e9, "the machine runs on battery");
    expect(&noise, 1e9, NULL);
    assert_true(is_true(&noise, "on_battery"));
    put("/sys/class/power_supply/BAT0/status", "Full\n");
}

TEST(test_clocks)
{
    struct noise noise;
    for (unsigned i = 0; i < 2; i++) {
        put_clock(i, "cpuinfo_max_freq", "4000000\n");
        put_clock(i, "scaling_max_freq", "4000000\n");
        put_clock(i, "scaling_cur_freq", i == 0 ? "1000000\n" : "3900000\n");
    }
    put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "12\n");
    noise_start(&noise, folder, 1e9);
    expect(&noise, 1e9, NULL);
    put_clock(1, "scaling_cur_freq", "3600000\n");
    expect(&noise, 1e9, NULL);
    put_clock(1, "scaling_cur_freq", "2500000\n");
    expect(&noise, 1e9, "the clock has fallen from 3.90 to 2.50 GHz");
    put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "15\n");
    put_clock(0, "scaling_max_freq", "2000000\n");
    expect(&noise, 1e9,
           "the processors may use only 50% of their maximum clock; the processors are too hot and "
           "slow down");
    assert_true(number(&noise, "times_throttled") == 3);
    assert_true(number(&noise, "clock_allowed") == 0.5);
    assert_true(number(&noise, "clock_khz_max") == 3900000);
    assert_true(number(&noise, "clock_khz") == 2500000);
}

AROUND_ALL_TESTS(make_folder, remove_folder)
