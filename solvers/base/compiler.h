/* What the code asks of the compiler, named once. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

/* Always inlined: lets a caller's constants (board packing, option values) fold into the body.
 * Where nothing folds, as nothing is optimised, copies would only cost compilation: minutes and
 * gigabytes for a large subtree counter with sanitizers. */
#ifdef __OPTIMIZE__
#define KERNEL static inline __attribute__((always_inline))
#else
#define KERNEL static inline
#endif

/* Never inlined: one copy, called. */
#define CALLED __attribute__((noinline))

/* What the compiler may take for granted. */
#define ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* The function takes a printf format as argument number TEXT and its values from number FIRST. */
#define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))

#endif
