#include "idastar/resume.h"
#include "base/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What is in the file before the rounds and the path; after them comes a hash of all. */
struct saved {
    char magic[8];
    uint64_t run; /* run_of */
    struct board start, goal;
    struct statistics statistics;
    double wall_seconds, cpu_seconds; /* that the search took so far */
    uint64_t round_count;
    uint64_t root, before;
    uint32_t threshold, above, root_g, g;
    struct walkers_place place;
};

static const char magic[] = "idastar3";

/* Which run a file is of: a hash of its name, as a copy under another one is of another search. */
static uint64_t run_of(const struct checkpoint *checkpoint)
{
    const char *name = file_name(checkpoint->path);
    return XXH3_64bits(name, strlen(name));
}

/* Where the parts lie in the file, and the bytes of all without the hash. */
static size_t rounds_at(void)
{
    return sizeof(struct saved);
}
static size_t path_at(const struct saved *saved)
{
    return rounds_at() + saved->round_count * sizeof(struct search_round);
}
static size_t bytes_of(const struct saved *saved)
{
    return path_at(saved) + (saved->g + UINT64_C(1)) * sizeof(struct visit);
}

void round_save(struct round *round, const struct walkers_place *place)
{
    struct search *search = round->search;
    const struct checkpoint *checkpoint = search->limits.checkpoint;
    struct saved saved;
    memset(&saved, 0, sizeof saved);
    memcpy(saved.magic, magic, sizeof saved.magic);
    saved.run = run_of(checkpoint);
    saved.start = search->task->start;
    saved.goal = search->task->goal;
    saved.statistics = search->statistics;
    saved.statistics.peak_bytes = search->arena.peak;
    saved.wall_seconds = clock_wall() - search->begun;
    saved.cpu_seconds = clock_seconds(search->cpu_clock) - search->cpu_begun;
    saved.round_count = search->round_count;
    saved.root = round->root;
    saved.before = round->before;
    saved.root_g = round->root_g;
    saved.threshold = round->threshold;
    saved.above = round->above;
    saved.g = round->enode.g;
    saved.place = *place;
    const size_t bytes = bytes_of(&saved);
    /* No part of the search, and not counted as one. */
    char *whole = arena_keep(&search->arena, NULL, bytes + sizeof(XXH64_hash_t));
    if (whole != NULL) {
        memcpy(whole, &saved, sizeof saved);
        if (saved.round_count > 0)
            memcpy(whole + rounds_at(), search->rounds, path_at(&saved) - rounds_at());
        memcpy(whole + path_at(&saved), round->path, bytes - path_at(&saved));
        const XXH64_hash_t hash = XXH3_64bits(whole, bytes);
        memcpy(whole + bytes, &hash, sizeof hash);
        file_write(checkpoint->path, whole, bytes + sizeof hash);
        free(whole);
    }
    search->paused = false;
    /* If nothing came of the last wait, as all that it counted was counted in vain, the next ones
     * are longer. */
    if (search->statistics.expanded == round->saved_expanded)
        search->checkpoint_wait *= 2;
    round->saved_expanded = search->statistics.expanded;
    search->checkpoint_at = clock_wall() + search->checkpoint_wait;
}

/* The contents of the file, if they are whole and of this search; arena_keep. */
static char *read_saved(const struct round *round, struct saved *saved)
{
    struct search *search = round->search;
    const char *why;
    FILE *file = file_open_own(search->limits.checkpoint->path, &why);
    XXH64_hash_t hash;
    char *whole = NULL;
    if (file == NULL)
        return NULL;
    bool fine = fread(saved, sizeof *saved, 1, file) == 1 &&
                memcmp(saved->magic, magic, sizeof saved->magic) == 0 &&
                saved->run == run_of(search->limits.checkpoint) &&
                saved->round_count <= MAX_ROUNDS && saved->g <= saved->threshold &&
                saved->threshold < INT32_MAX && saved->before == round->before &&
                board_equal(&saved->start, &search->task->start) &&
                board_equal(&saved->goal, &search->task->goal);
    const size_t bytes = fine ? bytes_of(saved) : 0;
    if (fine)
        whole = arena_keep(&search->arena, NULL, bytes);
    if (whole != NULL) {
        memcpy(whole, saved, sizeof *saved);
        fine = fread(whole + sizeof *saved, bytes - sizeof *saved, 1, file) == 1 &&
               fread(&hash, sizeof hash, 1, file) == 1 && hash == XXH3_64bits(whole, bytes);
    }
    fclose(file);
    if (!fine) {
        free(whole);
        whole = NULL;
    }
    return whole;
}

/* Goes from the root to the node at the end of the path. */
static void follow_path(struct round *round, unsigned g)
{
    struct enode *enode = &round->enode;
    const struct pruning *pruning = round->search->pruning;
    if (pruning != NULL)
        round->contexts[round->root_g] =
            root_context(pruning, enode->board.blank, round->path[round->root_g].undo);
    for (unsigned i = round->root_g + 1; i <= g; i++) {
        const unsigned move = move_undo(round->path[i].undo);
        if (pruning != NULL)
            round->contexts[i] = context_after(pruning, round->contexts[i - 1], move);
        board_slide(&enode->board, round->search->operators.target[enode->board.blank][move]);
    }
    enode->g = g;
    enode->h = round->path[g].h;
    enode->undo = round->path[g].undo;
    if (pruning != NULL)
        enode->context = round->contexts[g] & MAX_CONTEXTS;
}

bool round_restore(struct round *round, const struct idastar_roots *roots, uint64_t levels,
                   struct walkers_place *place)
{
    struct search *search = round->search;
    struct saved saved;
    char *whole = read_saved(round, &saved);
    if (whole == NULL)
        return false;
    const size_t rounds_bytes = path_at(&saved) - rounds_at();
    const uint64_t wanted = saved.threshold + UINT64_C(1);
    const bool has_path = wanted <= levels || round_make_path(round, &search->arena, wanted);
    struct search_round *rounds = arena_keep(&search->arena, search->rounds, rounds_bytes);
    const bool fine = has_path && rounds != NULL;
    if (rounds != NULL)
        search->rounds = rounds;
    if (fine) {
        memcpy(rounds, whole + rounds_at(), rounds_bytes);
        memcpy(round->path, whole + path_at(&saved), bytes_of(&saved) - path_at(&saved));
        search->round_count = saved.round_count;
        search->statistics = saved.statistics;
        raise_to(&search->arena.peak, saved.statistics.peak_bytes);
        search->begun -= saved.wall_seconds;
        search->cpu_begun -= saved.cpu_seconds;
        if (search->deadline > 0)
            search->deadline -= saved.wall_seconds;
        if (search->cpu_deadline > 0)
            search->cpu_deadline -= saved.cpu_seconds;
        search->earlier = saved.wall_seconds;
        search->earlier_cpu = saved.cpu_seconds;
        round->threshold = saved.threshold;
        round->above = saved.above;
        round->root = saved.root;
        round->root_g = saved.root_g;
        *place = saved.place;
        if (roots != NULL)
            roots->node(roots->context, saved.root, &round->enode);
        follow_path(round, saved.g);
    }
    free(whole);
    return fine;
}

bool round_resumes(struct round *round)
{
    struct search *search = round->search;
    const struct checkpoint *checkpoint = search->limits.checkpoint;
    if (checkpoint == NULL || search->limits.split != NULL || round->table != NULL ||
        round->counts_all || search->observer != NULL)
        return false;
    round->before = search->statistics.generated;
    search->checkpoint_wait = checkpoint->seconds;
    search->checkpoint_at = clock_wall() + search->checkpoint_wait;
    return true;
}
