// Parses every module given as JavaScript of 2018, and prints what each uses of the browser.
//
// The answer is JSON: for each file its free names, their members, and the members of other values.
// `lacking` are the methods that a class calls of itself, and that nothing gives it.
// A file that is not JavaScript of 2018 ends the program with its name and line.

'use strict';

const fs = require('fs');
const acorn = require('acorn');

function read(path) {
  const text = fs.readFileSync(path, 'utf8');
  const type = /^'use strict';$/m.test(text) ? 'script' : 'module';
  try {
    return acorn.parse(text, { ecmaVersion: 2018, sourceType: type, locations: true });
  } catch (error) {
    console.error(path + ': ' + error.message);
    process.exit(1);
  }
}

function children(node) {
  const result = [];
  Object.keys(node).forEach((name) => {
    const value = node[name];
    (Array.isArray(value) ? value : [value]).forEach((one) => {
      if (one && typeof one.type === 'string') result.push([name, one]);
    });
  });
  return result;
}

// Every name that a pattern declares.
function declared(pattern, names) {
  if (!pattern) return;
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'Property') declared(pattern.value, names);
  else if (pattern.type === 'AssignmentPattern') declared(pattern.left, names);
  else if (pattern.type === 'RestElement') declared(pattern.argument, names);
  else (pattern.properties || pattern.elements || []).forEach((one) => declared(one, names));
}

// The members of `this` below a node for which `isWanted(member, parent)` holds.
function ownNames(node, isWanted, names, parent) {
  const isOwn = node.type === 'MemberExpression' && !node.computed
    && node.object.type === 'ThisExpression';
  if (isOwn && isWanted(node, parent)) names.add(node.property.name);
  children(node).forEach((pair) => ownNames(pair[1], isWanted, names, node));
  return names;
}

function lackingMethods(tree) {
  const lacking = [];
  const walk = (node) => {
    if (/^Class(Declaration|Expression)$/.test(node.type) && !node.superClass) {
      const given = ownNames(node.body, (one, parent) => (
        parent.type === 'AssignmentExpression' && parent.left === one), new Set(), node);
      node.body.body.forEach((one) => given.add(one.key.name));
      ownNames(node.body, (one, parent) => (
        parent.type === 'CallExpression' && parent.callee === one), new Set(), node)
        .forEach((name) => { if (!given.has(name)) lacking.push(name); });
    }
    children(node).forEach((pair) => walk(pair[1]));
  };
  walk(tree);
  return lacking;
}

function survey(tree) {
  const own = new Set(['arguments']);
  const walkNames = (node) => {
    if (/Function|Arrow/.test(node.type)) {
      (node.params || []).forEach((one) => declared(one, own));
      if (node.id) own.add(node.id.name);
    }
    if (node.type === 'VariableDeclarator') declared(node.id, own);
    if (node.type === 'ClassDeclaration') own.add(node.id.name);
    if (node.type === 'CatchClause') declared(node.param, own);
    if (/^Import.*Specifier$/.test(node.type)) own.add(node.local.name);
    children(node).forEach((pair) => walkNames(pair[1]));
  };
  walkNames(tree);
  const globals = new Set();
  const members = new Set();
  const methods = new Set();
  const texts = [];
  const walk = (node, parent, role) => {
    if (node.type === 'Identifier') {
      const isName = (parent.type === 'MemberExpression' && role === 'property' && !parent.computed)
        || (parent.type === 'Property' && role === 'key' && !parent.computed)
        || (parent.type === 'MethodDefinition' && role === 'key')
        || /Specifier$/.test(parent.type);
      if (!isName && !own.has(node.name)) globals.add(node.name);
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      const object = node.object;
      if (object.type === 'Identifier' && !own.has(object.name)) {
        members.add(object.name + '.' + node.property.name);
      }
      methods.add(node.property.name);
    }
    if (node.type === 'Literal' && typeof node.value === 'string') {
      texts.push([node.value, node.loc.start.line]);
    }
    if (node.type === 'TemplateElement') texts.push([node.value.cooked, node.loc.start.line]);
    children(node).forEach((pair) => walk(pair[1], node, pair[0]));
  };
  walk(tree, { type: 'None' }, '');
  return {
    globals: [...globals].sort(), members: [...members].sort(), methods: [...methods].sort(), texts,
    lacking: lackingMethods(tree),
  };
}

const result = {};
process.argv.slice(2).forEach((path) => {
  result[path] = survey(read(path));
});
console.log(JSON.stringify(result));
