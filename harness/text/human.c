/* Formatting only: the exact numbers are in the CSV files. */
#include "harness/text/human.h"
#include "base/compiler.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

PRINTF_LIKE(1, 2)
static struct human text(const char *format, ...)
{
    struct human human;
    va_list values;
    va_start(values, format);
    vsnprintf(human.text, sizeof human.text, format, values);
    va_end(values);
    return human;
}

/* A whole number with commas between thousands; from ten million on with three digits. */
static struct human whole(double value)
{
    value = round(value);
    if (value >= 1e7)
        return text("%.2e", value);
    long number = (long)value;
    if (number >= 1000000)
        return text("%ld,%03ld,%03ld", number / 1000000, number / 1000 % 1000, number % 1000);
    if (number >= 1000)
        return text("%ld,%03ld", number / 1000, number % 1000);
    return text("%ld", number);
}

struct human human_mean(double value)
{
    if (isnan(value))
        return text("-");
    if (value < 99.995)
        return text("%.2f", value);
    if (value < 999.95)
        return text("%.1f", value);
    return whole(value);
}

struct human human_decimals(double value, int decimals)
{
    return isnan(value) ? text("-") : text("%.*f", decimals, value);
}

struct human human_count(double value)
{
    if (isinf(value))
        return text("unsolved");
    return value == floor(value) ? whole(value) : human_mean(value);
}

struct human human_ratio(double value)
{
    if (isinf(value))
        return text("inf");
    if (isnan(value))
        return text("-");
    if (value == 0)
        return text("0");
    if (value < 0.001)
        return text("%.2e", value);
    if (value < 0.009995)
        return text("%.5f", value);
    if (value < 0.09995)
        return text("%.4f", value);
    if (value < 9.9995)
        return text("%.3f", value);
    return human_mean(value);
}

/* With so many digits, or so many more that what is shown lies on the value's side of 5 %. */
static struct human beside_level(bool fixed, int digits, double value)
{
    enum { MOST_DIGITS = 17 };
    const double level = 0.05;
    struct human human;
    double shown;
    do {
        human = fixed ? text("%.*f", digits, value) : text("%.*g", digits, value);
        digits++;
        shown = strtod(human.text, NULL);
    } while (digits <= MOST_DIGITS && value != level &&
             (shown == level || (shown < level) != (value < level)));
    return human;
}

struct human human_p(double value)
{
    if (isnan(value))
        return text("-");
    if (value < 1e-300)
        return text("< 1e-300");
    return value < 0.0001 ? text("%.1e", value) : beside_level(true, 4, value);
}

struct human human_p_brief(double value)
{
    return beside_level(false, 2, value);
}

static struct human three_digits(double value, const char *unit)
{
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return text("%.*f %s", decimals, value, unit);
}

struct human human_seconds(double seconds)
{
    if (isinf(seconds))
        return text("unsolved");
    if (isnan(seconds))
        return text("-");
    if (seconds < 0.9995e-3)
        return three_digits(seconds * 1e6, "us");
    if (seconds < 0.9995)
        return three_digits(seconds * 1e3, "ms");
    return three_digits(seconds, "s");
}

struct human human_bytes(double bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    if (isinf(bytes))
        return text("unsolved");
    if (isnan(bytes))
        return text("-");
    if (bytes < 1024)
        return text("%.0f B", bytes);
    size_t unit = 0;
    for (bytes /= 1024; bytes >= 1024 && unit < 2; unit++)
        bytes /= 1024;
    return three_digits(bytes, units[unit]);
}
