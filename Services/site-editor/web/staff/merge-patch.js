// JSON Merge Patch (RFC 7396): what an edit changes of a record, and what two edits have in common.

function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The record after a patch; the record itself stays as it is. */
export function applyPatch(record, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(record) ? Object.assign({}, record) : {};
  Object.keys(patch).forEach((name) => {
    if (patch[name] === null) delete result[name];
    else result[name] = applyPatch(result[name], patch[name]);
  });
  return result;
}

/** The record after an edit that puts, patches or removes it; null where there is none. */
export function changedBy(record, edit) {
  if (edit.do === 'put') return Object.assign({}, edit.value, { id: edit.record });
  if (edit.do === 'remove') return null;
  return edit.do === 'patch' && record ? applyPatch(record, edit.value) : record;
}

/** One patch that does what `first` and then `second` do. */
export function combine(first, second) {
  if (!isObject(first) || !isObject(second)) return second;
  const result = Object.assign({}, first);
  Object.keys(second).forEach((name) => {
    result[name] = name in result ? combine(result[name], second[name]) : second[name];
  });
  return result;
}

/** The patch that makes `after` of `before`, for the members that `after` names. */
export function difference(before, after) {
  const patch = {};
  Object.keys(after).forEach((name) => {
    const old = before ? before[name] : undefined;
    const value = after[name];
    if (isObject(value)) {
      const inner = difference(isObject(old) ? old : {}, value);
      if (Object.keys(inner).length) patch[name] = inner;
    } else if (value === null) {
      if (old !== undefined && old !== null) patch[name] = null;
    } else if (JSON.stringify(old) !== JSON.stringify(value)) patch[name] = value;
  });
  return patch;
}

/** What a patch changes, one by one: each a path of members with its value, null where it goes. */
export function parts(patch, path) {
  const here = path || [];
  return [].concat(...Object.keys(patch).map((name) => {
    const value = patch[name];
    const own = here.concat(name);
    return isObject(value) ? parts(value, own) : [{ path: own, value }];
  }));
}

/** The patch of parts. */
export function patchOf(all) {
  const patch = {};
  all.forEach((part) => {
    let at = patch;
    part.path.slice(0, -1).forEach((name) => {
      if (!isObject(at[name])) at[name] = {};
      at = at[name];
    });
    at[part.path[part.path.length - 1]] = part.value;
  });
  return patch;
}

/** The member of a record at a path; null where it has none. */
export function memberAt(record, path) {
  const found = path.reduce((value, name) => (isObject(value) ? value[name] : undefined), record);
  return found === undefined ? null : found;
}
