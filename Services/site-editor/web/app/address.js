// The address of the page says what it shows, so that a link, back and forward show it again.

const MEMBERS = [
  'floor', 'room', 'entry', 'building', 'point', 'from', 'to', 'profile', 'lang', 'at', 'panel',
  'embed', 'kiosk', 'shared',
];

const listeners = [];
let state = read();

function read() {
  const query = new URLSearchParams(location.search);
  const result = {};
  MEMBERS.forEach((name) => {
    const value = query.get(name);
    if (value) result[name] = value.slice(0, 300);
  });
  // The page without JavaScript offers directions by touch among the profiles.
  if (result.profile === 'by-touch') {
    delete result.profile;
    if (result.to && !result.panel) result.panel = 'ear';
  }
  return result;
}

function queryOf(members) {
  const query = new URLSearchParams();
  MEMBERS.forEach((name) => {
    if (members[name]) query.set(name, members[name]);
  });
  const text = query.toString();
  return text ? '?' + text : '';
}

/** Takes more members of the address: those of another app. */
export function addMembers(names) {
  names.forEach((name) => MEMBERS.push(name));
  state = read();
}

/** What the page shows. */
export function address() {
  return state;
}

/** Shows something else: members that are null go. `replace` makes no step for the back button. */
export function go(changes, replace) {
  const next = Object.assign({}, state);
  Object.keys(changes).forEach((name) => {
    if (changes[name]) next[name] = changes[name];
    else delete next[name];
  });
  if (queryOf(next) === queryOf(state)) return;
  const before = state;
  state = next;
  const url = location.pathname + queryOf(state);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  listeners.forEach((listener) => listener(state, before));
}

/** Says the same in another form of the address: nothing else is shown, so nobody is told. */
export function rewrite(changes) {
  const next = Object.assign({}, state, changes);
  Object.keys(next).filter((name) => !next[name]).forEach((name) => delete next[name]);
  state = next;
  history.replaceState(history.state, '', location.pathname + queryOf(state));
}

/** Shows one thing alone: what was shown before goes, but floor, language and profile stay. */
export function show(changes, replace) {
  const none = {
    room: null, entry: null, building: null, point: null, from: null, to: null, panel: null,
  };
  go(Object.assign(none, changes), replace);
}

/** Calls `listener(state, before)` after each change. */
export function onAddress(listener) {
  listeners.push(listener);
}

/** A link for others: this page with these members only. */
export function linkTo(members) {
  return location.origin + location.pathname + queryOf(members);
}

window.addEventListener('popstate', () => {
  const before = state;
  state = read();
  listeners.forEach((listener) => listener(state, before));
});
