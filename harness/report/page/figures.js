/* Figures of the runs as the reader asks for them: what against what, of which boards and solvers. Their numbers are
 * those of `tilelab compare` and `plot`: a solver's repetitions on a board are one outcome (harness/analysis/results.h),
 * and an unsolved one is more than any cost. Points go to a canvas, as there may be 100,000; all else is SVG. */
"use strict";
(() => {
const {data, columns, extras, state, chooseRun, make, draw, wordNumber, wordOf, numberOf, solverOf, shown, counted, headingOf, hasValues, quantile} = window.Tilelab;
const section = document.getElementById("explore");
if (!section || !data.boards || data.count === 0)
  return;

/* Outcomes, by number: whose, of which board, of which runs, and how it ended */

const statusNames = Object.keys(data.statuses), kinds = Object.values(data.statuses), SOLVED = statusNames.indexOf("solved");
const statusColumn = columns.get("status"), statusPlaces = statusColumn.words.map(word => statusNames.indexOf(word));
const statusOf = run => statusPlaces[wordNumber(statusColumn, run)];
const boardCount = data.boards.length / 3;
/* Optimal lengths, or costs; and where these are drawn: in bins, as hardly two boards have the same cost. */
const [optima, drawnAt] = [1, 2].map(part => Float64Array.from({length: boardCount}, (_, board) => data.boards[3 * board + part] ?? NaN));
const blocks = []; /* of boards that are compared together: {name, optimum, word, first, end} */
for (const block of data.blocks)
  blocks.push({...block, first: blocks.at(-1)?.end ?? 0, end: (blocks.at(-1)?.end ?? 0) + block.count});
const same = name => blocks.every(block => block[name] === blocks[0][name]) ? blocks[0][name] : "length or cost";
const allSets = {name: "all sets", first: 0, end: boardCount, optimum: same("optimum"), word: same("word")};
const outcomes = {count: 0};
for (const name of ["solver", "board", "run", "first", "end", "status"])
  outcomes[name] = new Uint32Array(data.count);

function readOutcomes() {
  for (let board = 0, run = 0; board < boardCount; board++) {
    const end = run + data.boards[3 * board];
    while (run < end) {
      const first = run, solver = solverOf(run), own = outcomes.count;
      let named = run, attempts = 0, unsolved = Infinity;
      for (; run < end && solverOf(run) === solver; run++) {
        const status = statusOf(run);
        if (run > first && wordOf("run_id", run) < wordOf("run_id", named))
          named = run;
        attempts += kinds[status].counts ? 1 : 0;
        if (kinds[status].counts && status !== SOLVED && status < unsolved)
          unsolved = status;
      }
      outcomes.solver[own] = solver;
      outcomes.board[own] = board;
      outcomes.run[own] = named;
      outcomes.first[own] = first;
      outcomes.end[own] = run;
      outcomes.status[own] = unsolved === Infinity ? SOLVED : unsolved;
      if (attempts > 0 && optima[board] !== -1) /* the board can be solved */
        outcomes.count++;
    }
  }
}
readOutcomes();
const {solver: solverAt, board: boardAt, status: statusAt} = outcomes;
const steps = [...new Set(drawnAt)].filter(place => place >= 0).sort((a, b) => a - b), numbersOfSteps = new Map(steps.map((place, step) => [place, step]));
const stepOf = Uint16Array.from(drawnAt, place => numbersOfSteps.get(place) ?? steps.length); /* by board; the last: unknown */
/* What is made of a list is made once. */
const remember = make => {
  const made = new WeakMap();
  return (list, ...more) => made.get(list) ?? made.set(list, make(list, ...more)).get(list);
};
const logsOf = remember(values => values.map(Math.log));
const everyOutcome = new Uint32Array(outcomes.count).map((_, own) => own);
const firstBlock = blocks.find(block => outcomes.count === 0 || boardAt[0] < block.end); /* of which there is something to draw */

/* What each outcome took, or had spent in vain: the median of its runs; NaN where it is not known. Beside it the cost,
 * where what is unsolved is more than any. */
const known = new Map();
function valuesOf(metric) {
  if (known.has(metric))
    return known.get(metric);
  const spent = new Float64Array(outcomes.count), column = columns.get(metric), taken = [];
  for (let own = 0; own < outcomes.count; own++) {
    const solved = statusAt[own] === SOLVED;
    taken.length = 0;
    for (let run = outcomes.first[own]; run < outcomes.end[own]; run++) {
      const kind = kinds[statusOf(run)], value = column.numbers[wordNumber(column, run)];
      if (kind.counts && kind.solved === solved && value !== null && (solved || !["length", "cost"].includes(metric)))
        taken.push(value);
    }
    spent[own] = taken.length === 1 ? taken[0] : quantile(Float64Array.from(taken).sort(), 0.5);
  }
  known.set(metric, {spent, cost: spent.map((value, own) => statusAt[own] === SOLVED ? value : Infinity)});
  return known.get(metric);
}

/* By solver, the outcomes whose cost is known, from the least to the most, and these costs. Sorted by digits, the 16 bits
 * of numbers that are not negative, which takes a fifth of the time of comparing. */
function orderOf(metric) {
  const key = "order of " + metric, {cost} = valuesOf(metric), digits = new Uint16Array(cost.buffer);
  if (known.has(key))
    return known.get(key);
  let list = where(everyOutcome, own => !Number.isNaN(cost[own]));
  for (let digit = 0; digit < 4; digit++) {
    const ends = new Uint32Array(1 << 16), sorted = new Uint32Array(list.length);
    for (let i = 0; i < list.length; i++)
      ends[digits[4 * list[i] + digit]]++;
    if (ends[digits[4 * list[0] + digit]] === list.length) /* all have this one */
      continue;
    for (let i = 1; i < ends.length; i++)
      ends[i] += ends[i - 1];
    for (let i = list.length - 1; i >= 0; i--)
      sorted[--ends[digits[4 * list[i] + digit]]] = list[i];
    list = sorted;
  }
  known.set(key, parted(list, data.solvers.length, own => solverAt[own]).map(own => ({list: own, costs: pick(own, cost)})));
  return known.get(key);
}

/* What is asked for: words in the page's address. "hide" is that of the table of runs, too. */

const metrics = [...data.metrics, ...extras.filter(name => !data.metrics.some(metric => metric.name === name)).map(name => ({name, label: name}))]
  .filter(metric => columns.has(metric.name) && hasValues(metric.name));
const usual = metrics.find(metric => metric.name === data.metric) ?? metrics[0];
const PARAMETER = "param."; /* options of solvers: one value for all boards */
const parameters = [...new Set(data.solvers.flatMap(solver => Object.keys(solver.params)))].filter(name => new Set(data.solvers.map(solver => solver.params[name]).filter(value => value !== undefined)).size > 1);
const anyOptimum = optima.some(optimum => optimum >= 0);
const numbersIn = text => new Set(text.split(".").filter(word => word !== "").map(Number).filter(number => data.solvers[number]));
const acrossNames = [...(anyOptimum ? ["optimal"] : []), ...(columns.has("h_start") && hasValues("h_start") ? ["h_start"] : []),
                     ...parameters.map(name => PARAMETER + name), ...metrics.map(metric => metric.name), ...data.solvers.map((_, number) => "solver" + number)];

function asked() {
  const word = name => state.get("fig-" + name);
  const among = (value, values) => values.includes(value) ? value : values[0];
  const set = among(word("set") || state.get("tab"), [firstBlock.name, ...blocks.map(block => block.name), "all"]);
  const metric = metrics.find(own => own.name === word("y")) ?? usual, across = among(word("x"), acrossNames);
  const rival = across.startsWith("solver") ? Number(across.slice(6)) : -1;
  const brush = word("brush").split(",").map(number => number === "inf" ? Infinity : parseFloat(number));
  const parameter = across.startsWith(PARAMETER) ? across.slice(PARAMETER.length) : "";
  const block = blocks.find(own => own.name === set) ?? allSets;
  return {set, metric, across, rival, parameter, scale: among(word("scale"), ["", "log", "linear"]), scaleX: among(word("xscale"), ["", "log", "linear"]),
          block,
          hidden: numbersIn(state.get("hide")), marked: numbersIn(word("mark")), status: word("status"),
          brush: brush.length === 4 && !brush.some(Number.isNaN) ? brush : null, only: word("only") === "1",
          label: rival >= 0 ? `${metric.label} of ${data.solvers[rival].shown}` : across === "optimal" ? `optimal ${block.optimum}`
            : parameter || (metrics.find(own => own.name === across)?.label ?? headingOf(across))};
}

/* The view: the outcomes that pass the filters, and what the figures need of them */

/* Whether each solver reports the metric on every board of the block that it solved; where it does not, the others may
 * not be typical. */
function reporting(now, spent) {
  const key = `${now.metric.name} ${now.set}`;
  if (known.has(key))
    return known.get(key);
  const counts = data.solvers.map(() => ({there: 0, missing: 0, solved: 0}));
  for (let own = 0; own < outcomes.count; own++) {
    if (boardAt[own] < now.block.first || boardAt[own] >= now.block.end)
      continue;
    const count = counts[solverAt[own]], solved = statusAt[own] === SOLVED ? 1 : 0;
    count.solved += solved;
    if (Number.isNaN(spent[own]))
      count.missing += solved;
    else
      count.there++;
  }
  known.set(key, counts.map(({there, missing, solved}) => missing === 0 ? solved + there > 0 : there > 0 && now.metric.optional));
  return known.get(key);
}

/* By outcome, what stands on the other axis. */
function acrossValues(now) {
  if (metrics.some(metric => metric.name === now.across))
    return valuesOf(now.across).cost;
  const key = `by ${now.across} ${now.rival >= 0 ? now.metric.name : ""}`;
  if (known.has(key))
    return known.get(key);
  const across = new Float64Array(outcomes.count), rival = new Float64Array(boardCount).fill(NaN), {cost} = valuesOf(now.metric.name);
  for (let own = 0; now.rival >= 0 && own < outcomes.count; own++)
    if (solverAt[own] === now.rival)
      rival[boardAt[own]] = cost[own];
  for (let own = 0; own < outcomes.count; own++)
    across[own] = now.rival >= 0 ? (solverAt[own] === now.rival ? NaN : rival[boardAt[own]])
      : now.parameter ? data.solvers[solverAt[own]].params[now.parameter] ?? NaN : now.across === "optimal" ? optima[boardAt[own]] : numberOf("h_start", outcomes.first[own]) ?? NaN;
  known.set(key, across);
  return across;
}

/* The outcomes of a list that pass a test. */
function where(list, test) {
  const kept = new Uint32Array(list.length);
  let count = 0;
  for (let i = 0; i < list.length; i++)
    if (test(list[i]))
      kept[count++] = list[i];
  return count === list.length ? list : kept.subarray(0, count);
}
/* Outcomes, parted by groups; of each its number in the list, or with `places` its place there. */
function parted(list, groups, groupOf, places = false) {
  const group = new Uint16Array(list.length), sizes = new Uint32Array(groups);
  for (let i = 0; i < list.length; i++)
    sizes[group[i] = groupOf(list[i])]++;
  const parts = Array.from(sizes, size => new Uint32Array(size)), filled = new Uint32Array(groups);
  for (let i = 0; i < list.length; i++)
    parts[group[i]][filled[group[i]]++] = places ? i : list[i];
  return parts;
}
function pick(list, values) {
  const picked = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++)
    picked[i] = values[list[i]];
  return picked;
}
/* Of a solver's outcomes, with the costs that they are sorted by, those that pass a test. */
function narrow({list, costs}, cost, test) {
  const kept = where(list, test);
  return {list: kept, costs: kept === list ? costs : pick(kept, cost)};
}

/* What passes all filters but the brush; that of the last view is kept, as a brush moves often. */
let chosen = {};
function choose(now) {
  const key = JSON.stringify([now.set, now.metric.name, now.status, [...now.hidden]]);
  if (chosen.key === key)
    return chosen;
  const {spent, cost} = valuesOf(now.metric.name), reports = reporting(now, spent), {first, end} = now.block;
  const tried = new Uint32Array(boardCount), there = new Uint32Array(data.solvers.length), visible = data.solvers.map((_, number) => !now.hidden.has(number));
  const passing = statusNames.map(name => now.status === "" || now.status === name || (now.status === "unsolved" && name !== "solved"));
  const list = new Uint32Array(outcomes.count), passed = new Uint8Array(outcomes.count);
  let count = 0;
  for (let own = 0; own < outcomes.count; own++) {
    const board = boardAt[own], solver = solverAt[own];
    if (board < first || board >= end || !visible[solver])
      continue;
    there[solver]++;
    if (!reports[solver] || Number.isNaN(cost[own]))
      continue;
    tried[board]++;
    if (!passing[statusAt[own]])
      continue;
    list[count++] = own;
    passed[own] = 1;
  }
  const bySolver = orderOf(now.metric.name).map(sorted => narrow(sorted, cost, own => passed[own]));
  chosen = {key, points: list.subarray(0, count), bySolver, tried, there, reports};
  return chosen;
}

function viewOf(now) {
  const {spent, cost} = valuesOf(now.metric.name), x = acrossValues(now), {points: list, bySolver, tried, there, reports} = choose(now);
  const marked = new Uint8Array(boardCount), part = now.brush !== null && now.only, [left, right, low, high] = now.brush ?? [];
  for (let i = 0; now.brush && i < list.length; i++) {
    const own = list[i];
    if (cost[own] >= low && cost[own] <= high && x[own] >= left && x[own] <= right)
      marked[boardAt[own]] = 1;
  }
  const isBrushed = own => marked[boardAt[own]], points = part ? where(list, isBrushed) : list;
  const solvers = bySolver.map((sorted, number) => ({...data.solvers[number], number, ...(part ? narrow(sorted, cost, isBrushed) : sorted)}))
    .filter(own => own.list.length > 0);
  for (const own of solvers) {
    own.solved = own.costs.findLastIndex(value => value < Infinity) + 1;
    own.quartiles = [0, 0.25, 0.5, 0.75, 1].map(share => quantile(own.costs, share));
  }
  /* Twelve solvers are told apart by colours. Of more, those that are marked stand out, or else the baseline and the best. */
  const best = [...solvers].sort((a, b) => a.quartiles[2] - b.quartiles[2] || b.solved - a.solved).slice(0, 4).map(own => own.number);
  const lively = now.marked.size > 0 ? now.marked : new Set(solvers.length > 12 ? [data.baseline, ...best] : solvers.map(own => own.number));
  const all = reports.filter((own, number) => own && there[number] > 0).length; /* solvers */
  const shared = tried.map((times, board) => times > 0 && times === all && (!part || marked[board]) ? 1 : 0);
  return {now, points, x, cost, spent, solvers, lively, marked, shared, made: new Map(), brushed: now.brush !== null && !now.only,
          layers: [...solvers].sort((a, b) => lively.has(a.number) - lively.has(b.number)), /* the last is drawn on the others */
          lacking: data.solvers.filter((_, number) => there[number] > 0 && !reports[number]).map(own => own.shown)};
}

/* What two figures need of a list is made once for a view. */
function once(view, list, name, make) {
  const made = view.made.get(list) ?? view.made.set(list, {}).get(list);
  return made[name] ??= make();
}

/* Axes: finite values, zeros of a logarithmic one at half the least, and a margin for what is unsolved */

const MARGIN = 26, INSET = 8; /* pixels */
const short = d3.format("~s");
const powerOfTen = power => "10" + [...String(power)].map(sign => sign === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[sign]).join("");

/* Of the values of some outcomes all that an axis depends on. */
function extremes(list, values) {
  let low = Infinity, high = -Infinity, least = Infinity, most = -Infinity;
  for (let i = 0; i < list.length; i++) {
    const value = values[list[i]];
    low = value < low ? value : low;
    high = value > high && value < Infinity ? value : high;
    least = value > 0 && value < least ? value : least;
    most = value > most ? value : most;
  }
  return [low, high, least, most].filter(Number.isFinite).concat(most === Infinity ? most : []);
}
function axisOf(values, {scale = "", name = "", whole = false}, from, to, room) {
  let low = Infinity, high = -Infinity, least = Infinity, unsolved = 0;
  for (const value of values)
    if (value === Infinity) {
      unsolved++;
    } else if (!Number.isNaN(value)) {
      low = value < low ? value : low;
      high = value > high ? value : high;
      least = value > 0 && value < least ? value : least;
    }
  if (high === -Infinity)
    low = high = least = 1;
  const log = least < Infinity && (scale === "log" || (scale === "" && high / least >= 20)), zeroAt = log && low <= 0 ? least / 2 : NaN;
  low = zeroAt > 0 ? zeroAt : !log && low < high / 3 ? Math.min(low, 0) : low;
  const half = Math.max(1, Math.abs(low) / 1e9); /* beyond 2^53 one more is the same number */
  if (low === high)
    [low, high] = log ? [low / 2, high * 2] : [low - half, high + half];
  const way = Math.sign(to - from), start = from + way * INSET, end = to - way * (INSET + (unsolved > 0 ? MARGIN : 0));
  const own = (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range([start, end]), decades = Math.log10(high / low);
  let ticks = own.ticks(room);
  if (log && decades > 1) {
    const steps = decades < 2 ? [1, 2, 5] : [1], each = Math.max(1, Math.ceil(decades / room));
    ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      if (power % each === 0)
        ticks.push(...steps.map(step => step * 10 ** power).filter(tick => tick >= low && tick <= high));
  }
  const unit = name.endsWith("_s") ? "s" : name.endsWith("_bytes") ? "B" : "", powers = log && decades >= 2 && high >= 1e5;
  const bend = log ? Math.log : value => value, bent = bend(low), slope = (end - start) / (bend(high) - bent);
  const placed = value => value === Infinity ? to - way * MARGIN / 2 : value === -Infinity ? start : start + slope * (value - bent); /* of a bent value */
  return {own, ticks: whole ? ticks.filter(Number.isInteger) : ticks, log, zeroAt, unsolved, from, to,
          format: tick => powers ? powerOfTen(Math.round(Math.log10(tick))) : unit ? short(tick) + unit : high < 1e5 ? counted(tick) : short(tick),
          placed, at: value => placed(bend(value))};
}

/* Marks as paths, on a canvas and in SVG alike */

const around = (count, turn, ...reach) => Array.from({length: count}, (_, place) => {
  const angle = turn + 2 * Math.PI * place / count - Math.PI / 2, far = reach[place % reach.length];
  return [far * Math.cos(angle), far * Math.sin(angle)];
});
const cross = turn => around(12, turn + Math.PI / 12, 1.15, 1.15, 0.6);
const shapes = {o: around(14, 0, 1), s: around(4, Math.PI / 4, 1.25), "^": around(3, 0, 1.35), v: around(3, Math.PI, 1.35), "<": around(3, -Math.PI / 2, 1.35),
                ">": around(3, Math.PI / 2, 1.35), D: around(4, 0, 1.25), d: around(4, 0, 1.35, 0.8), p: around(5, 0, 1.15), h: around(6, 0, 1.15),
                "*": around(10, 0, 1.4, 0.6), P: cross(-Math.PI / 6), X: cross(Math.PI / 12)};

/* In grey, points differ by their marks alone: of solvers with one mark the later take others, while there are any. */
for (const [number, solver] of data.solvers.entries()) {
  const taken = data.solvers.slice(0, number).map(own => own.mark), free = Object.keys(shapes).find(mark => !data.solvers.some(own => own.mark === mark));
  if (taken.includes(solver.mark))
    solver.mark = free ?? solver.mark;
}
function trace(path, shape, x, y, size) {
  if (shape === "")
    path.rect(x - size, y - size, 2 * size, 2 * size);
  else
    shapes[shape].forEach(([dx, dy], place) => path[place === 0 ? "moveTo" : "lineTo"](x + dx * size, y + dy * size));
  path.closePath();
}
function curve(points) {
  const path = d3.path();
  points.forEach(([x, y], place) => path[place === 0 ? "moveTo" : "lineTo"](Math.round(100 * x) / 100, Math.round(100 * y) / 100));
  return String(path);
}
const DULL = "#a4a4a4", INK = "#1d1f21", SOFT = "#5c6066";
const dashOf = (solver, width) => solver.dashes === "" ? null : solver.dashes.split(" ").map(length => length * width).join(" ");

/* A figure: its frame, what is under the mouse or the keys, and its downloads */

const TEXT = {"font-family": "system-ui, 'Liberation Sans', sans-serif", "font-size": 11, fill: SOFT, color: SOFT};
const HEIGHT = 360;
const SHAPED = 2500, SIGNS = 24; /* more points are small squares, as shapes would hide one another */
const plots = [];

/* `paint` draws a view and says what the caption tells, the rows of the CSV and the points that the mouse finds. */
function makePlot(name, heading, paint) {
  const save = (kind, action) => make("button", {type: "button", onclick: action, "aria-label": `${heading}, as ${kind}`}, kind);
  const plot = {name, heading, kept: {}, svg: draw("svg", {...TEXT, "aria-hidden": "true"}), canvas: make("canvas", {"aria-hidden": "true"}), back: draw("g"), front: draw("g"), over: draw("g"),
                ring: draw("circle", {visibility: "hidden", r: 7, fill: "none", stroke: INK, "stroke-width": 1.5, "pointer-events": "none"}),
                tip: make("div", {class: "tip", role: "status", hidden: true}), extra: make("div", {class: "extra"}), caption: make("figcaption")};
  plot.svg.append(plot.back, plot.front, plot.over, plot.ring);
  plot.frame = make("div", {class: "plot", tabindex: 0, role: "application"}, plot.canvas, plot.svg);
  plot.element = make("figure", {id: "fig-" + name}, make("h3", {}, heading), make("div", {class: "around"}, plot.frame, plot.tip), plot.extra, plot.caption,
    make("p", {class: "downloads"}, save("SVG", () => saveText(plot, "svg", "image/svg+xml", pictureOf(plot))), " ", save("PNG", () => savePicture(plot)), " ",
         save("CSV", () => saveText(plot, "csv", "text/csv", csvOf(plot.rows())))));
  plot.paint = paint;
  listen(plot);
  plots.push(plot);
}
function render(plot, view) {
  Object.assign(plot, {view, width: Math.max(240, plot.room), height: HEIGHT, layers: [], order: null});
  Object.assign(plot, {left: 62, right: plot.width - 8, top: 20, bottom: plot.height - 42});
  plot.back.replaceChildren();
  plot.front.replaceChildren();
  hideTip(plot);
  Object.assign(plot, plot.paint(plot, view));
  plot.caption.textContent = plot.told;
  plot.frame.setAttribute("aria-label", `${plot.heading}, ${view.now.metric.label}. ${plot.told} Arrow keys go from point to point, Enter opens the run.`);
  for (const [name, value] of Object.entries({width: plot.width, height: plot.height, viewBox: `0 0 ${plot.width} ${plot.height}`}))
    plot.svg.setAttribute(name, value);
  paintDots(plot);
}
const line = (group, points, attributes) => group.append(draw("path", {d: curve(points), fill: "none", stroke: SOFT, ...attributes}));

function drawAxes(plot, x, y, labelX, labelY) {
  const {back, left, right, top, bottom} = plot;
  const words = (x0, y0, anchor, fill, text) => back.append(draw("text", {x: x0, y: y0, "text-anchor": anchor, fill}, text));
  const axis = (kind, of, place, reach) => {
    const group = draw("g", {transform: `translate(${place})`});
    back.append(group);
    d3.select(group).call(kind(of.own).tickValues(of.ticks).tickFormat(of.format).tickSizeOuter(0).tickSizeInner(-reach).tickPadding(6))
      .attr("font-size", 11).attr("font-family", TEXT["font-family"]).selectAll(".tick line").attr("stroke", INK).attr("stroke-opacity", 0.12);
    group.querySelector(".domain").remove();
  };
  axis(d3.axisBottom, x, [0, bottom], bottom - top);
  if (y)
    axis(d3.axisLeft, y, [left, 0], right - left);
  line(back, [[left, top], [left, bottom], [right, bottom]]);
  if (x.unsolved) {
    line(back, [[right - MARGIN, top], [right - MARGIN, bottom]], {"stroke-dasharray": "1.5 3"});
    words(right, bottom + 34, "end", SOFT, "unsolved");
  }
  if (y?.unsolved) {
    line(back, [[left, top + MARGIN], [right, top + MARGIN]], {"stroke-dasharray": "1.5 3"});
    words(left - 6, top + MARGIN / 2 + 4, "end", SOFT, "unsolved");
  }
  words((left + right) / 2, bottom + 34, "middle", INK, labelX + (x.log ? ", log" : ""));
  if (y)
    words(0, 11, "start", INK, labelY + (y.log ? ", log" : ""));
}

/* Some of the points, in one look. Of those that would cover each other one is drawn. */
function addDots(plot, look, xs, ys, places = Uint32Array.from(xs.keys())) {
  const cell = look.shape === "" ? 2.2 : 1.5, wide = Math.ceil(plot.width / cell) + 1, taken = new Uint8Array(wide * (Math.ceil(plot.height / cell) + 1)), list = [];
  for (const i of places) {
    const place = Math.floor(ys[i] / cell) * wide + Math.floor(xs[i] / cell);
    if (!taken[place])
      list.push(i);
    taken[place] = 1;
  }
  plot.layers.push({...look, xs, ys, list});
}
function paintDots({canvas, width, height, layers}) {
  const sharp = Math.min(2, window.devicePixelRatio || 1), context = canvas.getContext("2d");
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  canvas.style.width = width + "px";
  context.scale(sharp, sharp);
  for (const {colour, shape, size, alpha, hollow, xs, ys, list} of layers) {
    context.fillStyle = hollow ? "#ffffff" : colour;
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    context.beginPath();
    for (const i of list)
      if (shape === "")
        context.fillRect(xs[i] - size, ys[i] - size, 2 * size, 2 * size);
      else
        trace(context, shape, xs[i], ys[i], size);
    context.fill();
    if (hollow)
      context.stroke();
  }
}

/* Points of outcomes: what does not stand out comes first, and so below. `signed`: of many points, some of each solver
 * are hollow marks, by which it is known in grey. */
function addOutcomes(plot, view, list, xs, ys, size, signed = false) {
  const signs = [], count = data.solvers.length, small = list.length > SHAPED, lively = data.solvers.map((_, solver) => view.lively.has(solver) ? 2 : 0);
  const groupOf = own => (lively[solverAt[own]] + (view.brushed && view.marked[boardAt[own]] ? 1 : 0)) * count + solverAt[own];
  once(view, list, "groups", () => parted(list, 4 * count, groupOf, true)).forEach((places, group) => {
    const solver = data.solvers[group % count], stands = Math.floor(group / count);
    if (places.length > 0)
      addDots(plot, {colour: stands >= 2 ? solver.colour : DULL, shape: small ? "" : solver.mark, size: small ? 1.4 : size,
                     alpha: view.brushed && stands % 2 === 0 ? 0.13 : stands >= 2 ? 0.75 : 0.5}, xs, ys, places);
    if (small && signed && stands === (view.brushed ? 3 : 2)) {
      const each = places.length / SIGNS, some = places.length <= SIGNS ? places : Array.from({length: SIGNS}, (_, sign) => places[Math.floor((sign + 0.5) * each)]);
      signs.push({colour: solver.colour, shape: solver.mark, size: 4, alpha: 1, hollow: true, xs, ys, list: some});
    }
  });
  plot.layers.push(...signs);
}
const spreads = Float64Array.from({length: 101}, (_, place) => place * 7919 % 101 / 100 - 0.5);
const spread = (own, width) => spreads[own % 101] * width; /* the same at each drawing */
function placesOf(list, placeOf) {
  const places = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++)
    places[i] = placeOf(list[i]);
  return places;
}
/* The last places of a plot are kept: a brush changes none. */
function toScreen(plot, {log, placed, from, to, own}, values, list, room = 0) {
  const way = from < to ? "across" : "up", key = [log, from, to, own.domain(), own.range(), room].join(), last = plot.kept[way];
  if (last && last.list === list && last.values === values && last.key === key)
    return last.at;
  const bent = log ? logsOf(values) : values, at = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = bent[list[i]];
    at[i] = placed(value) + spread(13 * list[i], value === Infinity ? MARGIN - 10 : room);
  }
  plot.kept[way] = {list, values, key, at};
  return at;
}

/* The mouse and the keys */

function listen(plot) {
  const open = hit => hit >= 0 && plot.hits.run(hit) >= 0 && chooseRun(wordOf("run_id", plot.hits.run(hit)));
  let at = 0; /* a place in the order of the points from left to right */
  plot.nearest = event => {
    const box = plot.frame.getBoundingClientRect(), {xs, ys} = plot.hits, x = event.clientX - box.left, y = event.clientY - box.top;
    let best = -1, least = 14 ** 2;
    for (let i = 0; i < xs.length; i++) {
      const far = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
      if (far < least)
        [best, least] = [i, far];
    }
    return best;
  };
  plot.frame.addEventListener("pointermove", event => showTip(plot, event.buttons ? -1 : plot.nearest(event)));
  plot.frame.addEventListener("pointerleave", () => hideTip(plot));
  plot.frame.addEventListener("blur", () => hideTip(plot));
  plot.frame.addEventListener("click", event => open(plot.nearest(event)));
  plot.frame.addEventListener("keydown", event => {
    const {xs, ys} = plot.hits, leap = Math.ceil(xs.length / 20);
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: leap, PageUp: -leap, Home: -Infinity, End: Infinity}[event.key];
    if (event.key === "Enter")
      open(plot.at);
    if (event.key === "Escape")
      hideTip(plot);
    if (step === undefined || xs.length === 0 || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    plot.order ??= Uint32Array.from(xs, (_, i) => i).sort((a, b) => xs[a] - xs[b] || ys[b] - ys[a]);
    at = Math.max(0, Math.min(xs.length - 1, at + (plot.at < 0 && Number.isFinite(step) ? 0 : step)));
    showTip(plot, plot.order[at]);
  });
}
function hideTip(plot) {
  plot.at = -1;
  plot.tip.hidden = true;
  plot.ring.setAttribute("visibility", "hidden");
  plot.frame.classList.remove("opens");
}
function showTip(plot, hit) {
  if (hit < 0)
    return hideTip(plot);
  const x = plot.hits.xs[hit], y = plot.hits.ys[hit];
  if (hit !== plot.at)
    plot.tip.replaceChildren(...plot.hits.tell(hit).map((words, place) => make(place === 0 ? "strong" : "span", {}, words)));
  plot.at = hit;
  plot.tip.hidden = false;
  plot.tip.style.left = Math.max(0, Math.min(x + 12, plot.width - plot.tip.offsetWidth)) + "px";
  plot.tip.style.top = y + (y > 90 ? -12 - plot.tip.offsetHeight : 14) + "px";
  plot.frame.classList.toggle("opens", plot.hits.run(hit) >= 0);
  for (const [name, value] of Object.entries({cx: x, cy: y, visibility: "visible"}))
    plot.ring.setAttribute(name, value);
}

/* The points of outcomes, which tell whose they are and open their runs. */
function hitsOf(view, list, xs, ys) {
  const {metric, across, rival, label} = view.now;
  return {xs, ys, run: hit => outcomes.run[list[hit]], tell: hit => {
    const own = list[hit], run = outcomes.run[own], other = shown(rival >= 0 ? metric.name : across, view.x[own]), value = shown(metric.name, view.spent[own]);
    return [data.solvers[solverAt[own]].shown, `${wordOf("set", run)} / ${wordOf("instance", run)}`,
            statusAt[own] === SOLVED ? `${metric.label}: ${value}` : `${statusNames[statusAt[own]]}; ${metric.label} spent: ${value || "not known"}`,
            ...(other === "" ? [] : [`${label}: ${other}`])];
  }};
}
const countOf = remember(list => {
  let boards = 0, unsolved = 0, before = -1;
  for (let i = 0; i < list.length; i++) { /* they come board by board */
    boards += boardAt[list[i]] !== before ? 1 : 0;
    unsolved += statusAt[list[i]] !== SOLVED ? 1 : 0;
    before = boardAt[list[i]];
  }
  return {boards, unsolved};
});
/* `left` points have no place on the other axis, as `why` says. */
function tellOf(view, list, axis, left = 0, why = "") {
  const {boards, unsolved} = countOf(list);
  return `n = ${counted(boards)} boards, ${counted(list.length)} points.`
    + (unsolved > 0 ? ` Unsolved, in the margin: ${counted(unsolved)}.` : "") + (axis.zeroAt > 0 ? ` Zeros are drawn at ${axis.zeroAt}.` : "")
    + (left > 0 ? ` Left out: ${counted(left)}, ${why}.` : "") + (view.lacking.length > 0 ? ` Left out, as ${view.now.metric.label} is not known of each board solved: ${view.lacking.join(", ")}.` : "");
}

/* Board by board */

makePlot("scatter", "Board by board", (plot, view) => {
  const {now} = view, list = where(view.points, own => view.x[own] >= 0), both = now.rival >= 0;
  const costs = once(view, list, "costs", () => extremes(list, view.cost)), across = extremes(list, view.x), all = [...costs, ...across];
  const wanted = {...now.metric, scale: now.scale}, other = metrics.find(metric => metric.name === now.across);
  const x = axisOf(both ? all : across, both ? wanted : {whole: !now.parameter, ...other, scale: now.scaleX || (other || now.parameter ? "" : "linear")}, plot.left, plot.right, (plot.right - plot.left) / 62);
  const y = axisOf(both ? all : costs, wanted, plot.bottom, plot.top, 6);
  drawAxes(plot, x, y, now.label, now.metric.label);
  if (both)
    line(plot.back, x.own.domain().map(value => [x.at(value), y.at(value)]));
  /* Points of one length stand beside each other. */
  const room = both || other ? 0 : now.parameter ? 8 : x.log ? 0 : Math.min(14, 0.6 * (x.at(1) - x.at(0)));
  const xs = toScreen(plot, x, view.x, list, room), ys = toScreen(plot, y, view.cost, list);
  addOutcomes(plot, view, list, xs, ys, 3.2, true);
  placeBrush(Object.assign(plot, {x, y}), now);
  const header = ["set", "instance", "solver", "status", both ? "baseline_" + now.metric.name : now.across === "optimal" ? "optimal_" + now.block.word.replaceAll(" ", "_") : now.parameter || now.across, now.metric.name, "run_id", "brushed"];
  const rows = () => [header, ...Array.from(list, own => [...["set", "instance"].map(name => wordOf(name, outcomes.run[own])), data.solvers[solverAt[own]].name,
    statusNames[statusAt[own]], view.x[own], view.cost[own], wordOf("run_id", outcomes.run[own]), view.marked[boardAt[own]]])];
  return {rows, hits: hitsOf(view, list, xs, ys), told: `${tellOf(view, list, y, both ? 0 : view.points.length - list.length, now.parameter ? `of solvers without ${now.parameter}` : `whose ${now.label} is not known`)}${both ? ` Above the diagonal ${data.solvers[now.rival].shown} needs less.` : ""}`};
});

/* The brush: a box in the first figure's own values, up to "inf", so that it means the same boards at any size */

const brush = d3.brush().touchable(false).on("start brush end", moveBrush);
const ends = ["x from", "x to", "y from", "y to"].map(name => make("input", {type: "text", inputmode: "decimal", "aria-label": "brushed " + name}));
const only = make("input", {type: "checkbox", onchange: () => ask({only: only.checked ? "1" : ""})});
const brushCount = make("span", {role: "status"});
const written = value => value === Infinity ? "inf" : String(Number(value.toPrecision(6)));
let dragged = null; /* while the mouse moves it */
plots[0].extra.append(make("span", {}, "Boards with x ", ends[0], " to ", ends[1]), make("span", {}, "y ", ends[2], " to ", ends[3]), make("label", {}, only, "only these"),
                      make("button", {type: "button", onclick: () => ask({brush: "", only: ""})}, "Clear"), brushCount);
plots[0].extra.addEventListener("change", event => {
  if (event.target !== only)
    ask({brush: ends.some(end => end.value.trim()) ? ends.map((end, place) => end.value.trim() || (place % 2 ? "inf" : "0")).join(",") : ""});
});

function placeBrush({x, y, left, right, top, bottom, over}, now) {
  if (dragged)
    return;
  const within = (axis, value) => value === Infinity ? axis.to : value <= 0 && axis.log ? axis.from : Math.max(Math.min(axis.from, axis.to), Math.min(Math.max(axis.from, axis.to), axis.at(value)));
  const [x0, x1, y0, y1] = now.brush ?? [];
  d3.select(over).call(brush.extent([[left, top], [right, bottom]])).call(brush.move, now.brush && [[within(x, x0), within(y, y1)], [within(x, x1), within(y, y0)]]);
  d3.select(over).select(".selection").attr("fill", INK).attr("fill-opacity", 0.06).attr("stroke", INK);
  ends.forEach((end, place) => { end.value = now.brush ? written(now.brush[place]) : ""; });
}
function moveBrush({type, selection, sourceEvent}) {
  if (!sourceEvent) /* the page moved it */
    return;
  const [plot] = plots;
  const valueAt = (axis, place) => axis.unsolved && Math.abs(place - axis.to) < MARGIN ? Infinity : axis.own.invert(place) <= axis.zeroAt * 1.001 ? 0 : axis.own.invert(place);
  const box = selection && [valueAt(plot.x, selection[0][0]), valueAt(plot.x, selection[1][0]), valueAt(plot.y, selection[1][1]), valueAt(plot.y, selection[0][1])];
  dragged = type === "end" || !box ? null : box;
  if (type === "end" && (box || plot.nearest(sourceEvent) < 0)) /* a click on a point opens its run and leaves the brush */
    ask({brush: box ? box.map(written).join(",") : ""});
  update();
}

/* The share of boards solved within a cost, over the boards that all solvers tried */

makePlot("solved_within", "Solved within a cost", (plot, view) => {
  const {now} = view, n = view.shared.reduce((sum, one) => sum + one, 0), hits = [], xs = [], ys = [];
  const samples = view.layers.map(solver => {
    const {list, costs} = narrow(solver, view.cost, own => view.shared[boardAt[own]]);
    return {solver, list, costs: costs.subarray(0, costs.findLastIndex(cost => cost < Infinity) + 1)};
  });
  const x = axisOf(samples.flatMap(({costs}) => costs.length > 0 ? [costs[0], costs[costs.length - 1]] : []), {...now.metric, scale: now.scale}, plot.left, plot.right, (plot.right - plot.left) / 62);
  const y = axisOf([0, 1], {scale: "linear"}, plot.bottom, plot.top, 5);
  y.format = share => Math.round(100 * share) + " %";
  drawAxes(plot, x, y, now.metric.label, "boards solved");
  const sharesOf = ({solver, costs}) => costs.length === 0 ? [[solver.name, NaN, 0]] /* it solved nothing */
    : Array.from(costs.keys()).filter(i => costs[i + 1] !== costs[i]).map(i => [solver.name, costs[i], (i + 1) / n]);
  for (const sample of samples) {
    const {solver, list, costs} = sample, points = [[plot.left, y.at(0)]], lively = view.lively.has(solver.number);
    let far = 0, lastY = y.at(0); /* half a pixel is far */
    for (let i = 0; i < costs.length; i++) {
      const toY = y.at((i + 1) / n);
      if (costs[i + 1] === costs[i] || (costs[i] < far && lastY - toY < 0.5 && i + 1 < costs.length))
        continue;
      const toX = x.at(costs[i]);
      points.push([toX, lastY], [toX, toY]);
      xs.push(toX);
      ys.push(toY);
      hits.push([solver, costs[i], (i + 1) / n]);
      [far, lastY] = [x.own.invert(toX + 0.5), toY];
    }
    points.push([plot.right, lastY]);
    line(plot.front, points, lookOf(view, solver));
    if (lively) {
      const dots = alongPath(points, 20 + 17 * (view.solvers.indexOf(solver) % 5), 95);
      addDots(plot, {colour: solver.colour, shape: solver.mark, size: 3.2, alpha: view.brushed ? 0.4 : 1}, dots.map(dot => dot[0]), dots.map(dot => dot[1]));
    }
    if (view.brushed && lively) {
      const shares = new Float64Array(costs.length);
      for (let i = costs.length - 1; i >= 0; i--)
        shares[i] = costs[i + 1] === costs[i] ? shares[i + 1] : (i + 1) / n;
      const places = where(everyOutcome.subarray(0, costs.length), i => view.marked[boardAt[list[i]]]), marked = pick(places, list);
      addOutcomes(plot, view, marked, toScreen(plot, x, view.cost, marked), placesOf(places, i => y.at(shares[i])), 3.2);
    }
  }
  const inOrder = samples.slice().sort((a, b) => a.solver.number - b.solver.number);
  return {rows: () => [["solver", "cost", "share"], ...inOrder.flatMap(sharesOf)],
          hits: {xs, ys, run: hit => outcomes.run[hits[hit][0].list.find(own => view.cost[own] === hits[hit][1])],
                 tell: hit => [hits[hit][0].shown, `${(100 * hits[hit][2]).toFixed(1)} % solved within`, `${shown(now.metric.name, hits[hit][1])} (${now.metric.label})`]},
          told: `n = ${counted(n)} boards that all of these solvers tried. A line that ends below 100 % left the rest unsolved.`};
});
/* Places on a path, from `first` pixels on every `step`. */
function alongPath(points, first, step) {
  const found = [];
  let wanted = first, gone = 0;
  points.slice(1).forEach(([x1, y1], place) => {
    const [x0, y0] = points[place], length = Math.hypot(x1 - x0, y1 - y0);
    for (; wanted <= gone + length; wanted += step) {
      const share = length > 0 ? (wanted - gone) / length : 0;
      found.push([x0 + share * (x1 - x0), y0 + share * (y1 - y0)]);
    }
    gone += length;
  });
  return found;
}
const lookOf = (view, solver) => ({stroke: view.lively.has(solver.number) ? solver.colour : DULL, "stroke-width": view.lively.has(solver.number) ? 1.8 : 1,
                                   "stroke-dasharray": dashOf(solver, 1.6), opacity: view.brushed ? 0.6 : 1});

/* By optimal length or cost: medians and quartiles */

const stepsOf = remember((sorted, cost) =>
  parted(sorted, steps.length + 1, own => stepOf[boardAt[own]]).slice(0, -1).map((list, step) => {
    const costs = pick(list, cost);
    return {place: steps[step], boards: costs.length, solved: costs.findLastIndex(cost => cost < Infinity) + 1, quartiles: [0.25, 0.5, 0.75].map(share => quantile(costs, share))};
  }).filter(step => step.boards > 0));

makePlot("by_length", `By optimal ${allSets.word}`, (plot, view) => {
  const {now} = view, {word} = now.block, list = where(view.points, own => stepOf[boardAt[own]] < steps.length), xs = [], ys = [], hits = [], BANDS = 6;
  const lines = new Map(view.solvers.map(solver => [solver.number, stepsOf(solver.list, view.cost)])), bands = view.solvers.filter(solver => view.lively.has(solver.number)).length <= BANDS;
  const hollowed = [...lines.values()].some(own => own.some(step => step.solved < step.boards));
  const x = axisOf([...lines.values()].flatMap(own => own.map(step => step.place)), {scale: now.scaleX || "linear", whole: word === "length"}, plot.left, plot.right, (plot.right - plot.left) / 50);
  const y = axisOf([...lines.values()].flatMap(own => own.flatMap(step => bands ? step.quartiles : step.quartiles[1])), {...now.metric, scale: now.scale}, plot.bottom, plot.top, 6);
  drawAxes(plot, x, y, `optimal ${now.block.optimum}`, now.metric.label + ", median");
  for (const solver of view.layers) {
    const look = lookOf(view, solver), lively = view.lively.has(solver.number), own = lines.get(solver.number);
    const at = part => own.map(step => [x.at(step.place), y.at(step.quartiles[part])]), medians = at(1);
    if (bands && lively)
      line(plot.front, [...at(0), ...at(2).reverse()], {fill: solver.colour, "fill-opacity": 0.13, stroke: "none"});
    line(plot.front, medians, look);
    for (const hollow of [false, true]) {
      const some = medians.filter((_, place) => own[place].solved < own[place].boards === hollow);
      addDots(plot, {colour: look.stroke, shape: solver.mark, size: lively ? 3.2 : 2, alpha: view.brushed ? 0.4 : 1, hollow}, some.map(point => point[0]), some.map(point => point[1]));
    }
    xs.push(...medians.map(point => point[0]));
    ys.push(...medians.map(point => point[1]));
    hits.push(...own.map(step => [solver, step]));
  }
  const marked = view.brushed ? where(list, own => view.marked[boardAt[own]] && view.lively.has(solverAt[own])) : [];
  addOutcomes(plot, view, marked, placesOf(marked, own => x.at(drawnAt[boardAt[own]]) + spread(own, 6)),
              placesOf(marked, own => Math.max(plot.top, Math.min(plot.bottom, y.at(view.cost[own])))), 2.4);
  const tell = ([solver, {place, boards, solved, quartiles}]) => {
    const [lower, median, upper] = quartiles.map(value => shown(now.metric.name, value));
    return [solver.shown, `${word} ${counted(place)}: median ${median}`, `quartiles ${lower} to ${upper}`, `${counted(solved)} of ${counted(boards)} boards solved`];
  };
  return {hits: {xs, ys, run: () => -1, tell: hit => tell(hits[hit])},
          rows: () => [["solver", "length", "boards", "solved", "lower", "median", "upper"],
            ...view.solvers.flatMap(solver => lines.get(solver.number).map(step => [solver.name, step.place, step.boards, step.solved, ...step.quartiles]))],
          told: list.length === 0 ? `No optimal ${word} is known.`
            : `Medians${bands ? "; bands: quartiles" : ""}.${word === "length" ? "" : " Optimal costs in bins, drawn at their middles."}${hollowed ? ` Hollow: some boards of that ${word} are unsolved, which is more than any.` : ""} ${tellOf(view, list, y, view.points.length - list.length, `whose optimal ${word} is not known`)}`};
});

/* A box and all points for each solver */

makePlot("box", "By solver", (plot, view) => {
  const {now, solvers} = view, row = solvers.length > 14 ? 32 : 44, bar = row - 20, rowOf = [];
  Object.assign(plot, {left: 8, right: plot.width - 8, top: 4, bottom: 4 + Math.max(1, solvers.length) * row, height: 46 + Math.max(1, solvers.length) * row});
  const x = axisOf(once(view, view.points, "costs", () => extremes(view.points, view.cost)), {...now.metric, scale: now.scale}, plot.left, plot.right, (plot.right - plot.left) / 62);
  drawAxes(plot, x, null, now.metric.label);
  solvers.forEach((solver, place) => { rowOf[solver.number] = plot.top + place * row + 16 + bar / 2; });
  const rows = [rowOf, bar].join();
  if (plot.kept.list !== view.points || plot.kept.rows !== rows)
    Object.assign(plot.kept, {list: view.points, rows, ys: placesOf(view.points, own => rowOf[solverAt[own]] + spread(31 * own, bar - 3))});
  const xs = toScreen(plot, x, view.cost, view.points), {ys} = plot.kept;
  addOutcomes(plot, view, view.points, xs, ys, 2.2);
  for (const solver of solvers) {
    const y = rowOf[solver.number], [least, lower, median, upper, most] = solver.quartiles.map(x.at), unsolved = solver.costs.length - solver.solved;
    const stroke = view.lively.has(solver.number) ? INK : SOFT, top = y - bar / 2, bottom = y + bar / 2;
    line(plot.front, [[lower, top], [upper, top], [upper, bottom], [lower, bottom], [lower, top]], {stroke, fill: lookOf(view, solver).stroke, "fill-opacity": 0.16});
    line(plot.front, [[least, y], [lower, y]], {stroke});
    line(plot.front, [[upper, y], [most, y]], {stroke});
    line(plot.front, [[median, top], [median, bottom]], {stroke, "stroke-width": 2.5});
    plot.front.append(draw("text", {x: plot.left + 2, y: top - 4, fill: stroke}, solver.shown + (unsolved > 0 ? `: ${counted(unsolved)} of ${counted(solver.costs.length)} unsolved` : "")));
  }
  return {rows: () => boxRows(view), hits: hitsOf(view, view.points, xs, ys),
          told: `Boxes: quartiles; thick: medians; whiskers: least and most. An unsolved run is more than any. ${tellOf(view, view.points, x)}`};
});
const boxRows = view => [["solver", "boards", "solved", "min", "lower", "median", "upper", "max"],
  ...view.solvers.map(solver => [solver.name, solver.costs.length, solver.solved, ...solver.quartiles])];

/* Downloads: on white, with the title and the looks of the solvers */

const saveText = (plot, kind, type, text) => saveFile(plot, kind, new Blob([text], {type}));
function saveFile(plot, kind, blob) {
  const href = URL.createObjectURL(blob);
  make("a", {href, download: `${plot.name}-${plot.view.now.metric.name}-${plot.view.now.block.name}`.replace(/[^A-Za-z0-9_.-]+/g, "-") + "." + kind}).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
const csvCell = cell => cell === Infinity ? "inf" : Number.isNaN(cell) ? "" : /[",\r\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
const csvOf = rows => rows.map(row => row.map(csvCell).join(",") + "\n").join("");

function pictureOf(plot) {
  const legend = plot.view.solvers.filter(solver => plot.view.lively.has(solver.number)), each = 16, head = 26;
  const total = head + plot.height + legend.length * each + 8, body = draw("g", {transform: `translate(0,${head})`}, plot.back.cloneNode(true));
  for (const {colour, shape, size, alpha, hollow, xs, ys, list} of plot.layers) {
    const path = d3.path();
    list.forEach(i => trace(path, shape, xs[i], ys[i], size));
    body.append(draw("path", {d: path, fill: hollow ? "#ffffff" : colour, stroke: hollow ? colour : null, opacity: alpha}));
  }
  body.append(plot.front.cloneNode(true));
  return new XMLSerializer().serializeToString(draw("svg", {...TEXT, width: plot.width, height: total, viewBox: `0 0 ${plot.width} ${total}`},
    draw("rect", {width: plot.width, height: total, fill: "#ffffff"}),
    draw("text", {x: 4, y: 16, "font-size": 13, fill: INK}, `${plot.view.now.block.name}: ${plot.heading.toLowerCase()}`), body,
    ...legend.map((solver, place) => draw("g", {transform: `translate(4,${head + plot.height + place * each})`}, ...sampleOf(solver), draw("text", {x: 42, y: 10, fill: INK}, solver.shown)))));
}
async function savePicture(plot) {
  const picture = new Image(), sheet = make("canvas"), sharp = 2;
  picture.src = "data:image/svg+xml," + encodeURIComponent(pictureOf(plot));
  await picture.decode();
  sheet.width = picture.width * sharp;
  sheet.height = picture.height * sharp;
  sheet.getContext("2d").drawImage(picture, 0, 0, sheet.width, sheet.height);
  sheet.toBlob(blob => saveFile(plot, "png", blob));
}

/* What is asked: filters and axes; the solvers, each with a box that hides it and a name that highlights it */

const ask = changes => state.set(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name === "hide" ? name : "fig-" + name, value])));
function sampleOf(solver) {
  const path = d3.path();
  trace(path, solver.mark, 17, 6, 4);
  return [draw("path", {d: "M0,6H34", stroke: solver.colour, "stroke-width": 2, "stroke-dasharray": dashOf(solver, 2)}), draw("path", {d: path, fill: solver.colour})];
}
function toggle(name, set, number) {
  if (!set.delete(number))
    set.add(number);
  ask({[name]: [...set].join(".")});
}
const choices = [];
function choice(label, name, options) {
  const select = make("select", {onchange: () => ask({[name]: select.value})}, ...options.map(([value, text]) => make("option", {value}, text)));
  choices.push([select, name]);
  return options.length < 2 ? null : make("label", {}, label, select);
}
const scales = [["", "auto"], ["log", "log"], ["linear", "linear"]];
const acrossLabel = name => name === "optimal" ? `optimal ${allSets.word}` : name.startsWith(PARAMETER) ? `${name.slice(PARAMETER.length)} of the solver` : name.startsWith("solver") ? "that of " + data.solvers[name.slice(6)].shown : metrics.find(metric => metric.name === name)?.label ?? headingOf(name);
const legend = data.solvers.map((solver, number) => {
  const box = make("input", {type: "checkbox", checked: true, "aria-label": "show " + solver.shown, onchange: () => toggle("hide", asked().hidden, number)});
  const button = make("button", {type: "button", onclick: () => toggle("mark", asked().marked, number)},
    draw("svg", {width: 34, height: 12, class: "coloured", "aria-hidden": "true"}, ...sampleOf(solver)), make("bdi", {}, solver.shown));
  return {number, box, button, item: make("li", {}, box, button)};
});
const hint = make("p", {class: "hint"}), numbers = make("div", {class: "wide"});
section.append(make("h2", {}, "Explore"), make("p", {class: "hint"}, "Drag over the first figure to pick out boards: they stand out in all four. Click a point to open its run. Copy the page\u2019s address to share what you see."),
  make("form", {class: "controls", onsubmit: event => event.preventDefault(), "aria-label": "What the figures show"},
    choice("Set", "set", [...blocks.map(block => [block.name, block.name]), ...(blocks.length > 1 ? [["all", "all sets"]] : [])]),
    make("span", {}, choice("Draw", "y", metrics.map(metric => [metric.name, metric.label])), choice("scale", "scale", scales)),
    make("span", {}, choice("by", "x", acrossNames.map(name => [name, acrossLabel(name)])), choice("scale", "xscale", scales)),
    make("span", {}, choice("Status", "status", [["", "all"], ["unsolved", "unsolved"], ...statusNames.filter(name => statusColumn.words.includes(name)).map(name => [name, name])]),
    make("button", {type: "button", onclick: () => ask({set: "", y: "", scale: "", x: "", xscale: "", status: "", hide: "", mark: "", brush: "", only: ""})}, "Reset"))),
  make("ul", {class: "legend", "aria-label": "Solvers: a box shows or hides, a name highlights"}, ...legend.map(entry => entry.item)), hint,
  make("div", {class: "figures"}, ...plots.map(plot => plot.element)), make("details", {}, make("summary", {}, "The numbers"), numbers));
section.hidden = false;
document.querySelector("#contents a[href='#explore']").hidden = false;

function showControls(view) {
  const {now} = view, chosen = {set: now.set, y: now.metric.name, scale: now.scale, x: now.across, xscale: now.scaleX, status: now.status};
  choices.forEach(([select, name]) => { select.value = chosen[name]; });
  only.checked = now.only;
  brushCount.textContent = now.brush ? `${counted(view.marked.reduce((sum, one) => sum + one, 0))} boards` : "";
  for (const {number, box, button, item} of legend) {
    box.checked = !now.hidden.has(number);
    button.setAttribute("aria-pressed", now.marked.has(number));
    item.classList.toggle("dull", now.hidden.has(number) || !view.lively.has(number));
  }
  hint.textContent = now.marked.size === 0 && view.lively.size < view.solvers.length ? "The baseline and the four with the least medians stand out; choose others by their names." : "";
  const [header, ...rows] = boxRows(view), cell = (value, place) => place < 2 ? counted(value) : shown(now.metric.name, value);
  numbers.replaceChildren(make("table", {}, make("caption", {}, `${now.block.name}: ${now.metric.label}`),
    make("thead", {}, make("tr", {}, ...header.map((name, place) => make("th", {scope: "col", class: place === 0 ? "text" : null}, name)))),
    make("tbody", {}, ...rows.map(([, ...row], place) => make("tr", {}, make("th", {scope: "row", class: "text"}, view.solvers[place].shown), ...row.map((value, at) => make("td", {}, cell(value, at))))))));
}

/* Only what is in sight, or nearly, is drawn, when what is asked or the room for it has changed. */
const sight = new Set();
let view = null, waiting = 0, drawnWidth = 0;
function drawInSight() {
  const now = asked(), old = view;
  waiting = 0;
  if (!sight.has(section))
    return;
  view ??= viewOf({...now, brush: dragged ?? now.brush});
  section.classList.toggle("many", view.solvers.length > 14);
  for (const plot of plots) /* before anything is changed, which would lay out the page once more */
    plot.room = plot.element.clientWidth;
  if (view !== old)
    showControls(view);
  const [first, more] = plots.filter(plot => sight.has(plot.element) && plot.view !== view);
  if (first)
    render(first, view);
  if (more) /* in the next frame, so that the first is seen at once */
    update(false);
}
function update(again = true) {
  if (again)
    view = null;
  waiting ||= requestAnimationFrame(drawInSight);
}
state.subscribe(() => update());
new ResizeObserver(() => {
  if (section.clientWidth !== drawnWidth)
    update();
  drawnWidth = section.clientWidth;
}).observe(section);
const watch = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries)
    sight[isIntersecting ? "add" : "delete"](target);
  update(false);
}, {rootMargin: "60px"});
for (const element of [section, ...plots.map(plot => plot.element)])
  watch.observe(element);
})();
