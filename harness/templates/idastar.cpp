// IDA* with Manhattan distance: g++ -O2 -o mine mine.cpp; tilelab verify solver --optimal -- ./mine
#include <iostream>
#include <string>
int main() {
    for (int w, h; std::cin >> w >> h;) { // board after board: the board, then the goal
        int n = w * h, board[72], home[36], step[] = {-w, -1, 1, w}; // up, left, right, down
        auto far = [w](int a, int b) { return std::abs(a % w - b % w) + std::abs(a / w - b / w); };
        long left = 0, odd = 0, blank = 0, expanded = 0, generated = 1;
        for (int i = 0; i < 2 * n && std::cin >> board[i]; i++) home[board[i]] = i - n;
        for (int i = 0; i < n; i++) if (board[i]) left += far(i, home[board[i]]); else blank = i;
        for (int i = n; i--;) for (int j = i; j--;) odd += home[board[j]] > home[board[i]];
        std::string path = " ", moves = "ULRD"; // moves[3 - i] undoes moves[i]
        for (int i = 0, limit = left; left > 0 && (odd + limit) % 2 == 0; i++) { // try moves[i]
            if (i == 4 && path == " ") limit += 2, expanded++, i = 0; // none is so short: anew
            int last = moves.find(path.back()), to = blank + step[i < 4 ? i : 3 - last]; // or back
            if (i < 4 && (to < 0 || to >= n || far(blank, to) > 1 || last == 3 - i)) continue;
            int tile = board[to], next = left - far(to, home[tile]) + far(blank, home[tile]);
            if (i < 4 && ++generated && int(path.size()) + next > limit) continue;
            board[blank] = tile, blank = to, left = next;
            if (i < 4) path += moves[i], i = -1, expanded++; else i = last, path.pop_back();
        }
        std::cout << (left > 0 ? "status: unsolvable" : "moves: " + path.substr(1)) << std::endl;
        std::cout << "expanded: " << expanded << "\ngenerated: " << generated << "\n" << std::endl;
    }
}
