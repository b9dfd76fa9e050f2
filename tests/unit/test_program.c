/* External solvers, good and hostile: each run has its status and its message, and leaves no
 * process. */
#include "base/clock.h"
#include "harness/external/process_tree.h"
#include "harness/external/program.h"
#include "harness/results/version.h"
#include "tests/folder.h"
#include "tests/support.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#define GOAL    "1 2 3 4 5 6 7 8 0"
#define START   "1 2 3 4 5 6 0 7 8"
#define SECONDS 200.0 /* where nothing is to wait for it */

static struct programs *programs;
static volatile sig_atomic_t interrupted;

/* A program of the test, and what became of its run. */
static struct external external;
static char *words[5];
static struct limits limits;
static struct result result;
static struct answer answer;

/* Descendants of this process: none may be left, and none be waited for. */
static void check_nothing_left(void)
{
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static int start(UNUSED void **state)
{
    programs = programs_start();
    limits = (struct limits){.seconds = SECONDS, .interrupted = &interrupted};
    interrupted = 0;
    return 0;
}

static int end(UNUSED void **state)
{
    programs_end(programs);
    result_end(&result);
    answer_end(&answer);
    check_nothing_left();
    return 0;
}

static void use(const char *interpreter, const char *text)
{
    static char path[sizeof folder + 16];
    snprintf(path, sizeof path, "%s/program", folder);
    write_text(path, text);
    const bool python = strcmp(interpreter, "python3") == 0;
    size_t count = 0;
    words[count++] = (char *)(uintptr_t)interpreter;
    if (python)
        words[count++] = "-IS"; /* which starts faster */
    words[count++] = path;
    words[count] = NULL;
    external = (struct external){.words = words, .word_count = count, .folder = folder};
}

static void ask_program(struct external *asked)
{
    const struct task task = {board_of(START), board_of(GOAL), DEFAULT_ORDER};
    result_end(&result);
    answer_end(&answer);
    const struct question question = {&task, &limits, 1, 1, 1, COST_unit};
    programs_ask(programs, asked, &question, &result, &answer);
}

static void ask(void)
{
    ask_program(&external);
}

static void use_once(const char *interpreter, const char *text)
{
    use(interpreter, text);
    ask();
}

static void check_message(const char *part)
{
    if (answer.message == NULL || strstr(answer.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, answer.message == NULL ? "" : answer.message);
    assert_true(text_is_printable(answer.message));
}

static void check_crash(const char *part)
{
    assert_string_equal(status_rows[result.status].name, "crashed");
    assert_null(result.moves);
    check_message(part);
}

static void check_status(enum status status)
{
    if (result.status != status)
        fail_msg("%s: %s", status_rows[result.status].name,
                 answer.message == NULL ? "" : answer.message);
}

static void check_solved(const char *moves)
{
    check_status(STATUS_solved);
    assert_string_equal(result.moves, moves);
    assert_int_equal(result.length, strlen(moves));
    assert_null(answer.message);
}

/* One-shot programs. */

TEST(test_answers)
{
    use_once("sh",
             "pwd > cwd; cat > input; echo 'moves: RR'; echo 'expanded: 43'; echo 'note: good'; "
             "sleep .1");
    check_solved("RR");
    assert_int_equal(result.statistics.expanded, 43);
    assert_string_equal(answer.extra, "{\"note\":\"good\"}");
    assert_true(result.wall_seconds > 0 && result.wall_seconds < SECONDS);
    assert_true(result.cpu_seconds > 0 && result.cpu_seconds < SECONDS);
    assert_true(result.statistics.peak_bytes > 100000 && result.statistics.peak_bytes < 1 << 26);
    char text[128] = "";
    SCOPED_BY(stream_end) FILE *file = fopen(text_of("%s/input", folder), "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    assert_string_equal(text, "3 3\n1 2 3\n4 5 6\n0 7 8\n\n1 2 3\n4 5 6\n7 8 0\n");
}

TEST(test_arguments)
{
    use("sh", "test \"$1\" = '1 2 3 4 5 6 0 7 8' && echo moves: RR");
    words[2] = (char *)(uintptr_t) "{board}";
    words[3] = NULL;
    external.word_count = 3;
    ask();
    check_solved("RR");
}

/* Exit code 3 is that of `tilelab solve` without a solution. */
TEST(test_exit_code_3)
{
    use_once("sh", "echo 'status: unsolvable'; exit 3");
    check_status(STATUS_unsolvable);
}

TEST(test_wrong_exit_code)
{
    use_once("sh", "echo 'moves: RR'; echo first >&2; echo 'second line' >&2; exit 7");
    check_crash("exit code 7: first | second line");
}

TEST(test_signal)
{
    use_once("sh", "echo 'moves: RR'; kill -SEGV $$");
    check_crash("signal 11");
}

/* Who sent it is not known, but it was not this process. */
TEST(test_killed_from_outside)
{
    use_once("sh", "echo 'moves: RR'; kill -9 $$");
    check_status(STATUS_lost);
    assert_non_null(strstr(answer.message, "signal 9"));
}

TEST(test_half_an_answer)
{
    use_once("sh", "printf 'expanded: 4\\nmoves: R'; exit 9");
    check_crash("exit code 9");
    use_once("sh", "echo 'expanded: 4'");
    check_crash("no answer");
}

TEST(test_garbage)
{
    use_once("sh", "head -c 100000 /bin/sh; printf 'why \\033[31m\\377' >&2");
    check_crash("why ?[31m?");
}

TEST(test_no_output)
{
    use_once("sh", "exit 0");
    check_crash("no answer");
}

TEST(test_no_program)
{
    use_once("no-such-program", "");
    check_crash("no-such-program cannot be started: No such file or directory");
    use("sh", "");
    external.folder = (char *)(uintptr_t) "/no/such/folder";
    ask();
    check_crash("its folder /no/such/folder cannot be entered");
}

static void check_time_limit(void)
{
    check_status(STATUS_time_limit);
    assert_true(result.wall_seconds >= limits.seconds);
}

TEST(test_hangs)
{
    limits.seconds = 0.1;
    use_once("sh", "trap '' TERM INT HUP; while :; do :; done");
    check_time_limit();
    assert_true(result.cpu_seconds > 0);
    assert_null(result.moves);
    limits.seconds = 0.4; /* time to print a line on a busy machine */
    use_once("sh",
             "echo 'moves: RR'; exec sleep 1000"); /* complete only at its end: the best so far */
    check_time_limit();
    assert_string_equal(result.moves, "RR");
    use_once("sh", "echo 'moves: RRLR'; echo 'moves: RD'; printf 'moves: RR'; exec sleep 1000");
    check_time_limit();
    assert_string_equal(result.moves, "RRLR"); /* of whole lines, what leads to the goal */
    assert_int_equal(result.incumbent_count, 1);
    use_once("sh", "echo 'moves: RR'; exec >&-; exec 2>&-; exec sleep 1000");
    check_time_limit();
}

TEST(test_closed_ends)
{
    use_once("sh", "exec <&-; sleep 0.05; echo 'moves: RR'");
    check_solved("RR");
    use_once("sh", "echo 'moves: RR'; exec >&-; exec 2>&-; sleep 0.05");
    check_solved("RR");
}

TEST(test_interrupt)
{
    use("sh", "exec sleep 1000");
    interrupted = 1;
    ask();
    check_status(STATUS_interrupted);
}

static void note_alarm(int signal)
{
    interrupted = signal;
}

/* A scheduler signals every process of a job: the program may be the first to get it. */
TEST(test_interrupt_of_all)
{
    static const char *const ends[] = {"kill -TERM $$", "kill -USR1 $$", "exit 143",
                                       "echo status: time_limit; kill -TERM $$"};
    const struct itimerval soon = {.it_value.tv_usec = 100000};
    signal(SIGALRM, note_alarm);
    for (unsigned i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
        use("sh", ends[i / 2]);
        external.persistent = i % 2 == 1;
        interrupted = 0;
        setitimer(ITIMER_REAL, &soon, NULL);
        ask();
        check_status(STATUS_interrupted);
        assert_null(answer.message);
    }
    /* Nobody else was to end: a crash. */
    interrupted = 0;
    use_once("sh", "kill -TERM $$");
    check_crash("signal 15");
}

/* A program that prints for ever costs neither memory nor time. */
TEST(test_floods)
{
    use_once("sh", "yes");
    check_crash("more than 16 MiB of output");
    use_once("sh", "yes | head -c 5000000 >&2; echo last >&2; echo moves: RR");
    check_solved("RR");
    use_once("sh", "yes | head -c 300000 >&2; echo last >&2; exit 9");
    check_crash("| last");
    assert_true(strlen(answer.message) < 8000);
}

TEST(test_memory)
{
    static const char eater[] = "import time\nkept = []\n"
                                "for i in range(256):\n"
                                "    kept.append(bytearray(b'x') * (4 << 20)); time.sleep(.001)\n"
                                "time.sleep(1000)\n";
    limits.bytes = 64 << 20;
    use_once("python3", eater);
    check_status(STATUS_memory_limit);
    assert_true(result.statistics.peak_bytes > limits.bytes);
    assert_true(result.statistics.peak_bytes < UINT64_C(2) << 30);
    /* Two processes that share what they hold: it counts once. */
    use_once("python3", "import os, time\nkept = b'x' * (40 << 20)\nchild = os.fork()\n"
                        "time.sleep(.5)\nif child: os.wait(); print('moves: RR')\n");
    check_solved("RR");
    assert_true(result.statistics.peak_bytes > 40 << 20);
}

/* The peak of a program that this process had no time to see is not known. The program stops it,
 * and leaves someone who lets it go on; it holds more than the program, so that the system's peak
 * says nothing. On a busy machine it may have had the time before it was stopped, but not each
 * time. */
TEST(test_memory_unseen)
{
    enum { HELD = 100 << 20, TRIES = 10 };
    SCOPED char *held = heap_take(HELD, 1);
    bool known = true;
    memset(held, 1, HELD);
    use("sh",
        "(sleep .2; until grep -q zombie /proc/$$/status; do sleep .05; done; kill -CONT $PPID) "
        ">/dev/null 2>&1 & kill -STOP $PPID; echo 'moves: RR'");
    for (int i = 0; i < TRIES && known; i++) {
        ask();
        check_solved("RR");
        assert_true(result.wall_seconds > 0.1);
        for (unsigned counter = 0; counter < COUNTERS; counter++)
            if (strcmp(counters[counter].name, "peak_bytes") == 0)
                known = (answer.known & 1U << counter) != 0;
        assert_true(known == (result.statistics.peak_bytes > 0));
    }
    assert_false(known);
}

/* What this process holds is not the program's, however the new process comes to be it. */
TEST(test_memory_of_the_parent)
{
    enum { HELD = 100 << 20, RUNS = 15 };
    SCOPED char *held = heap_take(HELD, 1);
    memset(held, 1, HELD);
    limits.bytes = HELD / 2;
    use("sh", "echo 'moves: RR'");
    for (int i = 0; i < RUNS; i++) {
        ask();
        check_solved("RR");
        assert_true(result.statistics.peak_bytes < HELD / 4);
        for (unsigned counter = 0; counter < COUNTERS; counter++)
            if (strcmp(counters[counter].name, "peak_bytes") == 0)
                assert_true(result.wall_seconds > 0.04 ||
                            (answer.known & 1U << counter) == 0); /* it was hardly seen */
    }
}

/* The peak of a program begins with that of this process, which begins anew before each start. */
TEST(test_memory_that_the_parent_held_before)
{
    enum { HELD = 200 << 20, KIBIBYTE = 1024 };
    char text[4096];
    unsigned long peak = 0;
    unsigned long now = 0;
    /* Not from the heap, which keeps freed memory where a sanitizer watches it. */
    char *held =
        mmap(NULL, HELD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    assert_ptr_not_equal(held, MAP_FAILED);
    munmap(held, HELD);
    use_once("sh", "echo 'moves: RR'");
    check_solved("RR");
    assert_true(process_read(getpid(), "status", text, sizeof text));
    sscanf(strstr(text, "\nVmHWM:"), "\nVmHWM: %lu", &peak);
    sscanf(strstr(text, "\nVmRSS:"), "\nVmRSS: %lu", &now);
    assert_in_range(peak, 1, now + HELD / KIBIBYTE / 2);
}

/* A bomb of more processes than it may have, and a small one that gets away and spins. */
TEST(test_fork_bombs)
{
    static char *bomb[] = {"/proc/self/exe", "bomb", NULL};
    use("sh", "");
    external.words = bomb;
    ask();
    check_crash("more than 1000 processes");
    bomb[1] = "spin";
    ask();
    check_solved("RR");
}

/* One whose processes all start others and compute: it ends at once where this process may go
 * first. */
TEST(test_exponential_bombs)
{
    static char *bomb[] = {"/proc/self/exe", "burst", NULL, NULL};
    /* Tests beside this one could start no process; and where the watch has no priority it takes
     * its time. */
    if (getenv("TILELAB_LONG") == NULL || geteuid() != 0 || build_sanitizers[0] != '\0')
        skip();
    use("sh", "");
    external.words = bomb;
    external.word_count = 3;
    limits.seconds = 10;
    for (int i = 0; i < 2; i++) {
        bomb[2] = i == 0 ? "group" : "sessions";
        const double begun = clock_wall();
        ask();
        check_crash("more than 1000 processes");
        assert_true(clock_wall() - begun < 8);
        check_nothing_left();
    }
}

/* Programs get a limit of processes above what the user has already. */
TEST(test_limit_of_processes)
{
    struct rlimit own;
    getrlimit(RLIMIT_NPROC, &own);
    use_once("python3", "import resource\nprint('status: stuck')\n"
                        "print('tasks:', resource.getrlimit(resource.RLIMIT_NPROC)[0])\n");
    check_status(STATUS_stuck);
    const char *said = answer.extra == NULL ? NULL : strstr(answer.extra, "\"tasks\":");
    assert_non_null(said);
    const long tasks = strtol(said + strlen("\"tasks\":"), NULL, 10);
    assert_true(own.rlim_cur <= MOST_TASKS ? (rlim_t)tasks == own.rlim_cur : tasks > MOST_TASKS);
    assert_true(tasks < 20 * MOST_TASKS);
}

TEST(test_daemons)
{
    use_once("sh",
             "(setsid sh -c 'sleep 1000 & exec sleep 1000' >/dev/null 2>&1 &); echo 'moves: RR'");
    check_solved("RR");
    check_nothing_left();
    use_once("sh", "(setsid sleep 1000 &); echo 'moves: RR'"); /* it holds our pipes */
    check_solved("RR");
    check_nothing_left();
}

/* The processor time of children counts, whoever waits for them. */
TEST(test_processor_time)
{
    use_once("python3",
             "import os, time\n"
             "child = os.fork()\n"
             "if child == 0:\n"
             "    while time.process_time() < .15: pass\n"
             "    os._exit(0)\n"
             "os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)\nprint('moves: RR')\n");
    check_solved("RR");
    assert_true(result.cpu_seconds > 0.15);
}

/* What this process lowered for itself is not lowered for the program. */
TEST(test_limits_of_the_process)
{
    struct rlimit before;
    getrlimit(RLIMIT_CPU, &before);
    struct rlimit lower = {.rlim_cur = 12345, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_CPU, &lower);
    use_once("sh",
             "echo 'status: stuck'; echo \"cpu: $(ulimit -St)\"; echo \"core: $(ulimit -c)\"");
    setrlimit(RLIMIT_CPU, &before);
    check_status(STATUS_stuck);
    assert_null(strstr(answer.extra, "12345"));
    assert_non_null(strstr(answer.extra, "\"core\":0"));
}

/* Persistent programs. */

static const char counting[] = "import sys, os\n"
                               "board = 0\nlines = []\n"
                               "for line in sys.stdin:\n"
                               "    lines.append(line)\n"
                               "    if len(lines) < 8: continue\n"
                               "    lines = []\n"
                               "    board += 1\n"
                               "    if board == DEATH: os._exit(5)\n"
                               "    print('moves: RR'); print('board:', board)\n"
                               "    print('process:', os.getpid()); print(flush=True)\n";

static void use_counting(const char *death)
{
    use("python3", text_of("DEATH = %s\n%s", death, counting));
    external.persistent = true;
}

static void check_board(int board)
{
    check_solved("RR");
    assert_non_null(strstr(answer.extra, text_of("\"board\":%d,", board)));
}

TEST(test_persistent)
{
    use_counting("0");
    for (int board = 2; board < 6; board++) { /* the first one is the warm-up */
        ask();
        check_board(board);
        assert_true(result.statistics.peak_bytes > 1 << 20);
    }
}

/* After a death the next board has a new process. */
TEST(test_persistent_dies)
{
    use_counting("3");
    for (int i = 0; i < 2; i++) {
        ask();
        check_board(2);
        ask();
        check_crash("it ended without an answer: exit code 5");
    }
    use_counting("1");
    ask();
    check_crash("at its first board, one move from the goal: it ended without an answer: exit code "
                "5");
}

TEST(test_persistent_is_late)
{
    use("sh", "n=0; while read -r line; do n=$((n + 1)); [ $((n % 8)) = 0 ] || continue\n"
              "[ $n = 16 ] && sleep 1000; echo 'moves: RR'; echo \"lines: $n\"; echo; done");
    external.persistent = true;
    limits.seconds = 0.1;
    for (int i = 0; i < 2; i++) {
        ask();
        check_time_limit();
    }
}

/* What was printed before a question is no answer to it, be it whole, begun or mere talk; empty
 * lines are none. The next board has a new process. */
TEST(test_persistent_answers_early)
{
    static const struct {
        const char *early, *said; /* NULL: nothing is wrong with it */
    } cases[] = {
        {"moves: RR\\nexpanded: 1\\n\\n", "it printed 'moves: RR' before it was given the board"},
        {"expanded: 1\\n", "it printed 'expanded: 1' before it was given the board"},
        {"next", "it printed 'next' before it was given the board"},
        {"\\n \\n", NULL},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = heap_format("n=0; while read -r line; do n=$((n + 1)); [ $((n %% 8)) = 0 ] || "
                                 "continue\nprintf 'moves: RR\nlines: %%s\n\n' $n\n"
                                 "[ $n = 16 ] && printf '%s'; touch %s/done-$n; done",
                                 cases[i].early, folder);
        SCOPED char *done = heap_format("%s/done-16", folder);
        use("sh", text);
        external.persistent = true;
        ask();
        check_solved("RR");
        while (access(done, F_OK) != 0) /* it waits for the next board */
            usleep(1000);
        ask();
        if (cases[i].said == NULL) {
            check_solved("RR");
            assert_string_equal(answer.extra, "{\"lines\":24}");
        } else {
            check_crash(cases[i].said);
            assert_true(result.statistics.expanded == 0);
        }
        unlink(done);
        ask();
        check_solved("RR");
        programs_end(programs);
        programs = programs_start();
        unlink(done);
        free(text);
    }
}

/* An answer that comes while nobody has read the question is none either. */
TEST(test_persistent_does_not_read)
{
    use("sh", "for i in 1 2 3 4 5 6 7 8; do read -r line; done\n"
              "printf 'moves: R\n\n'; sleep 0.3; printf 'status: unsolvable\n\n'; sleep 1000");
    external.persistent = true;
    ask();
    check_crash("before it "); /* had read any of the board; or was given it, on a slow machine */
    use("sh", "printf 'moves: R\n\n'; sleep 1000");
    external.persistent = true;
    ask();
    check_crash("at its first board, one move from the goal: it answered before it had read any of "
                "the board");
}

/* Two that wait at once, one that is asked between them, and what each left. */
TEST(test_several)
{
    static struct external first;
    static char *first_words[5];
    use_counting("0");
    memcpy(first_words, words, sizeof first_words);
    first = external;
    first.words = first_words;
    struct external second = first;
    for (int board = 2; board < 4; board++) {
        external = first;
        ask_program(&first);
        check_board(board);
        ask_program(&second);
        check_board(board);
        use("sh", "(setsid sleep 1000 &); echo 'moves: R'");
        external.persistent = false;
        ask();
        check_solved("R");
        use_counting("0");
    }
    /* The end of one is not that of the other. */
    interrupted = 1;
    ask_program(&first);
    interrupted = 0;
    ask_program(&second);
    check_board(4);
}

static struct external helped;
static char *helped_words[5];

/* Asks a persistent program, written down before, whose helper is a daemon. */
static void ask_helped(int alive)
{
    ask_program(&helped);
    check_solved("RR");
    const char *said = strstr(answer.extra, "\"helper\":");
    assert_non_null(said);
    assert_int_equal(strtol(said + strlen("\"helper\":"), NULL, 10), alive);
}

/* The helper of a persistent program is not of the next one's processes, be that a program of one
 * run or a persistent one. It is the first one's as long as that lives. */
TEST(test_helpers)
{
    enum { HELD = 60 << 20 };
    static const char helping[] = "import os, sys, time\n"
                                  "pipe = os.pipe()\n"
                                  "if os.fork() == 0:\n"
                                  "    os.setsid()\n"
                                  "    if os.fork() == 0:\n"
                                  "        kept = b'x' * (60 << 20)\n"
                                  "        os.write(pipe[1], str(os.getpid()).encode())\n"
                                  "        for end in 0, 1, 2: os.close(end)\n"
                                  "        time.sleep(1000)\n"
                                  "    os._exit(0)\n"
                                  "os.wait()\nhelper = int(os.read(pipe[0], 20))\n"
                                  "for number, line in enumerate(sys.stdin, 1):\n"
                                  "    if number % 8: continue\n"
                                  "    try: os.kill(helper, 0); alive = 1\n"
                                  "    except OSError: alive = 0\n"
                                  "    time.sleep(.1)\n"
                                  "    print('moves: RR\\nhelper:', alive, '\\n', flush=True)\n";
    use("python3", helping);
    external.persistent = true;
    helped = external;
    memcpy(helped_words, words, sizeof words);
    helped.words = helped_words;
    ask_helped(1);
    for (int i = 0; i < 2; i++) {
        limits.bytes = HELD / 2;
        if (i == 0)
            use("sh", "sleep .2; echo 'moves: RR'");
        else
            use("sh", "n=0; while read -r line; do n=$((n + 1)); [ $((n % 8)) = 0 ] || continue\n"
                      "sleep .2; echo 'moves: RR'; echo; done");
        external.persistent = i == 1;
        ask();
        check_solved("RR");
        assert_true(result.statistics.peak_bytes < HELD / 2);
        limits.bytes = 0;
        ask_helped(1);
        assert_true(result.statistics.peak_bytes > HELD);
    }
}

TEST(test_json)
{
    use("python3", "import sys, json\nfor line in sys.stdin:\n"
                   "    said = json.loads(line)\n"
                   "    print(json.dumps({'moves': 'RR', 'size': [said['width'], said['height']],"
                   " 'start': said['start'], 'goal': said['goal']}), flush=True)\n");
    external.persistent = external.json = true;
    ask();
    check_solved("RR");
    assert_string_equal(answer.extra,
                        "{\"size\":[3,3],\"start\":\"" START "\",\"goal\":\"" GOAL "\"}");
}

/* The program "bomb": more processes than it may have, which wait. */
_Noreturn static void bomb(void)
{
    for (int i = 0; i < 1100; i++)
        if (fork() == 0)
            break;
    sleep(60);
    exit(0);
}

/* The program "burst": each of its processes starts others, and computes, all in one group or each
 * in a session of its own. No more than 1900, for 20 s. */
_Noreturn static void burst(bool sessions)
{
    enum { MOST = 1900, ALARM = 20 };
    _Atomic int *begun =
        mmap(NULL, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (;;)
        if (begun != MAP_FAILED && *begun < MOST) {
            ++*begun;
            if (fork() == 0) {
                alarm(ALARM);
                if (sessions)
                    setsid();
            }
        }
}

/* The program "spin": thirty processes that get away and ignore all that can be ignored. */
static int spin(void)
{
    const struct rlimit second = {1, 1}; /* should nobody end them, they do not spin for ever */
    setrlimit(RLIMIT_CPU, &second);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int i = 0; i < 30; i++)
        if (fork() == 0) {
            setsid();
            for (;;)
                continue;
        }
    puts("moves: RR");
    return 0;
}

AROUND_EACH_TEST(start, end)
AROUND_ALL_TESTS(make_folder, remove_folder)

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "bomb") == 0)
        bomb();
    if (count > 2 && strcmp(arguments[1], "burst") == 0)
        burst(strcmp(arguments[2], "sessions") == 0);
    if (count > 1)
        return spin();
    return tests_run();
}
