// Elements of the page are made here, and all text of strangers goes in as text, never as markup.

/** An element with attributes, listeners (`on`) and children; null children are left out. */
export function el(tag, attributes, children) {
  const element = document.createElement(tag);
  const all = attributes || {};
  Object.keys(all).forEach((name) => {
    const value = all[name];
    if (value === null || value === undefined || value === false) return;
    if (name === 'text') element.textContent = value;
    else if (name === 'on') {
      Object.keys(value).forEach((event) => element.addEventListener(event, value[event]));
    } else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  });
  append(element, children);
  return element;
}

/** Appends an element, a text or a list of them. */
export function append(parent, children) {
  if (children === null || children === undefined || children === false) return;
  if (Array.isArray(children)) children.forEach((child) => append(parent, child));
  else if (children instanceof Node) parent.appendChild(children);
  else parent.appendChild(document.createTextNode(String(children)));
}

/** Replaces all that an element contains. */
export function fill(parent, children) {
  while (parent.firstChild) parent.removeChild(parent.firstChild);
  append(parent, children);
}

/** A button that runs `action`; `attributes` may give a class. */
export function button(children, action, attributes) {
  const all = Object.assign({ type: 'button' }, attributes || {});
  all.on = Object.assign({ click: action }, all.on || {});
  return el('button', all, children);
}
