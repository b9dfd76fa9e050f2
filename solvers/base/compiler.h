/* Names for what the code asks of the compiler. */
#pragma once

/* Always inlined: lets a caller's constants (board packing, option values) fold into the body.
 * Without optimisation nothing folds and the copies would only cost compile time and memory:
 * minutes and gigabytes for a large subtree counter with sanitizers. */
#ifdef __OPTIMIZE__
#define KERNEL static inline __attribute__((always_inline))
#else
#define KERNEL static inline
#endif

/* Never inlined: one copy, called. */
#define CALLED __attribute__((noinline))

/* Never inlined and seldom called: the code that calls it is made for the case that it is not. */
#define SELDOM __attribute__((noinline, cold))

/* The compiler may assume that the condition is true. */
#define ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* The function takes a printf format as argument number TEXT and its values from number FIRST. */
#define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))
