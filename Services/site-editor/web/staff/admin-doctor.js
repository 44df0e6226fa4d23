// The doctor as a page: the checks of `whereabouts doctor`, what is wrong first.

import { el, fill } from '/app/elements.js';
import { t, tn } from '/app/words.js';
import { byResult } from './admin-figures.js';
import { AdminPanel, row } from './admin-parts.js';
import { staffFault } from './staff-faults.js';
import { when } from './staff-times.js';

const WORDS = { wrong: 'wrong', warning: 'warning', "can't tell": 'unknown', ok: 'ok' };
const CLASSES = {
  wrong: 'doctor-wrong', warning: 'doctor-warning', "can't tell": 'doctor-unknown', ok: 'doctor-ok',
};
const ICONS = { wrong: 'warning', warning: 'warning', "can't tell": 'around', ok: 'keep' };

class Doctor extends AdminPanel {
  draw(findings, fault) {
    if (!findings || (!findings.checks.length && !fault)) {
      fill(this.body, fault ? staffFault(fault, () => this.app.doctor.look())
        : el('p', { class: 'quiet pad', text: t('admin.doctor.looks') }));
      return;
    }
    fill(this.body, [
      fault ? staffFault(fault, () => this.app.doctor.look()) : null,
      el('p', { class: findings.wrong ? 'news bad' : 'news good', text: findings.wrong
        ? tn('admin.doctor.banner', findings.wrong) : t('admin.doctor.well') }),
      el('p', { class: 'quiet', text: t('admin.doctor.at', { time: when(findings.at) })
        + (findings.isRunning ? ' ' + t('admin.doctor.again') : '') }),
      byResult(findings.checks).map((group) => this.group(group)),
      el('p', { class: 'hint', text: t('admin.doctor.about') }),
    ]);
  }

  group(group) {
    const name = t('admin.doctor.' + WORDS[group.result], { count: group.checks.length });
    const list = el('ul', { class: 'rows ' + CLASSES[group.result] },
      group.checks.map((one) => {
        const line = row(ICONS[group.result], one.check, []);
        const text = line.querySelector('span');
        [one.text, one.advice].filter(Boolean).forEach((sentence) => {
          text.appendChild(el('small', { lang: 'en', text: sentence }));
        });
        return line;
      }));
    if (group.result === 'ok') {
      return el('details', {}, [el('summary', { text: name }), list]);
    }
    return el('section', {}, [el('h2', { text: name }), list]);
  }
}

/** Shows the findings, and renews them as they come. */
export async function doctorPanel(app, focus) {
  const doctor = new Doctor(app, 'doctor');
  const { watch } = app.shell;
  app.doctor = watch;
  doctor.draw(watch.findings, watch.fault);
  app.shell.set(doctor.element, focus);
  app.leave = watch.on((findings, fault) => doctor.draw(findings, fault));
}
