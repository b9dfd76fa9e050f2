// A* with Manhattan distance. Is it right? tilelab verify solver --optimal -- node my_astar.js
const [w, h, ...tiles] = require("fs").readFileSync(0, "utf8").match(/\d+/g).map(Number);
const start = tiles.slice(0, w * h), goal = tiles.slice(w * h), home = (tile) => goal.indexOf(tile);
const far = (a, b) => Math.abs(a % w - b % w) + Math.abs(Math.floor(a / w) - Math.floor(b / w));
const estimate = (board) => board.reduce((sum, tile, i) => sum + (tile && far(i, home(tile))), 0);
const inversions = start.flatMap((a, i) => start.slice(i).filter((b) => home(b) < home(a))).length;
const solvable = goal.length === w * h && (inversions + estimate(start)) % 2 === 0;
const live = [[[start, "", start.indexOf(0)]]], shortest = new Map([[`${start}`, 0]]); // live[f]
let f = 0, expanded = 0, generated = 1, board = start, path = "", blank;
while (solvable && `${board}` !== `${goal}`) {
    while (!live[f]?.length) f++;
    [board, path, blank] = live[f].pop();
    if (`${board}` === `${goal}` || path.length > shortest.get(`${board}`)) continue;
    expanded++;
    for (const [i, to] of [blank - w, blank - 1, blank + 1, blank + w].entries()) {
        if (!(to in board) || far(blank, to) > 1 || path.endsWith("DRLU"[i])) continue;
        const child = board.map((tile, i) => i === to ? 0 : i === blank ? board[to] : tile);
        generated++;
        if (shortest.get(`${child}`) <= path.length + 1) continue;
        shortest.set(`${child}`, path.length + 1);
        (live[path.length + 1 + estimate(child)] ??= []).push([child, path + "ULRD"[i], to]);
    }
}
console.log(solvable ? `moves: ${path}` : "status: unsolvable");
console.log(`expanded: ${expanded}\ngenerated: ${generated}`);
