/* Quantities as people write them. */
#include "harness/experiment/units.h"
#include "tests/test.h"
#include <float.h>
#include <math.h>

struct amount {
    const char *text;
    uint64_t value;
};

static void expect_whole(bool (*parse)(const char *, uint64_t *), const struct amount *amounts,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 12345;
        if (!parse(amounts[i].text, &value) || value != amounts[i].value)
            fail_msg("'%s' was read as %lu", amounts[i].text, (unsigned long)value);
    }
}

static void refuse_whole(bool (*parse)(const char *, uint64_t *), const char *const *texts,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        if (parse(texts[i], &value))
            fail_msg("'%s' was read as %lu", texts[i], (unsigned long)value);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

TEST(counts)
{
    static const struct amount amounts[] = {
        {"0", 0},
        {"1", 1},
        {"007", 7},
        {"500000", 500000},
        {"2k", 2000},
        {"2K", 2000},
        {"500M", 500000000},
        {"500 M", 500000000},
        {"3G", 3000000000},
        {"1T", 1000000000000},
        {"18446744T", UINT64_C(18446744000000000000)},
        {"18446744073709551615", UINT64_MAX},
    };
    expect_whole(parse_count, amounts, COUNT(amounts));
}

TEST(what_is_no_count)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "M",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1.5M",
                                        "1e6",
                                        "2m",
                                        "2g",
                                        "2KB",
                                        "2Mi",
                                        "2  M",
                                        "2MM",
                                        "0x10",
                                        "ten",
                                        "1,000",
                                        "1_000",
                                        "2 \tM",
                                        "18446744073709551616",
                                        "18446745T",
                                        "99999999999999999999999999999"};
    refuse_whole(parse_count, texts, COUNT(texts));
}

TEST(bytes)
{
    static const struct amount amounts[] = {
        {"0", 0},
        {"512", 512},
        {"512B", 512},
        {"1kB", 1000},
        {"1KB", 1000},
        {"2MB", 2000000},
        {"2GB", 2000000000},
        {"1TB", 1000000000000},
        {"1KiB", 1024},
        {"512MiB", 536870912},
        {"2GiB", 2147483648},
        {"2 GiB", 2147483648},
        {"1TiB", 1099511627776},
        {"16777215TiB", UINT64_C(18446742974197923840)},
    };
    expect_whole(parse_bytes, amounts, COUNT(amounts));
}

TEST(what_is_no_number_of_bytes)
{
    static const char *const texts[] = {"",     "B",      "MiB",  "-1",   "1.5GiB",
                                        "2G",   "2M",     "2gb",  "2gib", "2kiB",
                                        "2Mib", "2 MiB ", "2PiB", "2b",   "16777216TiB"};
    refuse_whole(parse_bytes, texts, COUNT(texts));
}

TEST(seconds)
{
    static const struct {
        const char *text;
        double value;
    } times[] = {
        {"0", 0},           {"60", 60},
        {"60s", 60},        {"60 s", 60},
        {"0.5", 0.5},       {"1.5s", 1.5},
        {"1.", 1},          {"500ms", 0.5},
        {"250us", 0.00025}, {"2m", 120},
        {"2min", 120},      {"1.5h", 5400},
        {"1d", 86400},      {"99999999999999d", 99999999999999.0 * 86400},
    };
    for (size_t i = 0; i < COUNT(times); i++) {
        double value = -1;
        if (!parse_seconds(times[i].text, &value) ||
            fabs(value - times[i].value) > 1e-9 * times[i].value)
            fail_msg("'%s' was read as %g", times[i].text, value);
        assert_true(isfinite(value) && !signbit(value));
    }
}

TEST(what_is_no_time)
{
    static const char *const texts[] = {"",      " ",
                                        "s",     "-1",
                                        "+1s",   ".5",
                                        ".",     "1..5",
                                        "1.5.2", "1e3",
                                        "1e3s",  "0x10",
                                        "inf",   "nan",
                                        "1,5s",  "60sec",
                                        "60S",   "1M",
                                        " 60s",  "60s ",
                                        "60 ",   "60  s",
                                        "1m30s", "1:30",
                                        "1ns",   "9999999999999999999"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        double value;
        if (parse_seconds(texts[i], &value))
            fail_msg("'%s' was read as %g", texts[i], value);
    }
}
