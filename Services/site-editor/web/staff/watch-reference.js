// The page of the API: all operations by service, with a search. It shows the document that this
// server has, so it is always of its version, and needs nothing from elsewhere.

import { liveRegion, say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { kept } from '/app/phone.js';
import { chooseLanguage, loadWords, t, tn } from '/app/words.js';
import { Reference, found } from './watch-reference-parts.js';

const PAUSE_MILLISECONDS = 120;

class ReferencePage {
  constructor(page, document_) {
    this.page = page;
    this.reference = new Reference(document_);
    this.find = el('input', {
      id: 'reference-find', type: 'search', maxlength: 100, autocomplete: 'off',
      placeholder: t('watch.findPath'), 'aria-label': t('watch.findPath'),
      on: {
        input: () => {
          clearTimeout(this.timer);
          this.timer = setTimeout(() => this.draw(true), PAUSE_MILLISECONDS);
        },
      },
    });
    this.count = el('p', { class: 'quiet', role: 'status' });
    this.index = el('nav', { class: 'reference-index', 'aria-label': t('watch.operations') });
    this.body = el('div', { class: 'reference-body', id: 'content', tabindex: '-1' });
    const { info } = this.reference.document;
    fill(page, [
      el('a', { class: 'skip', href: '#content', text: t('skip') }),
      el('header', { class: 'reference-head' }, [
        el('h1', { text: t('watch.referenceTitle') }),
        el('p', { class: 'quiet', text: t('watch.version', { version: info.version }) }),
        el('div', { class: 'field find' }, [icon('search'), this.find]), this.count,
        el('p', {}, el('a', {
          href: '/reference/openapi.json', download: 'openapi.json', text: t('watch.asFile'),
        })),
      ]),
      el('div', { class: 'reference' }, [this.index, this.body]),
    ]);
    page.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.find.focus();
      }
    });
    window.addEventListener('hashchange', () => this.open());
    this.draw(false);
    this.open();
  }

  /** The operations with all words of the search, by service. */
  draw(tells) {
    const wanted = found(this.reference.operations, this.find.value);
    const text = tn('watch.operationCount', wanted.length);
    this.count.textContent = text;
    if (tells) say(text);
    const tags = this.reference.tags.map((tag) => ({
      tag, operations: wanted.filter((one) => one.tag === tag),
    })).filter((one) => one.operations.length);
    fill(this.index, tags.map((one) => el('section', {}, [
      el('h2', { text: one.tag }),
      el('ul', {}, one.operations.map((operation) => el('li', {}, el('a', {
        href: '#' + operation.id, 'aria-current': operation.id === this.openID ? 'true' : null,
      }, [
        el('span', { class: 'method ' + operation.method, text: operation.method.toUpperCase() }),
        el('span', { class: 'path', text: operation.path }),
      ])))),
    ])));
    if (!this.openID) this.showStart();
  }

  showStart() {
    const { info } = this.reference.document;
    fill(this.body, [
      el('p', { lang: 'en', text: info.description }),
      el('p', { class: 'quiet', text: t('watch.chooseOperation') }),
    ]);
  }

  /** Opens the operation that the address names. */
  open() {
    const id = decodeURIComponent(location.hash.slice(1));
    const operation = this.reference.operations.find((one) => one.id === id);
    if (!operation) {
      if (id && id !== 'content') this.openID = '';
      return;
    }
    this.openID = id;
    Array.from(this.index.querySelectorAll('a')).forEach((one) => {
      if (one.getAttribute('href') === '#' + id) one.setAttribute('aria-current', 'true');
      else one.removeAttribute('aria-current');
    });
    fill(this.body, this.reference.operationElement(operation));
    const heading = this.body.querySelector('h2');
    heading.setAttribute('tabindex', '-1');
    heading.focus({ preventScroll: true });
    this.body.scrollTop = 0;
    if (heading.scrollIntoView && window.innerWidth < 736) heading.scrollIntoView();
  }
}

async function start() {
  const page = document.getElementById('page');
  await loadWords(chooseLanguage(new URLSearchParams(location.search).get('lang')
    || kept('language')), ['staff/languages/staff-']);
  document.documentElement.classList.add('reference-page');
  document.body.appendChild(liveRegion());
  fill(page, el('p', { class: 'quiet pad', text: t('wait.reference') }));
  window.loading.whole();
  try {
    const answer = await fetch('/reference/openapi.json');
    if (!answer.ok) throw new Error(String(answer.status));
    document.title = t('watch.referenceTitle');
    window.reference = new ReferencePage(page, await answer.json());
  } catch (failure) {
    fill(page, el('div', { class: 'choice' }, [
      el('p', { text: t('fault.other') }),
      button(t('again'), () => location.reload(), { class: 'secondary' }),
    ]));
  }
}

start().catch(() => window.loading.again());
