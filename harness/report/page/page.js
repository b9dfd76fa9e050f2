/* The page's script: sorts and filters tables, draws the heatmap, plays solutions. Texts of the data are only ever
 * set as text. `Tilelab` is what it shares with the scripts after it. */
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
/* All of one shape, as they are read 100,000 times. */
const columns = new Map(data.columns.map(({name, words, numbers, ids, at}) => [name, {words, numbers, ids, at, places: null}]));
const byId = id => document.getElementById(id);
document.documentElement.classList.add("scripts");

/* Elements */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  element.append(...children.filter(child => child !== null));
  return element;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const swatch = colour => { const own = make("span", {class: "swatch"}); own.style.background = colour; return own; };

/* What is chosen, by names: kept in the address, "#PLACE&name=value&..", where PLACE is a part of the page or run-ID. */

const state = (() => {
  let place = "", values = new Map();
  const listeners = [];
  const tell = names => { if (names.length > 0) listeners.forEach(listener => listener(names)); };
  function write() {
    const pairs = [...values].map(pair => pair.map(encodeURIComponent).join("="));
    const hash = [place, ...pairs].join("&");
    if ("#" + hash !== location.hash && (hash !== "" || location.hash !== ""))
      history.replaceState(null, "", location.href.split("#")[0] + (hash === "" ? "" : "#" + hash));
  }
  /* A link to a part leaves all else as it is; an address with values has them all. */
  function read() {
    const parts = location.hash.slice(1).split("&"), before = values;
    place = parts[0].includes("=") ? "" : parts[0];
    const pairs = parts.filter(part => part.includes("=")).map(part => part.split("=").map(decodeURIComponent));
    if (pairs.length > 0)
      values = new Map(pairs);
    write();
    tell([...new Set([...before.keys(), ...values.keys()])].filter(name => before.get(name) !== values.get(name)));
  }
  return {
    get place() { return place; },
    get: name => values.get(name) ?? "",
    /* Sets some; "" unsets. Whoever subscribed is told the names of those that changed. */
    set(changes) {
      const changed = Object.keys(changes).filter(name => String(changes[name]) !== state.get(name));
      for (const name of changed)
        if (String(changes[name]) === "")
          values.delete(name);
        else
          values.set(name, String(changes[name]));
      write();
      tell(changed);
    },
    subscribe: listener => listeners.push(listener),
    go(to) { location.hash = [to, ...[...values].map(pair => pair.map(encodeURIComponent).join("="))].join("&"); },
    read,
  };
})();
function readState() {
  try {
    state.read();
  } catch { /* an address that this page did not write */ }
}
readState();

/* Runs: cells by column */

const digitAt = (text, place) => { const code = text.charCodeAt(place); return code - 35 - (code > 60) - (code > 92); }; /* of base 90 */
function digitsAt(text, place, digits) {
  let number = 0;
  for (const end = place + digits; place < end; place++)
    number = 90 * number + digitAt(text, place);
  return number;
}
/* By run, the number of its word or number: the one that all have, its own, or what "at" says (report/page_runs.h). */
function placesOf({at, words, numbers}) {
  const places = new Uint32Array(data.count), one = (words ?? numbers).length === 1, digits = at?.length / data.count;
  for (let run = 0; run < data.count && !one; run++)
    places[run] = at ? digitsAt(at, digits * run, digits) : run;
  return places;
}
const wordNumber = (column, run) => (column.places ??= placesOf(column))[run];
const idOf = (ids, run) => [0, 5, 10, 15].map(part => digitsAt(ids, 20 * run + part, 5).toString(16).padStart(8, "0")).join("");
const wordOf = (name, run) => { const column = columns.get(name); return column.ids ? idOf(column.ids, run) : column.words[wordNumber(column, run)]; };
const numberOf = (name, run) => { const column = columns.get(name); return column.numbers[wordNumber(column, run)]; };
/* The numbers that programs print under names of their own: extra.NAME, as if each were a column. */
const extras = [];
function readExtras(column) {
  const objects = column.words.map(word => {
    try {
      return Object(JSON.parse(word || "{}"));
    } catch { /* a row that tilelab did not write */
      return {};
    }
  });
  const isCost = value => typeof value === "number" && value >= 0;
  for (const own of new Set(objects.flatMap(object => Object.keys(object).filter(key => isCost(object[key]))))) {
    const numbers = Array.from({length: data.count}, (_, run) => objects[wordNumber(column, run)][own]);
    extras.push("extra." + own);
    columns.set("extra." + own, {numbers: numbers.map(value => isCost(value) ? value : null), places: null});
  }
}
if (columns.has("extra"))
  readExtras(columns.get("extra"));
const solverNumbers = new Map(data.solvers.map((solver, number) => [solver.name, number]));
const solverOfWord = columns.get("solver").words.map(word => solverNumbers.get(word));
const solverOf = run => solverOfWord[wordNumber(columns.get("solver"), run)];
const collator = new Intl.Collator("en", {numeric: true});

/* What a column sorts by: numbers, or the places of its words. Solvers come in the order of the experiment; sets and
 * boards come sorted; all else goes by the alphabet. */
function keysOf(name) {
  const column = columns.get(name);
  if (column.numbers)
    return Float64Array.from({length: data.count}, (_, run) => numberOf(name, run) ?? NaN);
  let places = column.words.map((_, place) => place);
  if (name === "solver") {
    places = solverOfWord;
  } else if (name !== "set" && name !== "instance") {
    const sorted = places.slice().sort((a, b) => collator.compare(column.words[a], column.words[b]));
    sorted.forEach((word, place) => { places[word] = place; });
  }
  return Float64Array.from({length: data.count}, (_, run) => places[wordNumber(column, run)]);
}
/* What is missing comes last in either direction. */
function compareNumbers(a, b, direction) {
  const none = Number.isNaN(a) - Number.isNaN(b);
  return none || Number.isNaN(a) ? none : direction * (a < b ? -1 : a > b ? 1 : 0);
}

/* Numbers as people read them */

const decimals = [0, 1, 2].map(digits => new Intl.NumberFormat("en-US", {minimumFractionDigits: digits, maximumFractionDigits: digits}));
function counted(number) { /* as many decimals as tell something */
  return decimals[Number.isInteger(number) || number >= 1000 ? 0 : number >= 100 ? 1 : 2].format(number);
}
const threeDigits = number => number.toPrecision(3).includes("e") ? counted(Math.round(number)) : number.toPrecision(3);
function seconds(value) {
  return value < 1e-3 ? threeDigits(value * 1e6) + " us" : value < 1 ? threeDigits(value * 1e3) + " ms" : threeDigits(value) + " s";
}
function bytes(value) {
  let unit = 0;
  for (; value >= 1024 && unit < 3; unit++)
    value /= 1024;
  return (unit === 0 ? value : threeDigits(value)) + [" B", " KiB", " MiB", " GiB"][unit];
}
function shown(name, number) {
  if (number === null || Number.isNaN(number))
    return "";
  if (number === Infinity)
    return "unsolved";
  return name.endsWith("_s") ? seconds(number) : name.endsWith("_bytes") ? bytes(number) : counted(number);
}
const plural = number => number === 1 ? "" : "s";
const headings = {optimal_length: "optimum", h_start: "h(start)", wall_s: "time", cpu_s: "processor time", peak_bytes: "peak memory",
                  run_id: "run", limit_s: "time limit", limit_nodes: "node limit", limit_bytes: "memory limit", limit_cpu_s: "processor time limit", finished_at: "finished"};
const headingOf = name => headings[name] || name.replaceAll("_", " ");
function cellText(name, run) {
  if (columns.get(name).numbers)
    return shown(name, numberOf(name, run));
  if (name === "solver")
    return data.solvers[solverOf(run)].shown;
  return wordOf(name, run) + (name === "status" && data.unverified[run] === "1" ? " (unverified)" : "");
}
const hasValues = name => !columns.get(name).numbers || columns.get(name).numbers.some(number => number !== null);

/* A table's headings: buttons that sort */

function sortButton(heading, sort) {
  const button = make("button", {type: "button"}, ...heading.childNodes);
  button.addEventListener("click", () => {
    const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of heading.parentNode.children)
      other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    sort(direction);
  });
  heading.append(button);
}

function sortRows(table, place, direction) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map(row => {
    const cell = row.cells[place];
    const value = cell.dataset.value;
    return {row, number: value === undefined || value === "" ? NaN : Number(value), text: cell.textContent,
            isNumber: value !== undefined};
  });
  keyed.sort((a, b) => a.isNumber && b.isNumber ? compareNumbers(a.number, b.number, direction)
                                                : direction * collator.compare(a.text, b.text));
  body.append(...keyed.map(item => item.row));
}

for (const table of document.querySelectorAll("#tables table"))
  [...table.tHead.rows[0].cells].forEach((heading, place) =>
    sortButton(heading, direction => sortRows(table, place, direction)));

byId("table-words")?.addEventListener("input", event => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(word => word);
  for (const row of document.querySelectorAll("#tables tbody tr")) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
});

/* A board, and a solution played on it */

const steps = {U: -1, D: 1, L: 0, R: 0};
const directions = {U: "up", D: "down", L: "left", R: "right"};

/* The boards of a path, as arrays of tiles. */
function boardsOf(start, moves, width) {
  const boards = [start];
  for (const move of moves) {
    const board = boards[boards.length - 1].slice();
    const blank = board.indexOf(0);
    const to = blank + steps[move] * width + (move === "R") - (move === "L");
    board[blank] = board[to];
    board[to] = 0;
    boards.push(board);
  }
  return boards;
}

/* A drawn board; `show` moves its tiles. Those that lie where the goal has them are marked. */
function drawnBoard(width, height, size, goal, small) {
  const area = make("div", {class: "cells"});
  const element = make("div", {class: small ? "board small" : "board", role: "img"}, area);
  const tiles = [];
  area.style.width = width * size + "px";
  area.style.height = height * size + "px";
  for (let number = 1; number < width * height; number++) {
    const tile = make("span", {class: "tile", "aria-hidden": "true"}, String(number));
    tile.style.width = tile.style.height = size + "px";
    tile.style.fontSize = size * (width * height > 10 ? 0.38 : 0.44) + "px";
    tiles[number] = tile;
    area.append(tile);
  }
  const show = board => {
    board.forEach((number, cell) => {
      if (number === 0)
        return;
      tiles[number].style.transform = `translate(${(cell % width) * size}px, ${Math.floor(cell / width) * size}px)`;
      tiles[number].classList.toggle("home", goal !== null && goal[cell] === number);
    });
    element.dataset.board = board.join(" ");
    const rows = [];
    for (let row = 0; row < height; row++)
      rows.push(board.slice(row * width, (row + 1) * width).map(number => number || "blank").join(" "));
    element.setAttribute("aria-label", rows.join("; "));
  };
  return {element, show};
}

/* The moves to the goal that a board needs at least: the Manhattan distance. */
function movesLeft(board, goal, width) {
  let moves = 0;
  board.forEach((number, cell) => {
    const home = number === 0 ? cell : goal.indexOf(number);
    moves += Math.abs(cell % width - home % width) + Math.abs(Math.floor(cell / width) - Math.floor(home / width));
  });
  return moves;
}

/* A line of numbers, null where there is none; `show` marks the one that is now. */
function sparkline(label, numbers) {
  const known = numbers.filter(value => value !== null), low = Math.min(...known), high = Math.max(...known);
  const x = at => 4 + at / Math.max(1, numbers.length - 1) * 212, y = value => 34 - (value - low) / Math.max(1, high - low) * 28;
  const dot = draw("circle", {r: 3.5});
  const svg = draw("svg", {class: "spark", viewBox: "0 0 220 40", width: 220, height: 40, role: "img", "aria-label": `${label}: from ${low} to ${high}`},
    draw("polyline", {points: numbers.flatMap((value, at) => value === null ? [] : [`${x(at)},${y(value)}`]).join(" ")}), dot);
  const words = make("span", {});
  return {element: make("p", {class: "under"}, svg, make("br"), label, ": ", words), show: at => {
    dot.setAttribute("visibility", numbers[at] === null ? "hidden" : "visible");
    dot.setAttribute("cx", x(at));
    dot.setAttribute("cy", y(numbers[at] ?? low));
    words.textContent = numbers[at] === null ? "it was not" : counted(numbers[at]);
  }};
}

const MOVES_LISTED = 2000; /* longer ones have the slider */
let stopPlaying = () => {};

/* A run on its board: what stands above the buttons and below them, and `show`, to go to a move. */
function stage(run, alone, go) {
  const width = numberOf("width", run), height = numberOf("height", run);
  const start = wordOf("start", run).split(" ").map(Number), goal = wordOf("goal", run).split(" ").map(Number);
  const solved = wordOf("status", run) === "solved", length = numberOf("length", run), moves = wordOf("moves", run);
  const room = alone ? window.innerWidth - 190 : window.innerWidth / 2 - 56;
  const size = Math.max(alone ? 26 : 20, Math.min(68, Math.floor(Math.min(300, room) / width)));
  const board = drawnBoard(width, height, size, goal, false);
  const target = drawnBoard(width, height, Math.max(13, Math.round(size * 0.42)), null, true);
  const place = make("p", {class: "under", role: "status"});
  target.show(goal);
  board.show(start);
  const above = make("div", {}, make("div", {class: "boards"}, board.element,
    alone ? make("div", {}, make("p", {class: "under"}, "goal"), target.element) : null), place);
  place.textContent = solved && length === 0 ? "the start is the goal"
    : solved && moves === "" ? `start; ${counted(length)} moves, which runs.csv leaves out` : "start";
  if (moves === "")
    return {moves, above, below: make("div"), place, show: () => {}};
  const boards = boardsOf(start, moves, width);
  const seen = data.searches?.[run]; /* when the search came to these boards */
  const lines = seen ? [["f when the board was expanded", seen.f], ["live nodes (open list) when it was", seen.live]]
    : [["moves made + Manhattan distance", boards.map((own, at) => at + movesLeft(own, goal, width))]];
  const sparks = lines.filter(([, numbers]) => numbers.some(value => value !== null)).map(line => sparkline(...line));
  const letters = moves.length > MOVES_LISTED ? [] : [...moves].map((move, number) =>
    make("button", {type: "button", tabindex: -1, title: `move ${number + 1}: ${directions[move]}`, onclick: () => go(number + 1)}, move));
  function show(to) {
    const at = Math.min(to, moves.length);
    board.show(boards[at]);
    sparks.forEach(spark => spark.show(at));
    place.textContent = at === 0 ? `start; ${counted(moves.length)} move${plural(moves.length)} to go`
      : `move ${counted(at)} of ${counted(moves.length)}: the blank goes ${directions[moves[at - 1]]}`;
    letters.forEach((letter, number) => {
      letter.classList.toggle("past", number < at);
      if (number === at - 1)
        letter.setAttribute("aria-current", "step");
      else
        letter.removeAttribute("aria-current");
    });
  }
  return {moves, above, below: make("div", {}, make("p", {class: "moves"}, ...letters), ...sparks.map(spark => spark.element)), place, show};
}

/* Runs, one or two of one board, played in step. */
function player(...runs) {
  const stages = runs.map(run => stage(run, runs.length === 1, to => { stop(); go(to); }));
  const length = Math.max(...stages.map(own => own.moves.length));
  const named = (own, number) => runs.length > 1 ? make("div", {}, make("p", {}, make("strong", {}, cellText("solver", runs[number]))), own) : own;
  const stands = make("div", {class: "columns"}, ...stages.map((own, number) => named(own.above, number)));
  let at = 0, timer = 0;
  if (length === 0)
    return make("div", {class: "player"}, stands);

  const slider = make("input", {type: "range", min: 0, max: length, value: 0, "aria-label": "Move"});
  const button = (text, label, action) => make("button", {type: "button", "aria-label": label, title: label, onclick: action}, text);
  const first = button("|<", "First board", () => { stop(); go(0); });
  const back = button("<", "One move back", () => { stop(); go(at - 1); });
  const play = button("Play", "Play or pause", () => timer ? stop() : begin());
  const next = button(">", "One move on", () => { stop(); go(at + 1); });
  const last = button(">|", "Last board", () => { stop(); go(length); });

  function go(to) {
    at = Math.max(0, Math.min(length, to));
    stages.forEach(own => own.show(at));
    slider.value = at;
    slider.setAttribute("aria-valuetext", stages[0].place.textContent);
    for (const [end, buttons] of [[0, [first, back]], [length, [next, last]]]) /* they keep the focus */
      buttons.forEach(own => own.setAttribute("aria-disabled", String(at === end)));
    if (at === length)
      stop();
  }
  const live = how => stages.forEach(own => own.place.setAttribute("aria-live", how));
  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    live("polite");
  }
  function begin() {
    if (at === length)
      go(0);
    live("off");
    play.textContent = "Pause";
    timer = setInterval(() => go(at + 1), Math.max(60, Math.min(420, 20000 / length)));
  }
  stopPlaying = stop;
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  const keys = {ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(length),
                " ": () => timer ? stop() : begin()};
  const element = make("div", {class: "player", role: "group", tabindex: 0,
                               "aria-label": "The solution, move by move: arrow keys, Home, End; the space bar plays"}, stands,
    make("div", {class: "buttons"}, first, back, play, next, last), slider, make("div", {class: "columns"}, ...stages.map(own => own.below)));
  element.addEventListener("keydown", event => {
    const own = event.target === slider ? event.key === " " : event.target.tagName !== "BUTTON" || event.key !== " ";
    if (!keys[event.key] || !own || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    if (event.key !== " ")
      stop();
    keys[event.key]();
  });
  go(0);
  return element;
}

/* One run */

const quoted = text => /^[A-Za-z0-9_.,:=\/+][A-Za-z0-9_.,:=\/+-]*$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";

/* null for a program of one's own, which only its experiment starts. */
function solveCommand(run) {
  if (wordOf("solver", run).startsWith("external("))
    return null;
  const words = ["tilelab solve -s", quoted(wordOf("solver", run))];
  const goal = wordOf("goal", run);
  const width = numberOf("width", run), height = numberOf("height", run);
  const last = Array.from({length: width * height}, (_, cell) => (cell + 1) % (width * height)).join(" ");
  if (goal !== last)
    words.push("-g", quoted(goal));
  if (width !== height)
    words.push("--size", `${width}x${height}`);
  if (wordOf("order", run) !== "ULRD")
    words.push("--order", quoted(wordOf("order", run)));
  for (const [option, name, unit] of [["--time", "limit_s", "s"], ["--nodes", "limit_nodes", ""], ["--memory", "limit_bytes", "B"], ["--cpu", "limit_cpu_s", "s"]])
    if (columns.has(name) && numberOf(name, run))
      words.push(option, numberOf(name, run) + unit);
  return [...words, wordOf("start", run)].join(" ");
}

const sameBoardColumns = ["status", "length", "expanded", "generated", "wall_s"];

const boardKeys = ["set", "instance", "start", "goal"].map(name => columns.get(name));
const isSameBoard = (a, b) => boardKeys.every(column => wordNumber(column, a) === wordNumber(column, b));

function sameBoard(run, beside) {
  const body = make("tbody");
  for (let other = 0; other < data.count; other++) {
    if (!isSameBoard(run, other))
      continue;
    const name = cellText("solver", other), id = wordOf("run_id", other), pressed = other === beside;
    body.append(make("tr", {}, make("th", {scope: "row", class: "text"}, swatch(data.solvers[solverOf(other)].colour), " ",
      other === run ? make("strong", {}, name) : make("a", {href: "#run-" + id}, name)),
      ...sameBoardColumns.map(column => make("td", {class: column === "status" ? "text" : null}, cellText(column, other))),
      make("td", {class: "buttons"}, other === run ? "" : make("button", {type: "button", "aria-pressed": String(pressed), "aria-label": "beside " + name,
        onclick: () => state.set({beside: pressed ? "" : id})}, "beside"))));
  }
  if (body.rows.length < 2)
    return [];
  return [make("h3", {}, "The same board"), make("div", {class: "wide"}, make("table", {},
    make("thead", {}, make("tr", {}, make("th", {scope: "col", class: "text"}, "solver"),
      ...sameBoardColumns.map(name => make("th", {scope: "col", class: name === "status" ? "text" : null}, headingOf(name))), make("th", {scope: "col"}, "played"))), body))];
}

/* What comes after what the run came to. */
const circumstances = ["order", "repetition", "limit_s", "limit_nodes", "limit_bytes", "limit_cpu_s", "host", "finished_at", "build", "run_id"];
let opened = -1;

function openRun(run) {
  const section = byId("run");
  const facts = make("dl");
  const told = new Set(["start", "goal", "moves", "width", "height", "solver", "set", "instance"]);
  const status = wordOf("status", run);
  stopPlaying();
  const named = state.get("beside") === "" ? undefined : runNamed(state.get("beside"));
  const beside = named !== undefined && named !== run && isSameBoard(run, named) ? named : null;
  const names = data.columns.map(column => column.name);
  for (const name of [...names.filter(own => !circumstances.includes(own)), ...circumstances.filter(own => names.includes(own))]) {
    const text = told.has(name) ? "" : cellText(name, run);
    if (text !== "")
      facts.append(make("dt", {}, headingOf(name)), make("dd", {class: name === "run_id" || name === "build" ? "mono" : null}, text,
        name === "status" && status !== "solved" && data.statuses[status] ? make("span", {class: "hint"}, ": " + data.statuses[status].meaning) : null));
    if (name === "status" && data.messages[wordOf("run_id", run)] !== undefined)
      facts.append(make("dt", {}, "message"), make("dd", {}, make("bdi", {}, data.messages[wordOf("run_id", run)])));
  }
  const again = [data.results === null ? null : `tilelab rerun ${quoted(data.results)} ${wordOf("run_id", run)}`, solveCommand(run)]
    .filter(command => command !== null).map(command => make("code", {class: "command", tabindex: 0}, command));
  const commands = again.length === 0 ? "" : make("div", {}, make("h3", {}, "Again"), ...again);
  const board = wordOf("instance", run) === "" ? [] : [" on ", ...(wordOf("set", run) === "" ? [] : [make("bdi", {}, wordOf("set", run)), " / "]), make("bdi", {}, wordOf("instance", run))];
  section.replaceChildren(
    make("h2", {}, swatch(data.solvers[solverOf(run)].colour), make("bdi", {}, cellText("solver", run)), ...board),
    make("div", {class: "columns"}, player(run, ...(beside === null ? [] : [beside])), make("div", {class: "facts"}, facts, commands, ...sameBoard(run, beside))));
  section.hidden = false;
  opened = run;
}

let runOfId = null;

function runNamed(id) {
  runOfId ??= new Map(Array.from({length: data.count}, (_, run) => [wordOf("run_id", run), run]));
  return runOfId.get(id);
}

/* Shows the run with this id; the keys then play it. */
function chooseRun(id) {
  if (state.place === "run-" + id)
    followPlace();
  else
    state.go("run-" + id);
}

function showRun(run) {
  openRun(run);
  runTable?.mark();
  (byId("run").querySelector(".player[tabindex]") ?? byId("run")).focus({preventScroll: true});
  byId("run").scrollIntoView({block: "start"});
}

/* Unfolds a part of the page and goes there. */
function followPlace() {
  const run = state.place.startsWith("run-") ? runNamed(state.place.slice(4)) : undefined;
  const part = byId(state.place);
  if (run !== undefined) {
    showRun(run);
  } else if (part) {
    const folds = part.querySelectorAll(":scope > details");
    if (folds.length === 1)
      folds[0].open = true;
    part.scrollIntoView({block: "start"});
  }
}

/* The table of all runs: only the rows in sight are there */

function makeRunTable(area) {
  const board = columns.get("instance").words.some(word => word !== "") ? "instance" : "start";
  const names = [board, "set", "optimal_length", "solver", "repetition", "status", "length", "h_start", "expanded", "generated",
                 "duplicates", "max_stored", "peak_bytes", "wall_s"].filter(name => hasValues(name)
    && (name !== "set" || columns.get(name).words.length > 1) && (name !== "repetition" || columns.get(name).numbers.length > 1));
  const isText = name => Boolean(columns.get(name).words);
  const keys = new Map();
  const head = make("tr", {"aria-rowindex": 1});
  const body = make("tbody");
  const table = make("table", {"aria-colcount": names.length}, make("thead", {}, head), body);
  let order = new Uint32Array(0), sorting = null, rowHeight = 31, current = 0, from = -1, to = -1;
  for (const name of names) {
    const heading = make("th", {scope: "col", class: isText(name) ? "text" : null}, headingOf(name));
    sortButton(heading, direction => { sorting = {name, direction}; sort(); area.scrollTop = 0; current = 0; render(true); });
    head.append(heading);
  }
  area.append(table);

  function sort() {
    if (sorting === null)
      return;
    if (!keys.has(sorting.name))
      keys.set(sorting.name, keysOf(sorting.name));
    const values = keys.get(sorting.name), direction = sorting.direction;
    order.sort((a, b) => compareNumbers(values[a], values[b], direction) || a - b);
  }
  function rowOf(place) {
    const run = order[place];
    const id = wordOf("run_id", run);
    return make("tr", {"aria-rowindex": place + 2, "data-place": place, class: run === opened ? "open" : null},
      ...names.map((name, column) => {
        const text = cellText(name, run);
        const cell = make("td", {class: isText(name) ? "text" : null});
        if (column === 0)
          cell.append(make("a", {href: "#run-" + id, tabindex: place === current ? 0 : -1}, text || id.slice(0, 8)));
        else if (name === "solver")
          cell.append(swatch(data.solvers[solverOf(run)].colour), " ", text);
        else if (name === "status" && text !== "solved")
          cell.append(make("span", {class: "status-bad"}, text));
        else
          cell.append(text);
        return cell;
      }));
  }
  const gap = rows => {
    const row = make("tr", {class: "gap", "aria-hidden": "true"}, make("td", {colspan: names.length}));
    row.firstChild.style.height = rows * rowHeight + "px";
    return row;
  };
  function renderRows(first, end) {
    const rows = [];
    for (let place = first; place < end; place++)
      rows.push(rowOf(place));
    from = first;
    to = end;
    body.replaceChildren(...(first > 0 ? [gap(first)] : []), ...rows, ...(end < order.length ? [gap(order.length - end)] : []));
  }
  function render(always) {
    const first = Math.max(0, Math.floor(area.scrollTop / rowHeight) - 12);
    const end = Math.min(order.length, first + Math.ceil((area.clientHeight || 600) / rowHeight) + 24);
    if (always || first !== from || end !== to)
      renderRows(first, end);
  }
  function goTo(place) {
    current = Math.max(0, Math.min(order.length - 1, place));
    const top = current * rowHeight, room = area.clientHeight - 3 * rowHeight;
    if (top < area.scrollTop)
      area.scrollTop = top;
    else if (top > area.scrollTop + room)
      area.scrollTop = top - room;
    render(true);
    body.querySelector(`[data-place="${current}"] a`)?.focus({preventScroll: true});
  }
  area.addEventListener("scroll", () => requestAnimationFrame(() => render(false)));
  area.addEventListener("keydown", event => {
    const page = Math.max(1, Math.floor(area.clientHeight / rowHeight) - 2);
    const to = {ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0,
                End: order.length - 1}[event.key];
    if (to === undefined || event.target.closest("thead"))
      return;
    event.preventDefault();
    goTo(event.target === area && event.key === "ArrowDown" && current === 0 ? 0 : to);
  });
  body.addEventListener("click", event => {
    const row = event.target.closest("tr[data-place]");
    if (row && !event.target.closest("a"))
      chooseRun(wordOf("run_id", order[row.dataset.place]));
  });
  return {
    show(runs) {
      order = runs;
      sort();
      table.setAttribute("aria-rowcount", order.length + 1);
      area.scrollTop = current = 0;
      render(true);
      const row = body.querySelector("tr[data-place]");
      if (row)
        rowHeight = row.getBoundingClientRect().height || rowHeight;
    },
    mark() {
      render(true);
    },
    /* All rows up to so many, for paper; then those in sight again. */
    unroll(most) {
      renderRows(0, Math.min(order.length, most));
      body.querySelector("tr.gap")?.remove();
    },
    roll() {
      render(true);
    },
  };
}
let runTable = null;
let shownRuns = new Uint32Array(0); /* those that the filter leaves */
let drawRuns = () => {};

function quantile(sorted, share) { /* R's type 7, as `tilelab compare` has it */
  const place = (sorted.length - 1) * share, below = Math.floor(place);
  if (sorted.length === 0)
    return NaN;
  if (place === below)
    return sorted[below];
  return sorted[below + 1] === Infinity ? Infinity : sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

/* How each solver did on each board: over the least that one of them took, the darker the more */

const HEAT_SOLVERS = 12, HEAT_MOST = 3; /* the darkest is 10^3 times the least */

/* The boards of some runs, from easy to hard: for each the run of each solver, and its value (Infinity: unsolved). */
function boardsBySolver(runs, metric) {
  const boards = [], kinds = columns.get("status").words.map(word => data.statuses[word]), status = columns.get("status");
  let before = -1;
  for (const run of runs) {
    const kind = kinds[wordNumber(status, run)], value = kind.solved ? numberOf(metric, run) : Infinity;
    if (!kind.counts || value === null)
      continue;
    if (before < 0 || !isSameBoard(before, run))
      boards.push({runs: [], values: []});
    before = run;
    const board = boards[boards.length - 1];
    board.runs[solverOf(run)] ??= run;
    board.values[solverOf(run)] ??= value;
  }
  for (const board of boards) {
    board.least = board.values.reduce((least, value) => Math.min(least, value), Infinity);
    board.hard = quantile(Float64Array.from(board.values.filter(() => true)).sort(), 0.5);
  }
  return boards.sort((a, b) => a.hard < b.hard ? -1 : a.hard > b.hard ? 1 : 0);
}

function drawHeat(figure, runs, metric) {
  const boards = boardsBySolver(runs, metric);
  const solvers = data.solvers.map((_, number) => number).filter(number => boards.some(board => number in board.runs));
  if (solvers.length < HEAT_SOLVERS || boards.length === 0) {
    figure.replaceChildren();
    return;
  }
  const style = getComputedStyle(figure), width = figure.clientWidth || 800, tall = 15, left = Math.min(200, width * 0.35);
  const wide = Math.min(24, (width - left) / boards.length), sharp = window.devicePixelRatio || 1;
  const canvas = make("canvas", {width: width * sharp, height: solvers.length * tall * sharp, role: "img", class: "coloured",
    "aria-label": `${headingOf(metric)} of ${solvers.length} solvers on ${boards.length} boards; the table of runs has the numbers`});
  canvas.style.cssText = `width:${width}px;height:${solvers.length * tall}px`;
  const pen = canvas.getContext("2d"), told = make("span", {role: "status"});
  pen.scale(sharp, sharp);
  pen.font = `11px ${style.fontFamily}`;
  solvers.forEach((solver, row) => {
    pen.fillStyle = "#000000";
    pen.fillText(data.solvers[solver].shown, 0, row * tall + 11, left - 8);
    boards.forEach((board, column) => {
      if (!(solver in board.runs))
        return;
      const value = board.values[solver], ratio = Math.log10(Math.max(value, 1e-9) / Math.max(board.least, 1e-9)) / HEAT_MOST;
      pen.fillStyle = value === Infinity ? "#000000" : `hsl(${48 + 170 * Math.min(1, ratio)}, 55%, ${88 - 58 * Math.min(1, ratio)}%)`;
      pen.fillRect(left + column * wide, row * tall, Math.max(1, wide - (wide > 4 ? 1 : 0)), tall - 1);
    });
  });
  const under = event => {
    const scale = width / canvas.clientWidth; /* smaller in a window that was made narrower */
    const board = boards[Math.floor((event.offsetX * scale - left) / wide)], solver = solvers[Math.floor(event.offsetY / tall)];
    return board?.runs[solver] === undefined ? null : {run: board.runs[solver], value: board.values[solver], solver};
  };
  canvas.addEventListener("mousemove", event => {
    const cell = under(event);
    told.textContent = cell === null ? "" : ` ${data.solvers[cell.solver].shown} on ${wordOf("instance", cell.run)}: ${shown(metric, cell.value)}.`;
  });
  canvas.addEventListener("click", event => {
    const cell = under(event);
    if (cell !== null)
      chooseRun(wordOf("run_id", cell.run));
  });
  figure.replaceChildren(canvas, make("figcaption", {},
    `${headingOf(metric)} by solver and board, the easy boards first: faint is the least on the board, strong ${counted(10 ** HEAT_MOST)} times as much or more; black (in the dark: white) is unsolved. A click opens the run.`, told));
}

/* The filter */

function startRuns() {
  const form = byId("filters"), count = byId("shown-count");
  const metrics = [...new Set([...data.metrics.map(metric => metric.name), "h_start", ...extras])]
    .filter(name => columns.has(name) && hasValues(name));
  const labelled = (text, control) => make("label", {}, text, control);
  const choice = (name, words, any) => make("select", {name}, make("option", {value: ""}, any), ...words.map(word => make("option", {value: word}, word)));
  const sets = columns.get("set").words, statuses = columns.get("status").words.slice().sort(collator.compare);
  const set = choice("set", sets, "all"), status = choice("status", statuses, "all");
  const numeric = (name, label) => make("input", {type: "number", name, "aria-label": label, step: "any"});
  const fewest = numeric("optimum-from", "optimum from"), most = numeric("optimum-to", "optimum to");
  const usual = metrics.includes(data.metric) ? data.metric : metrics[0];
  const metric = make("select", {name: "metric"},
    ...metrics.map(name => make("option", {value: name, selected: name === usual}, headingOf(name))));
  const low = numeric("value-from", "its values from"), high = numeric("value-to", "its values to");
  const words = make("input", {type: "search", name: "words", placeholder: "board, or the start of a run", autocomplete: "off"});
  const boxes = data.solvers.map((solver, number) => make("input", {type: "checkbox", name: "solver", value: number, checked: true}));
  form.append(make("fieldset", {}, make("legend", {}, "Solvers"),
    ...data.solvers.map((solver, number) => make("label", {}, boxes[number], swatch(solver.colour), make("bdi", {}, solver.shown)))),
    ...(sets.length > 1 ? [labelled("Set", set)] : []), labelled("Status", status),
    ...(hasValues("optimal_length") ? [make("span", {}, labelled("Optimum from", fewest), " ", labelled("to", most))] : []),
    labelled("Counter", metric), make("span", {}, labelled("from", low), " ", labelled("to", high)), labelled("Words", words),
    make("button", {type: "reset"}, "Reset"));

  const all = Uint32Array.from({length: data.count}, (_, run) => run);
  const solverColumn = columns.get("solver"), setColumn = columns.get("set"), statusColumn = columns.get("status");
  let texts = null, ids = null; /* made when words are first looked for */
  const within = (value, from, to) => (from === "" || (value !== null && value >= from)) && (to === "" || (value !== null && value <= to));
  const bound = input => input.value === "" ? "" : Number(input.value);
  const controls = [...form.elements].filter(control => control.name && control.type !== "checkbox");
  const fold = byId("run-fold");
  let drawn = false;

  function filter() {
    const chosen = solverColumn.words.map((_, word) => boxes[solverOfWord[word]].checked);
    const setWord = setColumn.words.indexOf(set.value), statusWord = statusColumn.words.indexOf(status.value);
    const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word);
    const from = bound(fewest), to = bound(most), above = bound(low), below = bound(high);
    if (wanted.length > 0) {
      texts ??= Array.from(all, run => `${wordOf("set", run)} ${wordOf("instance", run)} ${wordOf("start", run)}`.toLowerCase());
      ids ??= Array.from(all, run => wordOf("run_id", run));
    }
    const tests = [[chosen.includes(false), run => chosen[wordNumber(solverColumn, run)]],
                   [set.value !== "", run => wordNumber(setColumn, run) === setWord],
                   [status.value !== "", run => wordNumber(statusColumn, run) === statusWord],
                   [from !== "" || to !== "", run => within(numberOf("optimal_length", run), from, to)],
                   [above !== "" || below !== "", run => within(numberOf(metric.value, run), above, below)],
                   [wanted.length > 0, run => wanted.every(word => texts[run].includes(word) || ids[run].startsWith(word))]];
    shownRuns = tests.filter(([asked]) => asked).reduce((runs, [, test]) => runs.filter(test), all.slice());
    count.textContent = `${counted(shownRuns.length)} of ${counted(data.count)} runs`;
    drawn = false;
    if (fold.open)
      drawRuns();
  }
  /* From the state to the form, and back. */
  function take() {
    const hidden = state.get("hide").split(".");
    boxes.forEach((box, number) => { box.checked = !hidden.includes(String(number)); });
    for (const control of controls)
      control.value = state.get(control.name) || (control === metric ? usual : "");
    filter();
  }
  function give() {
    const changes = Object.fromEntries(controls.map(control => [control.name, control === metric && metric.value === usual ? "" : control.value]));
    changes.hide = boxes.flatMap((box, number) => box.checked ? [] : [number]).join(".");
    state.set(changes);
  }
  drawRuns = () => {
    if (drawn)
      return;
    drawn = true;
    runTable.show(shownRuns);
    drawHeat(byId("heatmap"), shownRuns, metric.value);
  };
  let waiting = 0;
  form.addEventListener("input", event => {
    if (event.target === metric)
      low.value = high.value = "";
    clearTimeout(waiting);
    waiting = setTimeout(give, 60);
  });
  form.addEventListener("reset", () => setTimeout(() => { metric.value = usual; give(); }, 0));
  form.addEventListener("submit", event => event.preventDefault());
  state.subscribe(names => {
    if (names.includes("hide") || controls.some(control => names.includes(control.name)))
      take();
  });
  fold.addEventListener("toggle", () => fold.open && drawRuns());
  runTable = makeRunTable(byId("run-table"));
  take();
}

/* Sets: a tab for each */

function startTabs() {
  const sets = [...document.querySelectorAll("#answer .set")];
  if (sets.length < 2)
    return;
  const tabs = sets.map((set, number) => {
    set.id = "set-" + number;
    set.setAttribute("role", "tabpanel");
    set.setAttribute("aria-label", set.dataset.set);
    return make("button", {type: "button", role: "tab", "aria-controls": set.id, onclick: () => state.set({tab: set.dataset.set})}, ...set.querySelector("h2").cloneNode(true).childNodes);
  });
  const list = make("div", {role: "tablist", "aria-label": "Sets of boards"}, ...tabs);
  function show() {
    const at = Math.max(0, sets.findIndex(set => set.dataset.set === state.get("tab")));
    sets.forEach((set, number) => { set.hidden = number !== at; });
    tabs.forEach((tab, number) => {
      tab.setAttribute("aria-selected", String(number === at));
      tab.tabIndex = number === at ? 0 : -1;
    });
    return tabs[at];
  }
  list.addEventListener("keydown", event => {
    const at = tabs.indexOf(event.target), last = tabs.length - 1;
    const to = {ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last}[event.key];
    if (to === undefined)
      return;
    event.preventDefault();
    tabs[to].click();
    tabs[to].focus();
  });
  sets[0].before(list);
  state.subscribe(names => names.includes("tab") && show());
  show();
}

/* Runs of a submission, those of one board beside each other */

function playBeside(area) {
  let board = "", row = null;
  for (let run = 0; run < data.count; run++) {
    const own = `${wordOf("set", run)}/${wordOf("instance", run)}`;
    if (own !== board)
      area.append(make("h3", {}, own), row = make("div", {class: "columns"}));
    board = own;
    const length = numberOf("length", run);
    row.append(make("div", {}, make("p", {}, make("strong", {}, cellText("solver", run)), `: ${cellText("status", run)}`,
      length === null ? "" : `, ${counted(length)} move${plural(length)}`), player(run)));
  }
}

if (byId("beside")) {
  playBeside(byId("beside"));
} else if (byId("filters")) {
  startTabs();
  startRuns();
} else if (data.count === 1) {
  byId("run-table").remove();
  openRun(0);
} else {
  runTable = makeRunTable(byId("run-table"));
  runTable.show(Uint32Array.from({length: data.count}, (_, run) => run));
  openRun(0);
  runTable.mark();
}
if (byId("run")) {
  window.addEventListener("hashchange", () => { readState(); followPlace(); });
  state.subscribe(names => names.includes("beside") && opened >= 0 && showRun(opened));
  followPlace();
}
window.Tilelab = {data, columns, extras, state, chooseRun, get runs() { return shownRuns; }, make, draw, wordOf, wordNumber, numberOf, solverOf,
                  shown, headingOf, hasValues, counted, quantile, boardsOf};

/* Paper */

const PRINTED = 500; /* runs */
const PAPER = 715, PADDING = 9.5, LETTERS = 9.5; /* pixels: across a sheet, beside a cell's text, and in height */
const ruler = make("canvas").getContext("2d");

/* Names of solvers break after "(", "," and "_". */
const piecesOf = text => text.split(/(?<=[\s(,_])/);
function mayBreak(head) {
  const words = (head.querySelector("button") ?? head), pieces = piecesOf(words.textContent);
  words.replaceChildren(...pieces.flatMap((piece, place) => place === 0 ? [piece] : [make("wbr"), piece]));
}
/* How wide a column is on paper: cells stand on one line. */
function widthOnPaper(table, place) {
  const widest = (weight, texts) => {
    ruler.font = `${weight} ${LETTERS}px ${getComputedStyle(table).fontFamily}`;
    return Math.max(0, ...texts.map(text => ruler.measureText(text.trim()).width));
  };
  const cells = [...table.tBodies[0].rows].map(row => row.cells[place].textContent);
  return PADDING + Math.max(widest("bold", piecesOf(table.tHead.rows[0].cells[place].textContent)), widest("normal", cells));
}

/* A table that is wider goes on below, in parts that each have the first column. */
function splitTables() {
  for (const table of document.querySelectorAll(".wide > table")) {
    if (table.closest("#run")) /* it stands beside the board */
      continue;
    const heads = [...table.tHead.rows[0].cells], widths = heads.map((_, place) => widthOnPaper(table, place)), parts = [new Set([0])];
    let room = PAPER - widths[0];
    widths.slice(1).forEach((width, before) => {
      if (room < width && parts.at(-1).size > 1) {
        parts.push(new Set([0]));
        room = PAPER - widths[0];
      }
      parts.at(-1).add(before + 1);
      room -= width;
    });
    table.classList.add("whole");
    table.after(...parts.map((part, number) => {
      const copy = table.cloneNode(true);
      copy.className = "part";
      if (number > 0)
        copy.caption?.remove();
      for (const row of copy.rows)
        [...row.cells].forEach((cell, place) => part.has(place) || cell.remove());
      [...copy.tHead.rows[0].cells].forEach(mayBreak);
      return copy;
    }));
  }
}

document.querySelectorAll(".chart tbody th").forEach(mayBreak); /* a phone is narrow, too */

window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    details.open = true;
    details.dataset.closed = "";
  }
  drawRuns();
  runTable?.unroll(PRINTED);
  splitTables();
});
window.addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-closed]")) {
    details.open = false;
    delete details.dataset.closed;
  }
  document.querySelectorAll("table.part").forEach(part => part.remove());
  document.querySelectorAll("table.whole").forEach(table => table.classList.remove("whole"));
  runTable?.roll();
});
})();
