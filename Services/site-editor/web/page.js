"use strict";
// Shows the latest positions on the floor plan and in a table by room. The token comes from the
// form, or from the fragment of an older link (#token=...), which leaves the address at once.
const byId = (id) => document.getElementById(id);
const state = { token: "", site: "", rooms: [], floors: [], positions: new Map(), reading: null,
  isMapOnly: false };

// This runs first, because the browser keeps addresses in its history and shows them on the screen.
const fragment = new URLSearchParams(location.hash.slice(1));
if (location.hash) history.replaceState(null, "", location.pathname + location.search);
state.token = fragment.get("token") || "";

function showStatus(text) { byId("status").textContent = text; }

async function get(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  if (state.token) headers.authorization = "Bearer " + state.token;
  const answer = await fetch(path, { ...options, headers });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    const error = new Error(problem.detail || "The server answered " + answer.status);
    error.status = answer.status;
    throw error;
  }
  return answer;
}

function element(name, attributes, parent) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.append(node);
  return node;
}

function drawPlan() {
  const plan = byId("plan");
  plan.replaceChildren();
  const floor = byId("floor").value;
  const rooms = state.rooms.filter((room) => room.floor === floor && room.outline.length > 2);
  const here = [...state.positions.values()].filter((p) => p.floor === floor && p.x != null);
  const corners = rooms.flatMap((room) => room.outline).concat(here.map((p) => [p.x, p.y]));
  if (corners.length === 0) return;
  const xs = corners.map((c) => c[0]);
  const ys = corners.map((c) => c[1]);
  const [left, right] = [Math.min(...xs) - 3, Math.max(...xs) + 3];
  const [bottom, top] = [Math.min(...ys) - 3, Math.max(...ys) + 3];
  plan.setAttribute("viewBox", `${left} ${-top} ${right - left} ${top - bottom}`);
  for (const room of rooms) {
    const points = room.outline.map(([x, y]) => `${x},${-y}`).join(" ");
    element("polygon", { points, class: room.kind }, plan);
  }
  for (const room of rooms) {
    const x = room.outline.reduce((sum, c) => sum + c[0], 0) / room.outline.length;
    const y = room.outline.reduce((sum, c) => sum + c[1], 0) / room.outline.length;
    const across = room.outline.map((c) => c[0]);
    const width = Math.max(...across) - Math.min(...across);
    // A letter is about 0.6 of its height wide; the name has to fit into its room.
    const size = Math.min(1.4, width / Math.max(room.name.length, 1) / 0.6);
    const label = element("text", { x, y: -y, "font-size": size.toFixed(2) }, plan);
    label.textContent = room.name;
  }
  for (const p of here) {
    const group = element("g", { class: p.state }, plan);
    if (p.radius95) element("circle", { cx: p.x, cy: -p.y, r: p.radius95, class: "radius" }, group);
    const dot = element("circle", { cx: p.x, cy: -p.y, r: 0.6, class: "dot" }, group);
    element("title", {}, dot).textContent = p.device;
  }
}

function drawTable() {
  const rows = byId("rows");
  rows.replaceChildren();
  const names = new Map(state.rooms.map((room) => [room.id, room.name]));
  const levels = new Map(state.floors.map((floor) => [floor.id, floor.level]));
  const sorted = [...state.positions.values()].sort((a, b) =>
    String(a.room || "~").localeCompare(String(b.room || "~")) || a.device.localeCompare(b.device));
  for (const p of sorted.slice(0, 500)) {
    const row = rows.insertRow();
    const room = p.state === "lost" ? "not known" : names.get(p.room) || p.room || "outside rooms";
    row.insertCell().textContent = p.state === "uncertain" ? room + " (uncertain)" : room;
    row.insertCell().textContent = levels.get(p.floor) || p.floor || "";
    row.insertCell().textContent = p.device;
    const within = row.insertCell();
    within.className = "number";
    within.textContent = p.radius95 ? p.radius95.toFixed(1) + " m" : "";
    row.insertCell().textContent = new Date(p.at).toLocaleTimeString();
  }
  byId("empty").hidden = sorted.length > 0 || state.isMapOnly;
}

let drawing = false;
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; drawPlan(); drawTable(); });
}

// Reads all pages of a list.
async function all(path, member, query = "") {
  const found = [];
  let after = "";
  do {
    const page = await (await get(path + "?limit=10000" + query + after)).json();
    found.push(...page[member]);
    after = page.next ? "&after=" + encodeURIComponent(page.next) : "";
  } while (after);
  return found;
}

async function openSite(site) {
  if (state.reading) state.reading.abort();
  state.site = site;
  state.positions.clear();
  state.isMapOnly = false;
  const path = "/v1/sites/" + encodeURIComponent(site);
  const floors = await all(path + "/floors", "floors");
  floors.sort((a, b) => a.building.localeCompare(b.building) || a.ordinal - b.ordinal);
  state.rooms = await all(path + "/rooms", "rooms");
  state.floors = floors;
  byId("floor").replaceChildren(...floors.map((floor) => new Option(floor.level, floor.id)));
  draw();
  let latest;
  try {
    latest = await all("/v1/positions/latest", "positions", "&site=" + encodeURIComponent(site));
  } catch (error) {
    if (error.status !== 403) throw error;
    // A visitor may see the map, but no positions.
    state.isMapOnly = true;
    draw();
    showStatus("This token shows the map, but no positions.");
    return;
  }
  for (const position of latest) state.positions.set(position.device, position);
  const crowded = floors.map((floor) =>
    [latest.filter((p) => p.floor === floor.id).length, floor.id]);
  crowded.sort((a, b) => b[0] - a[0]);
  if (crowded.length && crowded[0][0] > 0) byId("floor").value = crowded[0][1];
  draw();
  follow(site);
}

// EventSource can't send a token, so the stream is read with fetch.
async function follow(site) {
  const controller = new AbortController();
  state.reading = controller;
  let lastID = "";
  while (!controller.signal.aborted) {
    try {
      const headers = lastID ? { "last-event-id": lastID } : {};
      const path = "/v1/positions/stream?site=" + encodeURIComponent(site);
      const answer = await get(path, { headers, signal: controller.signal });
      showStatus("live");
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const events = text.split("\n\n");
        text = events.pop();
        for (const event of events) {
          const lines = event.split("\n");
          const id = lines.find((line) => line.startsWith("id: "));
          if (id) lastID = id.slice(4);
          const data = lines.filter((line) => line.startsWith("data: ")).map((l) => l.slice(6));
          if (data.length === 0) continue;
          const position = JSON.parse(data.join("\n"));
          if (!position.late) state.positions.set(position.device, position);
        }
        draw();
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      // The token is of no use for the stream, or the site has been removed.
      const isFinal = [401, 403, 404].includes(error.status);
      showStatus(isFinal ? error.message : error.message + " (trying again)");
      if (isFinal) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function start() {
  try {
    const sites = (await (await get("/v1/sites")).json()).sites;
    byId("sign-in").hidden = true;
    byId("site").replaceChildren(...sites.map((site) => new Option(site.name, site.id)));
    if (sites.length === 0) { showStatus("no site has been imported yet"); return; }
    await openSite(sites[0].id);
  } catch (error) {
    byId("sign-in").hidden = error.status !== 401 && error.status !== 403;
    showStatus(error.status === 401 && !state.token ? "A token is needed." : error.message);
    // The server is busy or restarting, so the page tries again soon.
    if ([429, 502, 503, 504].includes(error.status)) setTimeout(start, 2000);
  }
}

byId("site").addEventListener("change", (event) => openSite(event.target.value));
byId("floor").addEventListener("change", draw);
byId("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  state.token = byId("token").value.trim();
  start();
});
start();
