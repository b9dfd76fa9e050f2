/* Figures of the runs as the reader asks for them: what against what, of which boards and solvers. Their numbers are
 * those of `tilelab compare` and `plot`: a solver's repetitions on a board are one outcome (harness/analysis/results.h),
 * and an unsolved one is more than any cost. Points go to a canvas, as there may be 100,000; all else is SVG. */
"use strict";
(() => {
const {data, columns, make, draw, fill, wordNumber, wordOf, numberOf, solverOf, shown, counted, headingOf, hasValues, quantile, chooseRun} = window.Tilelab;
const section = document.getElementById("explore");
if (!section || !data.boards || data.count === 0)
  return;
const state = window.Tilelab.state ??= addressState();

function addressState() {
  const words = new URLSearchParams(location.hash.startsWith("#explore?") ? location.hash.slice(9) : ""), heard = [];
  return {get: name => words.get(name), subscribe: call => heard.push(call), set: (name, value) => {
    if (value === "")
      words.delete(name);
    else
      words.set(name, value);
    history.replaceState(null, "", "#explore?" + words);
    heard.forEach(call => call());
  }};
}

/* Outcomes, by number: whose, of which board, of which runs, and how it ended */

const statusNames = Object.keys(data.statuses), kinds = Object.values(data.statuses);
const solvedStatus = kinds.findIndex(kind => kind.solved);
const boardCount = data.boards.length / 2;
const lengths = Float64Array.from({length: boardCount}, (_, board) => data.boards[2 * board + 1] ?? NaN);
const statusColumn = columns.get("status"), statusPlaces = statusColumn.words.map(word => statusNames.indexOf(word));
const statusOf = run => statusPlaces[wordNumber(statusColumn, run)];
const outcomes = {count: 0};
for (const name of ["solver", "board", "run", "first", "end", "status"])
  outcomes[name] = new Uint32Array(data.count);
const blocks = []; /* of boards that are compared together: {name, first, end} */

function readOutcomes() {
  for (let board = 0, run = 0; board < boardCount; board++) {
    const end = run + data.boards[2 * board];
    const block = `${wordOf("set", run)} ${numberOf("width", run)}x${numberOf("height", run)}`;
    if (blocks.length === 0 || blocks[blocks.length - 1].name !== block)
      blocks.push({name: block, first: board, end: board});
    blocks[blocks.length - 1].end = board + 1;
    while (run < end) {
      const first = run, solver = solverOf(run);
      let named = run, attempts = 0, unsolved = Infinity;
      for (; run < end && solverOf(run) === solver; run++) {
        const status = statusOf(run);
        if (run > first && wordOf("run_id", run) < wordOf("run_id", named))
          named = run;
        if (kinds[status].counts) {
          attempts++;
          if (!kinds[status].solved && status < unsolved)
            unsolved = status;
        }
      }
      if (attempts === 0 || lengths[board] === -1) /* it cannot be solved */
        continue;
      const own = outcomes.count++;
      outcomes.solver[own] = solver;
      outcomes.board[own] = board;
      outcomes.run[own] = named;
      outcomes.first[own] = first;
      outcomes.end[own] = run;
      outcomes.status[own] = unsolved === Infinity ? solvedStatus : unsolved;
    }
  }
}
readOutcomes();
const isSolved = outcome => outcomes.status[outcome] === solvedStatus;

/* What each outcome took, or had spent in vain: the median of its runs; NaN where it is not known. Beside it the cost,
 * where what is unsolved is more than any. */
const known = new Map();
function valuesOf(metric) {
  if (known.has(metric))
    return known.get(metric);
  const spent = new Float64Array(outcomes.count), numbers = columns.get(metric).numbers;
  for (let own = 0; own < outcomes.count; own++) {
    const solved = isSolved(own), taken = [];
    for (let run = outcomes.first[own]; run < outcomes.end[own]; run++) {
      const kind = kinds[statusOf(run)], value = numbers.length === 1 ? numbers[0] : numbers[run];
      if (kind.counts && kind.solved === solved && value !== null && (solved || metric !== "length"))
        taken.push(value);
    }
    spent[own] = taken.length === 1 ? taken[0] : quantile(Float64Array.from(taken).sort(), 0.5);
  }
  known.set(metric, {spent, cost: spent.map((value, own) => isSolved(own) ? value : Infinity)});
  return known.get(metric);
}

/* What is asked for: a state of words, kept in the page's address */

const metrics = data.metrics.filter(metric => columns.has(metric.name) && hasValues(metric.name));
const labelOf = name => metrics.find(metric => metric.name === name)?.label ?? (name === "length" ? "optimal length (moves)" : headingOf(name));
const numbersIn = text => new Set(text.split(".").filter(word => word !== "").map(Number).filter(number => data.solvers[number]));
const usual = metrics.find(metric => metric.name === "generated") ?? metrics[0];
const anyLength = lengths.some(length => length >= 0);

function asked() {
  const word = name => state.get("fig-" + name) ?? "";
  const among = (value, values, otherwise) => values.includes(value) ? value : otherwise;
  const sets = blocks.map(block => block.name);
  const set = among(word("set"), [...sets, "all"], sets[0]);
  const against = /^solver([0-9]+)$/.exec(word("x"));
  const rivals = against && data.solvers[against[1]] ? Number(against[1]) : -1;
  const across = rivals >= 0 ? word("x") : among(word("x"), ["optimal", "h_start", ...metrics.map(metric => metric.name)], anyLength ? "optimal" : usual.name);
  const box = word("brush").split(",").map(number => number === "inf" ? Infinity : parseFloat(number));
  return {set, block: blocks.find(block => block.name === set) ?? {name: "all sets", first: 0, end: boardCount},
          metric: metrics.find(metric => metric.name === word("y")) ?? usual, across, rival: rivals,
          scale: among(word("scale"), ["log", "linear"], ""), scaleX: among(word("xscale"), ["log", "linear"], ""),
          hidden: numbersIn(word("hide")), marked: numbersIn(word("mark")), status: word("status"),
          brush: box.length === 4 && !box.some(Number.isNaN) ? box : null, only: word("only") === "1"};
}
const ask = (name, value) => state.set("fig-" + name, value);
const acrossLabel = now => now.rival >= 0 ? `${now.metric.label} of ${data.solvers[now.rival].shown}`
  : now.across === "optimal" ? "optimal length (moves)" : now.across === "h_start" ? "h(start)" : labelOf(now.across);

/* The view: the outcomes that pass the filters, and what the figures need of them */

/* Whether a solver reports the metric on every board of the block that it solved; where it does not, the others may
 * not be typical. */
function reporting(now, values) {
  const counts = data.solvers.map(() => ({known: 0, missing: 0, solved: 0}));
  for (let own = 0; own < outcomes.count; own++) {
    const board = outcomes.board[own], count = counts[outcomes.solver[own]];
    if (board < now.block.first || board >= now.block.end)
      continue;
    const lacks = Number.isNaN(values[own]);
    count.solved += isSolved(own);
    count.known += !lacks;
    count.missing += lacks && isSolved(own);
  }
  return counts.map(({known: there, missing, solved}) => missing === 0 ? solved + there > 0 : there > 0 && now.metric.optional);
}

/* By outcome, what stands on the other axis. */
function acrossValues(now) {
  const {board, solver, first, count} = outcomes, across = new Float64Array(count);
  if (now.rival < 0 && now.across !== "optimal" && now.across !== "h_start")
    return valuesOf(now.across).cost;
  const rival = new Float64Array(boardCount).fill(NaN), {cost} = valuesOf(now.metric.name);
  for (let own = 0; own < count; own++)
    if (solver[own] === now.rival)
      rival[board[own]] = cost[own];
  for (let own = 0; own < count; own++)
    across[own] = now.rival >= 0 ? solver[own] === now.rival ? NaN : rival[board[own]]
      : now.across === "optimal" ? lengths[board[own]] : numberOf("h_start", first[own]) ?? NaN;
  return across;
}

function pick(list, values) {
  const picked = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++)
    picked[i] = values[list[i]];
  return picked;
}

function viewOf(now) {
  const {board, solver, status, count} = outcomes, {spent, cost} = valuesOf(now.metric.name);
  const reports = reporting(now, spent), x = acrossValues(now), shown = data.solvers.map((_, number) => !now.hidden.has(number));
  const tried = new Uint32Array(boardCount), marked = new Uint8Array(boardCount), there = data.solvers.map(() => 0);
  const passing = statusNames.map(name => now.status === "" || now.status === name || now.status === "unsolved" && name !== "solved");
  const [left, right, low, high] = now.brush ?? [NaN, NaN, NaN, NaN];
  let points = new Uint32Array(count), length = 0;
  for (let own = 0; own < count; own++) {
    if (board[own] < now.block.first || board[own] >= now.block.end || !shown[solver[own]])
      continue;
    there[solver[own]]++;
    if (!reports[solver[own]] || Number.isNaN(cost[own]))
      continue;
    tried[board[own]]++;
    if (!passing[status[own]])
      continue;
    points[length++] = own;
    if (cost[own] >= low && cost[own] <= high && x[own] >= left && x[own] <= right)
      marked[board[own]] = 1;
  }
  const part = now.brush !== null && now.only;
  points = points.subarray(0, length).filter(own => !part || marked[board[own]]);
  const lists = data.solvers.map(() => []);
  for (const own of points)
    lists[solver[own]].push(own);
  const solvers = data.solvers.map((own, number) => ({...own, number, list: lists[number]})).filter(own => own.list.length > 0);
  for (const own of solvers) {
    own.costs = pick(own.list, cost).sort();
    own.solved = own.costs.findLastIndex(value => value < Infinity) + 1;
    own.quartiles = [0, 0.25, 0.5, 0.75, 1].map(share => quantile(own.costs, share));
  }
  /* Twelve solvers are told apart by colours. Of more, those that are marked stand out, or else the baseline and the best. */
  const best = [...solvers].sort((a, b) => a.quartiles[2] - b.quartiles[2] || b.solved - a.solved).slice(0, 4).map(own => own.number);
  const lively = now.marked.size > 0 ? now.marked : new Set(solvers.length > 12 ? [data.baseline, ...best] : solvers.map(own => own.number));
  const all = there.filter((boards, number) => boards > 0 && reports[number]).length;
  const sharing = tried.map((times, own) => times > 0 && times === all && (!part || marked[own]) ? 1 : 0);
  return {now, points, x, cost, spent, solvers, lively, marked, sharing, shared: sharing.reduce((sum, one) => sum + one, 0),
          brushed: now.brush !== null && !now.only, lacking: solversNamed((_, number) => there[number] > 0 && !reports[number])};
}
const solversNamed = test => data.solvers.filter(test).map(own => own.shown);

/* Axes: finite values, zeros of a logarithmic one at half the least, and a margin for what is unsolved */

const MARGIN = 26;
const UNITS = {_s: "s", _bytes: "B"};
const short = d3.format("~s");
const raised = power => "10" + [...String(power)].map(digit => digit === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit]).join("");

function axisOf(values, {scale = "", metric = "", isWhole = false}, from, to, room) {
  let low = Infinity, high = -Infinity, least = Infinity, unsolved = 0;
  for (const value of values)
    if (value === Infinity) {
      unsolved++;
    } else if (!Number.isNaN(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
      if (value > 0 && value < least)
        least = value;
    }
  if (high === -Infinity)
    low = high = least = 1;
  const log = scale === "log" ? least < Infinity : scale === "" && least < Infinity && high / least >= 20;
  const zeroAt = log && low <= 0 ? least / 2 : NaN;
  low = log && low <= 0 ? zeroAt : !log && low < high / 3 ? Math.min(low, 0) : low;
  if (low === high)
    [low, high] = log ? [low / 2, high * 2] : [low - 1, high + 1];
  const way = Math.sign(to - from), inner = to - way * (8 + (unsolved > 0 ? MARGIN : 0));
  const own = (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range([from + way * 8, inner]);
  const decades = Math.log10(high / low), unit = Object.entries(UNITS).find(([end]) => metric.endsWith(end))?.[1];
  let ticks = own.ticks(room);
  if (log && decades > 1) {
    const steps = decades < 2 ? [1, 2, 5] : decades < 3 && room > 6 ? [1, 3] : [1], each = Math.max(1, Math.ceil(decades / room));
    ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      if (power % each === 0)
        ticks.push(...steps.map(step => step * 10 ** power).filter(tick => tick >= low && tick <= high));
  }
  if (isWhole)
    ticks = ticks.filter(Number.isInteger);
  const powers = log && decades > 2 && high >= 1e5 && ticks.every(tick => Math.log10(tick) % 1 === 0);
  const bend = log ? Math.log : value => value, start = from + way * 8, slope = (inner - start) / (bend(high) - bend(low));
  return {scale: own, ticks, log, zeroAt, unsolved, from, to,
          format: tick => powers ? raised(Math.round(Math.log10(tick))) : unit ? short(tick) + unit : high < 1e5 ? counted(tick) : short(tick),
          at: value => value === Infinity ? to - way * MARGIN / 2 : start + slope * (bend(value === 0 && zeroAt > 0 ? zeroAt : value) - bend(low))};
}

/* Marks as paths, on a canvas and in SVG alike */

const around = (count, turn, reach = 1) => Array.from({length: count}, (_, place) => {
  const angle = turn + 2 * Math.PI * place / count - Math.PI / 2, far = Array.isArray(reach) ? reach[place % reach.length] : reach;
  return [far * Math.cos(angle), far * Math.sin(angle)];
});
const plus = around(12, Math.PI / 12, [1, 1, 0.5]).map(([x, y]) => [1.1 * x, 1.1 * y]);
const turned = list => list.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]);
const shapes = {o: around(14, 0), s: around(4, Math.PI / 4, 1.25), "^": around(3, 0, 1.35), v: around(3, Math.PI, 1.35), "<": around(3, -Math.PI / 2, 1.35),
                ">": around(3, Math.PI / 2, 1.35), D: around(4, 0, 1.25), d: around(4, 0, [1.3, 0.8]), p: around(5, 0, 1.15), h: around(6, 0, 1.15),
                "*": around(10, 0, [1.4, 0.6]), P: plus, X: turned(plus)};

function trace(path, shape, x, y, size) {
  if (shape === "")
    path.rect(x - size, y - size, 2 * size, 2 * size);
  else
    shapes[shape].forEach(([dx, dy], place) => path[place === 0 ? "moveTo" : "lineTo"](x + dx * size, y + dy * size));
  path.closePath();
}
function curve(points) {
  const path = d3.path();
  points.forEach(([x, y], place) => path[place === 0 ? "moveTo" : "lineTo"](x, y));
  return String(path);
}
const DULL = "#b4b4b4", INK = "#1d1f21", SOFT = "#5c6066", LINE = "#e2e2dc";
const colourOf = (view, solver) => view.lively.has(solver.number) ? solver.colour : DULL;
const dashOf = (solver, width) => solver.dashes === "" ? null : solver.dashes.split(" ").map(length => length * width).join(" ");

/* A figure: its frame, what is under the mouse or the keys, and its downloads */

const FONT = "system-ui, 'Liberation Sans', sans-serif";
const plots = [];
const SHAPED = 2500; /* more points are squares: shapes would hide one another */

function makePlot(name, paint) {
  const canvas = make("canvas", {"aria-hidden": "true"});
  const svg = draw("svg", {"font-family": FONT, "font-size": 11, fill: SOFT, color: SOFT, "aria-hidden": "true"});
  const frame = make("div", {class: "plot", tabindex: 0, role: "application"}, canvas, svg);
  const tip = make("div", {class: "tip", role: "status", hidden: true});
  const title = make("h3", {}), caption = make("figcaption", {});
  const save = (kind, action) => make("button", {type: "button", onclick: action, "aria-label": `${name.replace("_", " ")} as ${kind}`}, kind);
  const plot = {name, svg, canvas, frame, title, tip, layers: [], hits: [], extra: make("div", {class: "extra"}),
                back: d3.select(svg).append("g"), front: d3.select(svg).append("g"), over: d3.select(svg).append("g"), ring: d3.select(svg).append("circle")};
  plot.ring.attr("r", 7).attr("fill", "none").attr("stroke", INK).attr("stroke-width", 1.5).attr("visibility", "hidden").attr("pointer-events", "none");
  plot.element = make("figure", {id: "fig-" + name}, title, make("div", {class: "around"}, frame, tip), plot.extra, caption,
    make("p", {class: "downloads"}, save("SVG", () => saveText(plot, "svg", "image/svg+xml", pictureOf(plot))), " ", save("PNG", () => savePicture(plot)), " ",
         save("CSV", () => saveText(plot, "csv", "text/csv", csvOf(plot.rows())))));
  plot.render = view => {
    plot.width = Math.max(240, plot.element.clientWidth);
    plot.layers = [];
    plot.hits = [];
    plot.order = null;
    plot.view = view;
    plot.back.selectAll("*").remove();
    plot.front.selectAll("*").remove();
    hideTip(plot);
    Object.assign(plot, {height: 340, heading: "", told: ""}, paint(plot, view));
    title.textContent = plot.heading;
    caption.textContent = plot.told;
    frame.setAttribute("aria-label", `${plot.heading}. ${plot.told} Arrow keys go from point to point, Enter opens the run.`);
    fill(svg, {width: plot.width, height: plot.height, viewBox: `0 0 ${plot.width} ${plot.height}`}, []);
    paintDots(plot);
  };
  listen(plot);
  plots.push(plot);
  return plot;
}

function drawAxes(plot, x, y, labels) {
  const bottom = y.from, top = y.to, left = x.from, right = x.to;
  const axis = (kind, own, place, reach) => {
    const group = plot.back.append("g").attr("transform", place).call(kind(own.scale).tickValues(own.ticks).tickFormat(own.format).tickSizeOuter(0).tickSizeInner(-reach).tickPadding(6));
    group.attr("font-size", 11).attr("font-family", FONT).selectAll(".tick line").attr("stroke", LINE);
    group.select(".domain").remove();
  };
  axis(d3.axisBottom, x, `translate(0,${bottom})`, bottom - top);
  if (y.scale)
    axis(d3.axisLeft, y, `translate(${left},0)`, right - left);
  plot.back.append("path").attr("d", curve([[left, top], [left, bottom], [right, bottom]])).attr("fill", "none").attr("stroke", SOFT);
  const margin = (points, textX, textY, anchor) => {
    plot.back.append("path").attr("d", curve(points)).attr("stroke", SOFT).attr("stroke-dasharray", "1.5 3").attr("fill", "none");
    plot.back.append("text").attr("x", textX).attr("y", textY).attr("text-anchor", anchor).text("unsolved");
  };
  if (x.unsolved)
    margin([[right - MARGIN, top], [right - MARGIN, bottom]], right, bottom + 17, "end");
  if (y.unsolved)
    margin([[left, top + MARGIN], [right, top + MARGIN]], left - 6, top + MARGIN / 2 + 4, "end");
  plot.back.append("text").attr("x", right).attr("y", bottom + 34).attr("text-anchor", "end").attr("fill", INK).text(labels[0] + (x.log ? ", log" : ""));
  if (labels[1])
    plot.back.append("text").attr("x", 0).attr("y", 11).attr("fill", INK).text(labels[1] + (y.log ? ", log" : ""));
}

/* Some of the points, in one look. Of those that would cover each other one is drawn. */
function addDots(plot, look, xs, ys, places = xs.keys()) {
  const cell = 1.5, wide = Math.ceil(plot.width / cell), taken = new Uint8Array(wide * 1000), list = [];
  for (const i of places) {
    const place = Math.floor(ys[i] / cell) * wide + Math.floor(xs[i] / cell);
    if (!taken[place])
      list.push(i);
    taken[place] = 1;
  }
  plot.layers.push({...look, xs, ys, list});
}
function paintDots(plot) {
  const {canvas, width, height} = plot, sharp = Math.min(2, window.devicePixelRatio || 1);
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  fill(canvas, {style: `width:${width}px;height:${height}px`}, []);
  const context = canvas.getContext("2d");
  context.scale(sharp, sharp);
  for (const {colour, shape, size, alpha, hollow, xs, ys, list} of plot.layers) {
    context.fillStyle = hollow ? "#ffffff" : colour;
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    if (shape === "") {
      for (const i of list)
        context.fillRect(xs[i] - size, ys[i] - size, 2 * size, 2 * size);
      continue;
    }
    context.beginPath();
    for (const i of list)
      trace(context, shape, xs[i], ys[i], size);
    context.fill();
    if (hollow)
      context.stroke();
  }
}

const HOVER = 14; /* pixels */

function listen(plot) {
  const nearest = event => {
    const box = plot.frame.getBoundingClientRect(), {xs = [], ys = []} = plot.hits;
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best = -1, least = HOVER * HOVER;
    for (let i = 0; i < xs.length; i++) {
      const far = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
      if (far < least) {
        best = i;
        least = far;
      }
    }
    return best;
  };
  const open = hit => {
    const run = hit < 0 ? -1 : plot.hits.run(hit);
    if (run >= 0)
      chooseRun(wordOf("run_id", run));
  };
  plot.nearest = nearest;
  plot.frame.addEventListener("pointermove", event => showTip(plot, event.buttons ? -1 : nearest(event)));
  plot.frame.addEventListener("pointerleave", () => hideTip(plot));
  plot.frame.addEventListener("click", event => open(nearest(event)));
  plot.frame.addEventListener("blur", () => hideTip(plot));
  let at = 0; /* a place in the order of the points from left to right */
  plot.frame.addEventListener("keydown", event => {
    const {xs = [], ys = []} = plot.hits, leap = Math.ceil(xs.length / 20);
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: leap, PageUp: -leap, Home: -Infinity, End: Infinity}[event.key];
    if (event.key === "Enter" && plot.at >= 0)
      open(plot.at);
    if (event.key === "Escape")
      hideTip(plot);
    if (step === undefined || xs.length === 0 || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    plot.order ??= Uint32Array.from(xs, (_, i) => i).sort((a, b) => xs[a] - xs[b] || ys[b] - ys[a]);
    at = Math.max(0, Math.min(xs.length - 1, plot.at < 0 ? Math.min(at, xs.length - 1) : at + step));
    showTip(plot, plot.order[at]);
  });
}
function hideTip(plot) {
  plot.at = -1;
  plot.tip.hidden = true;
  plot.ring.attr("visibility", "hidden");
}
function showTip(plot, hit) {
  if (hit < 0)
    return hideTip(plot);
  if (hit === plot.at)
    return;
  const x = plot.hits.xs[hit], y = plot.hits.ys[hit];
  plot.at = hit;
  plot.frame.classList.toggle("opens", plot.hits.run(hit) >= 0);
  plot.tip.replaceChildren(...plot.hits.tell(hit).map((line, place) => make("span", {class: place === 0 ? "first" : null}, line)));
  plot.tip.hidden = false;
  plot.tip.style.left = Math.max(0, Math.min(x + 12, plot.width - plot.tip.offsetWidth)) + "px";
  plot.tip.style.top = y + (y > 90 ? -12 - plot.tip.offsetHeight : 14) + "px";
  plot.ring.attr("cx", x).attr("cy", y).attr("visibility", "visible");
}

/* What a point of an outcome says. */
function tellOutcome(view, own) {
  const {now} = view, run = outcomes.run[own], name = `${wordOf("set", run)} / ${wordOf("instance", run)}`;
  const across = view.x[own], status = statusNames[outcomes.status[own]];
  return [data.solvers[outcomes.solver[own]].shown, name, isSolved(own) ? `${now.metric.label}: ${shown(now.metric.name, view.cost[own])}`
    : `${status}; ${now.metric.label} spent: ${shown(now.metric.name, view.spent[own]) || "not known"}`,
          ...(Number.isNaN(across) ? [] : [`${acrossLabel(now)}: ${shown(now.rival >= 0 ? now.metric.name : now.across, across)}`])];
}

/* Puts the points of outcomes where they are: what does not stand out comes first, and so below. */
function putOutcomes(plot, view, list, xs, ys, size = 3.2) {
  const groups = Array.from({length: 4 * data.solvers.length}, () => []), small = list.length > SHAPED;
  list.forEach((own, place) => {
    const solver = outcomes.solver[own], stands = (view.lively.has(solver) ? 2 : 0) + (view.brushed && view.marked[outcomes.board[own]] ? 1 : 0);
    groups[stands * data.solvers.length + solver].push(place);
  });
  groups.forEach((places, group) => {
    const solver = data.solvers[group % data.solvers.length], stands = Math.floor(group / data.solvers.length);
    if (places.length > 0)
      addDots(plot, {colour: stands >= 2 ? solver.colour : DULL, shape: small ? "" : solver.mark, size: small ? 1.4 : size,
                     alpha: view.brushed && stands % 2 === 0 ? 0.13 : stands >= 2 ? 0.75 : 0.5}, xs, ys, places);
  });
}
const spread = (own, width) => (own * 7919 % 101 / 100 - 0.5) * width; /* the same at each drawing */
function toScreen(axis, values, list) {
  const places = new Float32Array(list.length);
  list.forEach((own, place) => {
    places[place] = axis.at(values[own]) + (values[own] === Infinity ? spread(own, MARGIN - 10) : 0);
  });
  return places;
}

function told(view, list, zero) {
  const boards = new Uint8Array(boardCount);
  let unsolved = 0;
  for (const own of list) {
    boards[outcomes.board[own]] = 1;
    unsolved += !isSolved(own);
  }
  return `n = ${counted(boards.reduce((sum, one) => sum + one, 0))} boards, ${counted(list.length)} outcomes.` + (unsolved > 0 ? ` Unsolved, in the margin: ${counted(unsolved)}.` : "") + (zero.zeroAt > 0 ? ` Zeros are drawn at ${shown("", zero.zeroAt)}.` : "")
    + (view.lacking.length > 0 ? ` Left out, as ${view.now.metric.label} is not known of each board solved: ${view.lacking.join(", ")}.` : "");
}

/* Board by board */

const brush = d3.brush().touchable(false).on("start brush end", brushed);
let dragged = null; /* the brush while the mouse moves it */

makePlot("scatter", (plot, view) => {
  const {now} = view, height = 360, [left, right, top, bottom] = [62, plot.width - 8, 20, height - 42];
  const list = view.points.filter(own => !Number.isNaN(view.x[own]));
  const costs = pick(list, view.cost), across = pick(list, view.x);
  const both = now.rival >= 0 ? [...across, ...costs] : null;
  const wanted = {scale: now.scale, metric: now.metric.name, isWhole: now.metric.whole};
  const wantedX = now.rival >= 0 ? wanted : {scale: now.scaleX, metric: now.across, isWhole: metrics.find(metric => metric.name === now.across)?.whole ?? true};
  const x = axisOf(both ?? across, wantedX, left, right, (right - left) / 62);
  const y = axisOf(both ?? costs, wanted, bottom, top, 6);
  drawAxes(plot, x, y, [acrossLabel(now), now.metric.label]);
  if (now.rival >= 0) {
    const [low, high] = x.scale.domain();
    plot.back.append("path").attr("d", curve([[x.at(low), y.at(low)], [x.at(high), y.at(high)]])).attr("stroke", SOFT);
  }
  const xs = toScreen(x, view.x, list), ys = toScreen(y, view.cost, list);
  putOutcomes(plot, view, list, xs, ys);
  plot.hits = {xs, ys, run: hit => outcomes.run[list[hit]], tell: hit => tellOutcome(view, list[hit])};
  Object.assign(plot, {x, y, left, right, top, bottom});
  placeBrush(plot, now);
  const header = ["set", "instance", "solver", "status", now.rival >= 0 ? "baseline_" + now.metric.name : now.across === "optimal" ? "optimal_length" : now.across,
                  now.metric.name, "run_id", "brushed"];
  plot.rows = () => [header, ...Array.from(list, (own, i) => [wordOf("set", outcomes.run[own]), wordOf("instance", outcomes.run[own]), data.solvers[outcomes.solver[own]].name,
    statusNames[outcomes.status[own]], across[i], costs[i], wordOf("run_id", outcomes.run[own]), view.marked[outcomes.board[own]]])];
  return {height, heading: `${now.metric.label} by ${acrossLabel(now)}, board by board`, told: told(view, list, y)};
});

/* The brush is kept in the figures' own values, up to "inf", so that it means the same boards at any size. */
function placeBrush(plot, now) {
  if (dragged)
    return;
  brush.extent([[plot.left, plot.top], [plot.right, plot.bottom]]);
  plot.over.call(brush);
  plot.over.select(".selection").attr("fill", INK).attr("fill-opacity", 0.06).attr("stroke", INK);
  const within = (axis, value) => Math.max(Math.min(axis.from, axis.to), Math.min(Math.max(axis.from, axis.to), value));
  const [x0, x1, y0, y1] = now.brush ?? [];
  const far = (axis, value) => value === Infinity ? axis.to : value <= 0 && axis.log ? axis.from : within(axis, axis.at(value));
  plot.over.call(brush.move, now.brush ? [[far(plot.x, x0), far(plot.y, y1)], [far(plot.x, x1), far(plot.y, y0)]] : null);
  [x0, x1, y0, y1].forEach((value, place) => {
    if (document.activeElement !== ends[place])
      ends[place].value = now.brush ? value === Infinity ? "inf" : Number(value.toPrecision(6)) : "";
  });
}
function brushed({type, selection, sourceEvent}) {
  const [plot] = plots;
  if (!sourceEvent) /* the figure moved it */
    return;
  const valueAt = (axis, place) => axis.unsolved && Math.abs(place - axis.to) < MARGIN ? Infinity : axis.zeroAt > 0 && axis.scale.invert(place) <= axis.zeroAt * 1.001 ? 0 : axis.scale.invert(place);
  const box = selection && [valueAt(plot.x, selection[0][0]), valueAt(plot.x, selection[1][0]), valueAt(plot.y, selection[1][1]), valueAt(plot.y, selection[0][1])];
  dragged = type === "end" ? null : box ? {box} : null;
  if (type === "end" && (box || plot.nearest(sourceEvent) < 0)) /* a click on a point opens its run and leaves the brush */
    ask("brush", box ? box.map(value => value === Infinity ? "inf" : Number(value.toPrecision(6))).join(",") : "");
  update();
}
const ends = ["x from", "x to", "y from", "y to"].map(name => make("input", {type: "text", size: 7, inputmode: "decimal", "aria-label": "brushed " + name}));
const only = make("input", {type: "checkbox", onchange: event => ask("only", event.target.checked ? "1" : "")});
const brushedCount = make("span", {role: "status"});
fill(plots[0].extra, {}, [make("span", {}, "Brushed: x ", ends[0], " to ", ends[1]), make("span", {}, "y ", ends[2], " to ", ends[3]),
  make("label", {}, only, "only these"), make("button", {type: "button", onclick: () => { ask("only", ""); ask("brush", ""); }}, "Clear"), brushedCount]);
plots[0].extra.addEventListener("change", event => {
  const words = ends.map((end, place) => end.value.trim() || (place % 2 ? "inf" : "0"));
  if (event.target !== only)
    ask("brush", ends.some(end => end.value.trim()) ? words.join(",") : "");
});

/* The share of boards solved within a cost, over the boards that all solvers tried */

makePlot("solved_within", (plot, view) => {
  const {now} = view, height = 360, [left, right, top, bottom] = [62, plot.width - 8, 20, height - 42];
  const samples = view.solvers.map(solver => ({solver, costs: pick(solver.list.filter(own => view.sharing[outcomes.board[own]]), view.cost).sort()}));
  const x = axisOf(samples.flatMap(({costs}) => [costs[0], costs.findLast(cost => cost < Infinity) ?? NaN].filter(cost => cost < Infinity)), {scale: now.scale, metric: now.metric.name, isWhole: now.metric.whole}, left, right, (right - left) / 62);
  const y = axisOf([0, 1], {scale: "linear"}, bottom, top, 5);
  const rows = [["solver", "cost", "share"]], xs = [], ys = [], hits = [];
  y.format = share => Math.round(100 * share) + " %";
  drawAxes(plot, x, y, [now.metric.label, "solved"]);
  const shareAt = (costs, cost) => { let low = 0, high = costs.length; while (low < high) { const middle = (low + high) >> 1; if (costs[middle] <= cost) low = middle + 1; else high = middle; } return low / view.shared; };
  for (const {solver, costs} of samples.sort((a, b) => view.lively.has(a.solver.number) - view.lively.has(b.solver.number))) {
    const points = [[left, y.at(0)]], lively = view.lively.has(solver.number);
    for (let i = 0; i < costs.length && costs[i] < Infinity; i++) {
      if (costs[i + 1] === costs[i])
        continue;
      rows.push([solver.name, costs[i], (i + 1) / view.shared]);
      const at = [x.at(costs[i]), y.at((i + 1) / view.shared)], before = points[points.length - 1];
      if (at[0] - before[0] < 0.5 && before[1] - at[1] < 0.5 && costs[i + 1] < Infinity)
        continue;
      points.push([at[0], before[1]], at);
      xs.push(at[0]);
      ys.push(at[1]);
      hits.push([solver, costs[i], (i + 1) / view.shared]);
    }
    points.push([right, points[points.length - 1][1]]);
    plot.front.append("path").attr("d", curve(points)).attr("fill", "none").attr("stroke", colourOf(view, solver)).attr("stroke-width", lively ? 1.8 : 1)
      .attr("stroke-dasharray", dashOf(solver, 1.6)).attr("opacity", view.brushed ? 0.6 : 1);
    if (view.brushed && lively) {
      const list = solver.list.filter(own => isSolved(own) && view.marked[outcomes.board[own]] && view.sharing[outcomes.board[own]]);
      putOutcomes(plot, view, list, toScreen(x, view.cost, list), Float32Array.from(list, own => y.at(shareAt(costs, view.cost[own]))));
    }
  }
  const find = ([solver, cost]) => outcomes.run[solver.list.find(own => view.cost[own] === cost)];
  plot.hits = {xs, ys, run: hit => find(hits[hit]), tell: hit => [hits[hit][0].shown, `${(100 * hits[hit][2]).toFixed(1)} % solved within`, `${shown(now.metric.name, hits[hit][1])} ${now.metric.label}`]};
  plot.rows = () => rows;
  return {height, heading: `Boards solved within a cost (${now.metric.label})`,
          told: `n = ${counted(view.shared)} boards that all of these solvers tried; a line that ends below 100 % left the rest unsolved.`};
});

/* By optimal length: medians and quartiles */

makePlot("by_length", (plot, view) => {
  const {now} = view, height = 360, [left, right, top, bottom] = [62, plot.width - 8, 20, height - 42], BANDS = 6;
  const list = view.points.filter(own => lengths[outcomes.board[own]] >= 0);
  const lines = view.solvers.map(solver => {
    const groups = new Map();
    for (const own of solver.list.filter(one => lengths[outcomes.board[one]] >= 0)) {
      const length = lengths[outcomes.board[own]];
      if (!groups.has(length))
        groups.set(length, []);
      groups.get(length).push(view.cost[own]);
    }
    return {solver, steps: [...groups].sort(([a], [b]) => a - b).map(([length, costs]) => {
      const sorted = Float64Array.from(costs).sort();
      return {length, boards: costs.length, solved: costs.filter(cost => cost < Infinity).length, quartiles: [0.25, 0.5, 0.75].map(share => quantile(sorted, share))};
    })};
  });
  const bands = lines.filter(line => view.lively.has(line.solver.number)).length <= BANDS;
  const x = axisOf(pick(pick(list, outcomes.board), lengths), {scale: now.scaleX || "linear", isWhole: true}, left, right, (right - left) / 50);
  const y = axisOf(lines.flatMap(line => line.steps.flatMap(step => bands ? step.quartiles : step.quartiles[1])), {scale: now.scale, metric: now.metric.name, isWhole: now.metric.whole}, bottom, top, 6);
  const xs = [], ys = [], hits = [];
  drawAxes(plot, x, y, ["optimal length (moves)", now.metric.label + ", median"]);
  for (const {solver, steps} of lines.sort((a, b) => view.lively.has(a.solver.number) - view.lively.has(b.solver.number))) {
    const lively = view.lively.has(solver.number), colour = colourOf(view, solver), at = part => step => [x.at(step.length), y.at(step.quartiles[part])];
    if (bands && lively)
      plot.front.append("path").attr("d", curve([...steps.map(at(0)), ...steps.map(at(2)).reverse()])).attr("fill", colour).attr("fill-opacity", 0.13);
    plot.front.append("path").attr("d", curve(steps.map(at(1)))).attr("fill", "none").attr("stroke", colour).attr("stroke-width", lively ? 1.8 : 1)
      .attr("stroke-dasharray", dashOf(solver, 1.6)).attr("opacity", view.brushed ? 0.6 : 1);
    for (const hollow of [false, true]) {
      const own = steps.filter(step => step.solved < step.boards === hollow).map(at(1));
      addDots(plot, {colour, shape: solver.mark, size: lively ? 3.2 : 2, alpha: view.brushed ? 0.4 : 1, hollow}, own.map(point => point[0]), own.map(point => point[1]));
    }
    for (const step of steps) {
      xs.push(x.at(step.length));
      ys.push(y.at(step.quartiles[1]));
      hits.push([solver, step]);
    }
  }
  if (view.brushed) {
    const some = list.filter(own => view.marked[outcomes.board[own]] && view.lively.has(outcomes.solver[own]));
    putOutcomes(plot, view, some, Float32Array.from(some, own => x.at(lengths[outcomes.board[own]]) + spread(own, 6)),
                Float32Array.from(some, own => Math.max(top, Math.min(bottom, y.at(view.cost[own])))), 2.4);
  }
  plot.hits = {xs, ys, run: () => -1, tell: hit => [hits[hit][0].shown, `length ${hits[hit][1].length}: median ${shown(now.metric.name, hits[hit][1].quartiles[1])}`,
    `quartiles ${shown(now.metric.name, hits[hit][1].quartiles[0])} to ${shown(now.metric.name, hits[hit][1].quartiles[2])}`, `${hits[hit][1].solved} of ${hits[hit][1].boards} boards solved`]};
  plot.rows = () => [["solver", "length", "boards", "solved", "lower", "median", "upper"],
    ...lines.flatMap(({solver, steps}) => steps.map(step => [solver.name, step.length, step.boards, step.solved, ...step.quartiles]))];
  return {height, heading: `${now.metric.label} by optimal length`, told: list.length === 0 ? "No optimal length is known."
    : `Medians${bands ? "; bands: quartiles" : ""}. Hollow: some boards of that length are unsolved, which is more than any cost. ${told(view, list, y)}`};
});

/* A box and all points for each solver */

makePlot("box", (plot, view) => {
  const {now, solvers} = view, row = solvers.length > 14 ? 32 : 44, top = 4, left = 8, right = plot.width - 8;
  const bottom = top + Math.max(1, solvers.length) * row, height = bottom + 42, bar = row - 20;
  const x = axisOf(pick(view.points, view.cost), {scale: now.scale, metric: now.metric.name, isWhole: now.metric.whole}, left, right, (right - left) / 62);
  drawAxes(plot, x, {from: bottom, to: top}, [now.metric.label]);
  const rowOf = [];
  solvers.forEach((solver, place) => { rowOf[solver.number] = top + place * row + 16 + bar / 2; });
  const ys = new Float32Array(view.points.length);
  view.points.forEach((own, place) => { ys[place] = rowOf[outcomes.solver[own]] + spread(own * 31, bar - 3); });
  const xs = toScreen(x, view.cost, view.points);
  putOutcomes(plot, view, view.points, xs, ys, 2.2);
  solvers.forEach(solver => {
    const y = rowOf[solver.number], [least, lower, median, upper, most] = solver.quartiles.map(x.at), stands = view.lively.has(solver.number);
    const line = points => plot.front.append("path").attr("d", curve(points)).attr("stroke", stands ? INK : SOFT).attr("fill", "none");
    plot.front.append("rect").attr("x", lower).attr("y", y - bar / 2).attr("width", Math.max(1, upper - lower)).attr("height", bar).attr("fill", colourOf(view, solver))
      .attr("fill-opacity", 0.16).attr("stroke", stands ? INK : SOFT);
    line([[least, y], [lower, y]]);
    line([[upper, y], [most, y]]);
    line([[median, y - bar / 2], [median, y + bar / 2]]).attr("stroke-width", 2.5);
    plot.front.append("text").attr("x", left + 2).attr("y", y - bar / 2 - 4).attr("fill", stands ? INK : SOFT).text(solver.shown + (solver.solved < solver.costs.length ? `: ${counted(solver.costs.length - solver.solved)} of ${counted(solver.costs.length)} unsolved` : ""));
  });
  plot.hits = {xs, ys, run: hit => outcomes.run[view.points[hit]], tell: hit => tellOutcome(view, view.points[hit])};
  plot.rows = () => boxRows(view);
  return {height, heading: `${now.metric.label} of each solver`, told: `Boxes: quartiles; thick: medians; whiskers: least and most. An unsolved run is more than any. ${told(view, view.points, x)}`};
});
const boxRows = view => [["solver", "boards", "solved", "min", "lower", "median", "upper", "max"],
  ...view.solvers.map(solver => [solver.name, solver.costs.length, solver.solved, ...solver.quartiles])];

/* Downloads: on white, with the title and the looks of the solvers */

function saveText(plot, kind, type, text) {
  saveFile(plot, kind, URL.createObjectURL(new Blob([text], {type})));
}
function saveFile(plot, kind, href) {
  make("a", {href, download: `${plot.name}-${plot.view.now.metric.name}-${plot.view.now.block.name}`.replace(/[^A-Za-z0-9_.-]+/g, "-") + "." + kind}).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
const csvOf = rows => rows.map(row => row.map(cell => cell === Infinity ? "inf" : Number.isNaN(cell) ? "" : /[",\r\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell).join(",")).join("\n") + "\n";

function pictureOf(plot) {
  const legend = plot.view.solvers.filter(solver => plot.view.lively.has(solver.number)), each = 16, head = 26;
  const total = head + plot.height + legend.length * each + 8, body = draw("g", {transform: `translate(0,${head})`});
  for (const {colour, shape, size, alpha, hollow, xs, ys, list} of plot.layers) {
    const path = d3.path();
    list.forEach(i => trace(path, shape, xs[i], ys[i], size));
    body.append(draw("path", {d: path, fill: hollow ? "#ffffff" : colour, stroke: hollow ? colour : null, opacity: alpha}));
  }
  body.prepend(plot.back.node().cloneNode(true));
  body.append(plot.front.node().cloneNode(true));
  const svg = draw("svg", {width: plot.width, height: total, viewBox: `0 0 ${plot.width} ${total}`, "font-family": FONT, "font-size": 11, fill: SOFT, color: SOFT},
    draw("rect", {width: plot.width, height: total, fill: "#ffffff"}), draw("text", {x: 4, y: 16, "font-size": 13, fill: INK}, `${plot.view.now.block.name}: ${plot.heading}`), body,
    ...legend.map((solver, place) => draw("g", {transform: `translate(4,${head + plot.height + place * each})`}, ...sampleOf(solver), draw("text", {x: 42, y: 10, fill: INK}, solver.shown))));
  return new XMLSerializer().serializeToString(svg);
}
async function savePicture(plot) {
  const picture = new Image(), sheet = make("canvas"), sharp = 2;
  picture.src = "data:image/svg+xml," + encodeURIComponent(pictureOf(plot));
  await picture.decode();
  sheet.width = picture.width * sharp;
  sheet.height = picture.height * sharp;
  sheet.getContext("2d").drawImage(picture, 0, 0, sheet.width, sheet.height);
  sheet.toBlob(blob => saveFile(plot, "png", URL.createObjectURL(blob)));
}

/* What is asked: filters and axes; the solvers, each with a box that hides it and a button that highlights it */

function sampleOf(solver) {
  const path = d3.path();
  trace(path, solver.mark, 17, 6, 4);
  return [draw("path", {d: "M0,6H34", stroke: solver.colour, "stroke-width": 2, "stroke-dasharray": dashOf(solver, 2)}), draw("path", {d: path, fill: solver.colour})];
}
const toggled = (name, number) => {
  const list = numbersIn(state.get("fig-" + name) ?? "");
  if (!list.delete(number))
    list.add(number);
  ask(name, [...list].join("."));
};
const choices = [];
function choice(label, name, options) {
  const select = make("select", {onchange: event => ask(name, event.target.value)}, ...options.map(([value, text]) => make("option", {value}, text)));
  choices.push([select, name]);
  return options.length > 1 ? make("label", {}, label, select) : null;
}
const scales = [["", "automatic"], ["log", "logarithmic"], ["linear", "linear"]];
const statuses = statusNames.filter(name => columns.get("status").words.includes(name));
const drawable = metrics.map(metric => [metric.name, metric.label]);
const legend = data.solvers.map((solver, number) => {
  const box = make("input", {type: "checkbox", "aria-label": "show " + solver.shown, onchange: () => toggled("hide", number)});
  const button = make("button", {type: "button", onclick: () => toggled("mark", number)}, draw("svg", {width: 34, height: 12, class: "coloured", "aria-hidden": "true"}, ...sampleOf(solver)), make("bdi", {}, solver.shown));
  return {number, box, button, item: make("li", {}, box, button)};
});
const numbers = make("details", {}, make("summary", {}, "The numbers"), make("div", {class: "wide"}));
const hint = make("p", {class: "hint"});
section.append(make("h2", {id: "explore-heading"}, "Explore"),
  make("p", {class: "hint"}, "Drag over the first figure to brush boards: they stand out in every figure. A point opens its run. The page's address keeps what is shown."),
  make("form", {class: "controls", onsubmit: event => event.preventDefault(), "aria-label": "What the figures show"},
    choice("Set", "set", [...blocks.map(block => [block.name, block.name]), ...(blocks.length > 1 ? [["all", "all sets"]] : [])]),
    choice("Draw", "y", drawable), choice("axis", "scale", scales),
    choice("against", "x", [...(anyLength ? [["optimal", "optimal length"]] : []), ...(hasValues("h_start") ? [["h_start", "h(start)"]] : []), ...drawable,
      ...(data.solvers.length > 1 ? data.solvers.map((solver, number) => ["solver" + number, "its value for " + solver.shown]) : [])]), choice("axis", "xscale", scales),
    choice("Status", "status", [["", "all"], ["solved", "solved"], ["unsolved", "unsolved"], ...statuses.filter(name => name !== "solved").map(name => [name, name])]),
    make("button", {type: "button", onclick: () => ["set", "y", "scale", "x", "xscale", "status", "hide", "mark", "brush", "only"].forEach(name => ask(name, ""))}, "Reset")),
  make("ul", {class: "legend", "aria-label": "Solvers: a box shows or hides, a name highlights"}, ...legend.map(entry => entry.item)), hint,
  make("div", {class: "figures"}, ...plots.map(plot => plot.element)), numbers);
section.hidden = false;

function showControls(view) {
  const {now} = view, shownAs = {set: now.set, y: now.metric.name, scale: now.scale, x: now.across, xscale: now.scaleX, status: now.status};
  choices.forEach(([select, name]) => { select.value = shownAs[name]; });
  only.checked = now.only;
  brushedCount.textContent = now.brush ? `${counted(view.marked.reduce((sum, one) => sum + one, 0))} boards` : "";
  for (const {number, box, button, item} of legend) {
    box.checked = !now.hidden.has(number);
    button.setAttribute("aria-pressed", now.marked.has(number));
    item.classList.toggle("dull", now.hidden.has(number) || !view.lively.has(number));
  }
  hint.textContent = now.marked.size === 0 && view.lively.size < view.solvers.length ? "The baseline and the four with the least medians stand out; choose others by their names." : "";
  const cell = (name, value) => typeof value === "string" ? value : name === "boards" || name === "solved" ? counted(value) : shown(now.metric.name, value);
  const [header, ...rows] = boxRows(view);
  numbers.lastChild.replaceChildren(make("table", {}, make("caption", {}, `${now.block.name}: ${now.metric.label}`),
    make("thead", {}, make("tr", {}, ...header.map(name => make("th", {scope: "col", class: name === "solver" ? "text" : null}, name)))),
    make("tbody", {}, ...rows.map((row, place) => make("tr", {}, make("th", {scope: "row", class: "text"}, view.solvers[place].shown), ...row.slice(1).map((value, at) => make("td", {}, cell(header[at + 1], value))))))));
}

let waiting = 0, drawnWidth = 0;
function render() {
  const started = performance.now(), now = asked();
  waiting = 0;
  if (section.clientWidth === 0) /* it is folded */
    return;
  drawnWidth = section.clientWidth;
  if (dragged)
    now.brush = dragged.box;
  const view = viewOf(now);
  plots.forEach(plot => plot.render(view));
  showControls(view);
  section.dataset.drawn = Math.round(performance.now() - started); /* milliseconds */
}
function update() {
  waiting ||= requestAnimationFrame(render);
}
state.subscribe(update);
new ResizeObserver(() => section.clientWidth !== drawnWidth && update()).observe(section);
})();
