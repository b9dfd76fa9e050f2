// IDA* with Manhattan distance: cc -O2 -o mine mine.c; tilelab verify solver --optimal -- ./mine
#include <stdio.h>
#include <stdlib.h>
int w, h, board[72], home[36], path[1000] = {9}; // path[1] .. path[g]: moves, see below
int far(int a, int b) { return abs(a % w - b % w) + abs(a / w - b / w); } // between two cells
int main(void) { // reads the board, then the goal, in which `home` is the cell of each tile
    if (scanf("%d %d", &w, &h) != 2) return 1;
    for (int i = 0; i < 2 * w * h && scanf("%d", &board[i]) == 1; i++) home[board[i]] = i - w * h;
    long left = 0, odd = 0, blank = 0, g = 0, expanded = 0, generated = 1;
    for (int i = 0; i < w * h; i++) if (board[i]) left += far(i, home[board[i]]); else blank = i;
    for (int i = 0; i < w * h; i++)
        for (int j = 0; j < i; j++) odd += home[board[j]] > home[board[i]];
    if ((odd + left) % 2) return puts("status: unsolvable") < 0;
    for (int i = 0, limit = left; left > 0; i++) { // try i: up, left, right, down, or (4) go back
        if (i == 4 && g == 0) limit += 2, expanded++, i = 0; // no path is so short: begin again
        int move = i < 4 ? i : 3 - path[g], to = blank + (int[]){-w, -1, 1, w}[move];
        if (i < 4 && (to < 0 || to >= w * h || far(blank, to) > 1 || path[g] == 3 - i)) continue;
        int tile = board[to], next = left - far(to, home[tile]) + far(blank, home[tile]);
        if (i < 4 && ++generated && g + 1 + next > limit) continue;
        board[blank] = tile, blank = to, left = next;
        if (i < 4) path[++g] = i, i = -1, expanded++; else i = path[g--];
    }
    for (int i = printf("moves: ") - 6; i <= g; i++) putchar("ULRD"[path[i]]);
    printf("\nexpanded: %ld\ngenerated: %ld\n", expanded, generated);
}
