// Texts are said aloud: by the browser's voice where it has one for the language, else by the live
// region for the screen reader. A text is never given to both.

import { say, sayAfter } from './announcing.js';
import { currentLanguage } from './words.js';

function voices() {
  const synthesis = window.speechSynthesis;
  return synthesis && typeof synthesis.getVoices === 'function' ? synthesis.getVoices() : [];
}

/** The browser's voice for the language of the page, or null. */
export function voiceNow() {
  const own = voices().filter((voice) => (
    voice.lang.toLowerCase().split(/[-_]/)[0] === currentLanguage()));
  // A voice of a server would tell its owner where the reader goes.
  return own.find((voice) => voice.localService) || null;
}

/** Calls `changed` when the browser has read its voices, which some do late; the answer ends it. */
export function onVoices(changed) {
  const synthesis = window.speechSynthesis;
  if (!synthesis || !synthesis.addEventListener) return () => null;
  synthesis.addEventListener('voiceschanged', changed);
  return () => synthesis.removeEventListener('voiceschanged', changed);
}

/** Ends what is being said. */
export function hush() {
  if (window.speechSynthesis && voices().length) window.speechSynthesis.cancel();
}

/**
 * Says a text. A later one ends the one before, since it is about a nearer place.
 * `byVoice` is false for readers whose screen reader shall say all.
 */
export function speak(text, byVoice) {
  const voice = byVoice ? voiceNow() : null;
  if (!voice) {
    say(text, true);
    return;
  }
  window.speechSynthesis.cancel();
  utter(text, voice);
}

/** Says a text after what is being said, if `holds()` is true then. */
export function speakAfter(text, byVoice, holds) {
  const voice = byVoice ? voiceNow() : null;
  if (!voice) sayAfter(text, holds);
  else if (holds()) utter(text, voice);
}

function utter(text, voice) {
  const utterance = new window.SpeechSynthesisUtterance(text);
  utterance.voice = voice;
  utterance.lang = voice.lang;
  // A page that nobody has tapped yet may not speak, and voices fail: then the live region says it.
  utterance.addEventListener('error', (event) => {
    if (event.error !== 'canceled' && event.error !== 'interrupted') say(text, true);
  });
  window.speechSynthesis.speak(utterance);
}

/** Whether this telephone can vibrate; telephones of Apple can't by a page. */
export function canVibrate() {
  return typeof navigator.vibrate === 'function';
}

const PATTERNS = {
  far: [120], near: [120, 90, 120], step: [320], arrived: [320, 120, 320, 120, 320],
  off: [70, 60, 70, 60, 70, 60, 70],
};

/** Vibrates: once at 8 m, twice at 2 m, long at a step, three times at the end. */
export function vibrate(name) {
  if (canVibrate()) navigator.vibrate(PATTERNS[name] || PATTERNS.step);
}
