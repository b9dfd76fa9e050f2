// IDA* with Manhattan distance. Right? tilelab verify solver --persistent -- java Solver.java
public class Solver {
  static int far(int a, int b, int w) { return Math.abs(a % w - b % w) + Math.abs(a / w - b / w); }
  public static void main(String[] arguments) {
    for (var in = new java.util.Scanner(System.in); in.hasNextInt();) { // board after board
      int w = in.nextInt(), n = w * in.nextInt(), left = 0, odd = 0, expanded = 0, generated = 1;
      int blank = 0, g = 0, board[] = new int[2 * n], at[] = new int[n], path[] = new int[999];
      for (int i = 0; i < 2 * n; i++) at[board[i] = in.nextInt()] = i - n; // each tile in the goal
      for (int i = n; i-- > 0;) if (board[i] == 0) blank = i; else left += far(i, at[board[i]], w);
      for (int i = n; i-- > 0;) for (int j = i; j-- > 0;) if (at[board[j]] > at[board[i]]) odd++;
      for (int i = 0, limit = left; left > 0 && (odd + limit) % 2 == 0; i++) { // try i; 4: go back
        if (i == 4 && g == 0) { limit += 2; expanded++; i = 0; } // no path is so short: anew
        int last = g > 0 ? path[g] : 9, to = blank + new int[] {-w, -1, 1, w}[i < 4 ? i : 3 - last];
        if (i < 4 && (to < 0 || to >= n || far(blank, to, w) > 1 || i + last == 3)) continue;
        int tile = board[to], next = left - far(to, at[tile], w) + far(blank, at[tile], w);
        if (i < 4 && generated++ > 0 && g + 1 + next > limit) continue;
        board[blank] = tile; blank = to; left = next;
        if (i < 4) { path[++g] = i; i = -1; expanded++; } else { g--; i = last; }
      }
      System.out.print(left > 0 ? "status: unsolvable" : "moves: ");
      for (int i = 1; i <= g; i++) System.out.print("ULRD".charAt(path[i]));
      System.out.printf("%nexpanded: %d%ngenerated: %d%n%n", expanded, generated);
    }
  }
}
