// How the reader goes: kept on the phone only, and sent with a question for a route, nowhere else.

import { address, go } from './address.js';
import { el } from './elements.js';
import { icon } from './icons.js';
import { keep, kept } from './phone.js';
import { t } from './words.js';

export const PROFILES = ['walking', 'step-free-preferred', 'step-free-strict', 'wheelchair'];

const LIMITS = {
  neededWidthMetres: { unit: 100, least: 50, most: 150, usual: 80 },
  slopeLimit: { unit: 100, least: 1, most: 20, usual: 6 },
  kerbLimitMetres: { unit: 100, least: 0, most: 15, usual: 3 },
};

/** The profile by the address, else as it is kept; with the limits of a wheelchair. */
export function profileNow() {
  const own = kept('profile') || {};
  const asked = address().profile;
  const profile = PROFILES.indexOf(asked) >= 0 ? asked
    : PROFILES.indexOf(own.profile) >= 0 ? own.profile : 'walking';
  return Object.assign({}, own, { profile });
}

/** Says of a profile in the address that there is none of that name; empty for others. */
export function unknownProfile() {
  const asked = address().profile;
  if (!asked || PROFILES.indexOf(asked) >= 0) return '';
  const named = (profile) => (
    (profile === 'by-touch' ? t('ear') : t('profile.' + profile)) + ' (' + profile + ')');
  return t('profile.unknown', {
    profile: asked.slice(0, 64), shown: named(profileNow().profile),
    profiles: PROFILES.concat('by-touch').map(named).join('; '),
  });
}

/** The members of a question for a route. */
export function profileQuestion() {
  const own = profileNow();
  const result = { profile: own.profile };
  if (own.profile === 'wheelchair') {
    Object.keys(LIMITS).forEach((name) => {
      if (typeof own[name] === 'number') result[name] = own[name];
    });
  }
  if (own.automatic && own.profile !== 'walking') result.avoid = ['manual-doors'];
  return result;
}

function change(members) {
  keep('profile', Object.assign(profileNow(), members));
}

/** Buttons for the profiles, for a route's head. */
export function profileChoice(changed) {
  const now = profileNow().profile;
  const names = { walking: 'walk', 'step-free-preferred': 'ramp', 'step-free-strict': 'lift',
    wheelchair: 'wheels' };
  return el('div', { class: 'profiles', role: 'radiogroup', 'aria-label': t('profile') },
    PROFILES.map((profile) => {
      const input = el('input', { type: 'radio', name: 'profile', value: profile, class: 'unseen',
        on: {
          change: () => {
            change({ profile });
            go({ profile }, true);
            changed();
          },
        } });
      input.checked = profile === now;
      return el('label', {}, [
        input, icon(names[profile]), el('span', { text: t('profile.' + profile) }),
      ]);
    }));
}

/** The whole form: the profile, and the limits of a wheelchair. */
export function profileForm(changed) {
  const form = el('div', { class: 'form' });
  const draw = () => {
    while (form.firstChild) form.removeChild(form.firstChild);
    form.appendChild(profileChoice(() => {
      draw();
      changed();
    }));
    const own = profileNow();
    form.appendChild(el('p', { class: 'quiet', text: t('profile.about.' + own.profile) }));
    if (own.profile === 'wheelchair') {
      Object.keys(LIMITS).forEach((name) => form.appendChild(limitField(name, own)));
    }
    if (own.profile !== 'walking') form.appendChild(automaticField(own));
  };
  draw();
  return form;
}

function limitField(name, own) {
  const limit = LIMITS[name];
  const value = typeof own[name] === 'number' ? Math.round(own[name] * limit.unit) : '';
  const input = el('input', {
    type: 'number', inputmode: 'numeric', min: limit.least, max: limit.most, value,
    placeholder: limit.usual, on: {
      change: () => {
        const entered = Number(input.value);
        const usable = input.value !== '' && entered >= limit.least && entered <= limit.most;
        change({ [name]: usable ? entered / limit.unit : null });
      },
    },
  });
  return el('label', { class: 'field' }, [el('span', { text: t('profile.' + name) }), input]);
}

function automaticField(own) {
  const input = el('input', { type: 'checkbox', on: {
    change: () => change({ automatic: input.checked }),
  } });
  input.checked = own.automatic === true;
  return el('label', { class: 'check' }, [input, el('span', { text: t('profile.automatic') })]);
}
