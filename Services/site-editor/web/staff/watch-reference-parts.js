// Operations and schemas of an OpenAPI document as elements. All its texts are shown as text.

import { button, el, fill } from '/app/elements.js';
import { t } from '/app/words.js';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const DEEPEST = 12;

/** Operations in which all words stand: in path, summary, description or id. */
export function found(operations, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((one) => words.every((word) => one.text.indexOf(word) >= 0));
}

export class Reference {
  constructor(document_) {
    this.document = document_;
    this.operations = [];
    Object.keys(document_.paths).forEach((path) => {
      const methods = document_.paths[path];
      METHODS.filter((method) => method in methods).forEach((method) => {
        const about = methods[method];
        const id = about.operationId || method + path;
        const tag = (about.tags || ['operations'])[0];
        const text = [method, path, id, about.summary, about.description].concat(
          about['x-roles'] || []).filter(Boolean).join(' ').toLowerCase();
        this.operations.push({ method, path, about, id, tag, text });
      });
    });
    const named = (document_.tags || []).map((one) => one.name);
    const others = this.operations.map((one) => one.tag);
    this.tags = Array.from(new Set(named.concat(others)));
  }

  /** What a `$ref` names, and its name; the part itself where it has none. */
  resolve(part) {
    if (!part || !part.$ref) return { part: part || {}, name: '' };
    const steps = part.$ref.split('/').slice(1)
      .map((one) => one.replace(/~1/g, '/').replace(/~0/g, '~'));
    const target = steps.reduce((all, step) => (all ? all[step] : null), this.document);
    return { part: target || {}, name: steps[steps.length - 1] };
  }

  operationElement(operation) {
    const { about } = operation;
    return [
      el('h2', {}, [
        el('span', { class: 'method ' + operation.method, text: operation.method.toUpperCase() }),
        el('code', { text: operation.path }),
      ]),
      el('p', { lang: 'en', class: 'reference-summary', text: about.summary || '' }),
      about.description ? el('p', { lang: 'en', text: about.description }) : null,
      this.roles(about), this.parameters(about), this.requestBody(about), this.answers(about),
    ];
  }

  roles(about) {
    const roles = about['x-roles'] || [];
    return el('section', {}, [
      el('h3', { text: t('watch.roles') }),
      el('p', {}, roles.map((role) => el('span', { class: 'reference-role', text: role }))),
      about['x-scope'] ? el('p', { class: 'quiet', text: t('watch.scope.' + about['x-scope']) })
        : null,
    ]);
  }

  parameters(about) {
    const all = (about.parameters || []).map((one) => this.resolve(one).part);
    if (!all.length) return null;
    return el('section', {}, [
      el('h3', { text: t('watch.parameters') }),
      el('dl', { class: 'reference-members' }, all.map((one) => [
        el('dt', {}, [
          el('code', { text: one.name }),
          el('small', { text: ' ' + t('watch.in.' + one.in) + ' · ' + this.typeText(one.schema) }),
          one.required ? this.needed() : null,
        ]),
        el('dd', {}, [
          one.description ? el('p', { lang: 'en', text: one.description }) : null,
          this.limits(one.schema),
        ]),
      ])),
    ]);
  }

  needed() {
    return el('small', { class: 'reference-needed', text: ' ' + t('watch.needed') });
  }

  requestBody(about) {
    const body = about.requestBody && this.resolve(about.requestBody).part;
    if (!body) return null;
    return el('section', {}, [
      el('h3', { text: t('watch.body') }),
      body.description ? el('p', { lang: 'en', text: body.description }) : null,
      this.content(body.content),
    ]);
  }

  answers(about) {
    return el('section', {}, [
      el('h3', { text: t('watch.answers') }),
      el('dl', { class: 'reference-members' }, Object.keys(about.responses || {}).map((status) => {
        const answer = this.resolve(about.responses[status]).part;
        const headers = Object.keys(answer.headers || {});
        return [
          el('dt', {}, el('code', { text: status })),
          el('dd', {}, [
            el('p', { lang: 'en', text: answer.description || '' }),
            headers.length ? el('ul', {}, headers.map((name) => {
              const header = this.resolve(answer.headers[name]).part;
              return el('li', {}, [
                el('code', { text: name }),
                el('span', { lang: 'en', text: ' ' + (header.description || '') }),
              ]);
            })) : null,
            this.content(answer.content),
          ]),
        ];
      })),
    ]);
  }

  content(types) {
    return Object.keys(types || {}).map((type) => el('div', { class: 'reference-content' }, [
      el('p', {}, el('code', { text: type })),
      types[type].schema ? this.schema(types[type].schema, 0, []) : null,
    ]));
  }

  // MARK: Schemas

  typeText(schema) {
    const { part, name } = this.resolve(schema);
    const type = Array.isArray(part.type) ? part.type.join(' | ') : part.type || '';
    if (type === 'array') return t('watch.listOf', { type: this.typeText(part.items) });
    const choice = part.oneOf || part.anyOf;
    if (!type && choice) return choice.map((one) => this.typeText(one)).join(' | ');
    if (!type && part.allOf) return part.allOf.map((one) => this.typeText(one)).join(' & ');
    const plain = [type, part.format].filter(Boolean).join(', ') || 'any';
    return name ? name + (type === 'object' ? '' : ' (' + plain + ')') : plain;
  }

  /** The limits of a value, in one line. */
  limits(schema) {
    const { part } = this.resolve(schema);
    const words = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems',
      'pattern', 'default'].filter((one) => part[one] !== undefined)
      .map((one) => one + ' ' + part[one]);
    const choices = (part.enum || []).map((one) => el('code', { text: String(one) }));
    if (!words.length && !choices.length) return null;
    return el('p', { class: 'quiet reference-limits' }, [
      words.length ? el('span', { lang: 'en', text: words.join(' · ') }) : null, choices,
    ]);
  }

  /** A schema: its members, or those of its items. Named ones open on demand. */
  schema(schema, depth, above) {
    const { part, name } = this.resolve(schema);
    if (name && (depth > 0 || above.indexOf(name) >= 0)) return this.closed(schema, depth, above);
    if (depth > DEEPEST) return null;
    const names = name ? above.concat(name) : above;
    const inner = part.properties ? this.members(part, depth, names)
      : part.type === 'array' ? this.schema(part.items, depth + 1, names)
        : (part.oneOf || part.anyOf || part.allOf || []).map((one) => (
          this.schema(one, depth + 1, names)));
    return el('div', { class: 'reference-schema' }, [
      el('p', {}, [
        el('small', { text: this.typeText(schema) }),
        part.description ? el('span', { lang: 'en', text: ' ' + part.description }) : null,
      ]),
      this.limits(schema), inner,
    ]);
  }

  /** A named schema that is shown when its button is pressed. */
  closed(schema, depth, above) {
    const { name } = this.resolve(schema);
    const place = el('div', {});
    const open = button(name, () => {
      const opens = !place.firstChild;
      open.setAttribute('aria-expanded', String(opens));
      fill(place, opens ? this.opened(schema, depth, above) : null);
    }, { class: 'link', 'aria-expanded': 'false' });
    return el('div', { class: 'reference-named' }, [open, place]);
  }

  opened(schema, depth, above) {
    const { part, name } = this.resolve(schema);
    // Its name is known by now: what is inside is shown, but not itself again.
    return this.schema(part, depth + 1, above.filter((one) => one !== name));
  }

  members(part, depth, above) {
    const needed = part.required || [];
    return el('dl', { class: 'reference-members' }, Object.keys(part.properties).map((name) => {
      const schema = part.properties[name];
      const own = this.resolve(schema);
      const nested = own.part.properties || own.part.type === 'array' || own.part.oneOf
        || own.part.anyOf || own.part.allOf;
      return [
        el('dt', {}, [
          el('code', { text: name }), el('small', { text: ' ' + this.typeText(schema) }),
          needed.indexOf(name) >= 0 ? this.needed() : null,
        ]),
        el('dd', {}, [
          own.part.description ? el('p', { lang: 'en', text: own.part.description }) : null,
          this.limits(schema), nested ? this.nested(schema, depth, above) : null,
        ]),
      ];
    }));
  }

  nested(schema, depth, above) {
    const { part, name } = this.resolve(schema);
    if (name) return this.closed(schema, depth, above);
    if (part.type === 'array') {
      const items = this.resolve(part.items);
      const plain = !items.part.properties && !items.part.oneOf && !items.part.anyOf
        && items.part.type !== 'array';
      return plain ? null : this.nestedItems(part.items, depth, above);
    }
    if (part.properties) return this.members(part, depth + 1, above);
    return (part.oneOf || part.anyOf || part.allOf || []).map((one) => {
      const choice = this.resolve(one);
      return choice.part.properties ? this.nestedItems(one, depth, above) : null;
    });
  }

  nestedItems(schema, depth, above) {
    const { part, name } = this.resolve(schema);
    if (name) return this.closed(schema, depth, above);
    return part.properties && depth < DEEPEST ? this.members(part, depth + 1, above) : null;
  }
}
