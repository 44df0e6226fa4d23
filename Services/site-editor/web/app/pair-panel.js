// "Pair a scanner or tag": a code is typed, or comes with the link that the scanner prints.

import { show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { liveStyle } from './live-bar.js';
import { onPaired, pair, paired, unpair } from './pairing.js';
import { addPanels } from './panels.js';
import { present } from './position-store.js';
import { positionText } from './positions.js';
import { say } from './announcing.js';
import { toast } from './sharing.js';
import { faultText } from './waiting.js';
import { t, timeOfDay, waitTime } from './words.js';

/** The code of the link, once: browsers keep this part of an address to themselves. */
function codeOfAddress() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') || '';
  if (code) history.replaceState(history.state, '', location.pathname + location.search);
  return code.slice(0, 64);
}

/** Shows the panel. */
function showPair(app, focus) {
  liveStyle();
  const draw = (focused) => app.shell.set([
    app.shell.head(t('pair.title'), () => show({})),
    el('p', { class: 'quiet', text: t('pair.about') }),
    paired() ? whilePaired(app, paired()) : form(),
  ], focused);
  app.leave = onPaired(() => draw(true));
  draw(focus);
}

function form() {
  const note = el('p', { class: 'fault', role: 'alert' });
  const input = el('input', {
    id: 'pair-code', class: 'pair-code', type: 'text', autocomplete: 'off', maxlength: '64',
    autocapitalize: 'characters', spellcheck: 'false', value: codeOfAddress(),
  });
  const press = el('button', { type: 'submit', class: 'primary', text: t('pair.do') });
  const send = async (event) => {
    event.preventDefault();
    const code = input.value.trim();
    if (press.disabled) return;
    if (!code) {
      note.textContent = t('pair.empty');
      input.focus();
      return;
    }
    press.disabled = true;
    note.textContent = '';
    try {
      await pair(code);
    } catch (fault) {
      press.disabled = false;
      note.textContent = reason(fault);
      input.focus();
    }
  };
  return el('form', { class: 'stack', on: { submit: send } }, [
    el('label', { for: 'pair-code', text: t('pair.code') }),
    el('div', { class: 'row' }, [input, press]), note,
  ]);
}

function reason(fault) {
  // A text that can be no code is as wrong as one that nobody shows.
  if (fault.code === 'pairing-code-unknown' || fault.status === 400 || fault.status === 422) {
    return t('pair.wrong');
  }
  if (fault.code === 'pairing-slowed') {
    return t('pair.slowed', { time: waitTime(fault.retryAfter) });
  }
  return fault.status === 0 ? faultText(fault) : t('pair.failed');
}

function whilePaired(app, now) {
  const time = timeOfDay(now.until, app.site.timeZone());
  const position = present();
  const own = position && position.source === 'paired';
  return el('div', { class: 'stack' }, [
    el('p', { text: t('pair.on', { device: now.device, time }) }),
    el('p', { class: 'quiet', text: own ? positionText(app, position) : t('pair.waiting') }),
    button([icon('close'), el('span', { text: t('pair.end') })], async () => {
      try {
        await unpair(now.id);
      } catch (fault) {
        say(t('pair.notEnded'));
        toast(t('pair.notEnded'));
      }
    }, { class: 'secondary wide' }),
  ]);
}

addPanels({ pair: showPair });
