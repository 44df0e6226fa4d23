// How the reader wants to hear and feel the way. It is kept on the phone only if that is allowed.

import { address, go } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { keep, kept } from './phone.js';
import { t } from './words.js';

const USUAL = { voice: true, vibrate: false, turns: 'door', keys: true, always: false };

/** The choices: voice, vibrate, turns (`door` or `clock`), keys and always. */
export function senses() {
  return Object.assign({}, USUAL, kept('senses') || {});
}

/** Changes some of them. */
export function changeSenses(members) {
  keep('senses', Object.assign(senses(), members));
}

let left = false;

/** The reader has left the directions by ear: they don't come again by themselves. */
export function leaveEar() {
  left = true;
}

/** Whether a route shall be heard at once. */
export function prefersEar() {
  return senses().always && !left && !address().kiosk;
}

/** The buttons of a route for hearing it and, unless the service is `away`, for the camera. */
export function sensesButtons(away) {
  // A kiosk has none.
  if (address().kiosk) return null;
  return el('div', { class: 'row' }, [
    button([icon('ear'), el('span', { text: t('ear') })], () => go({ panel: 'ear' }), {
      class: 'secondary',
    }),
    away ? null : button([icon('camera'), el('span', { text: t('camera') })], () => (
      go({ panel: 'camera' })), { class: 'secondary' }),
  ]);
}

/** The form of the choices; `changed` runs after each, with `asked` where a sensor is wanted. */
export function sensesForm(options) {
  const now = senses();
  const check = (name, key) => {
    const input = el('input', { type: 'checkbox', name, on: {
      change: () => {
        changeSenses({ [name]: input.checked });
        options.changed(name);
      },
    } });
    input.checked = now[name] === true;
    return el('label', { class: 'check' }, [input, el('span', { text: t(key) })]);
  };
  const radio = (value) => {
    const input = el('input', { type: 'radio', name: 'turns', value, on: {
      change: () => {
        changeSenses({ turns: value });
        options.changed('turns');
      },
    } });
    input.checked = now.turns === value;
    return el('label', { class: 'check' }, [input, el('span', { text: t('ear.turns.' + value) })]);
  };
  return el('details', { class: 'group ear-settings' }, [
    el('summary', {}, [icon('settings'), el('span', { text: t('ear.settings') })]),
    options.voice ? check('voice', 'ear.voice')
      : el('p', { class: 'quiet', text: t('ear.noVoice') }),
    options.vibration ? check('vibrate', 'ear.vibrate')
      : el('p', { class: 'quiet', text: t('ear.noVibration') }),
    el('fieldset', {}, [el('legend', { text: t('ear.turns') }), radio('door'), radio('clock')]),
    check('keys', 'ear.keys'), check('always', 'ear.always'),
  ]);
}
