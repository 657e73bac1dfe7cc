/** The run in words: how it ended, its summary, what could not be shown. */

import { h } from '../shared/dom';
import { number, seconds } from '../shared/format';
import type { Recording } from '../stream/recording';
import type { Clock } from '../playback/clock';

export function runPanel(recording: Recording): HTMLElement {
  const facts = h('dl', {});
  const summary = h('pre', { class: 'summary', tabindex: 0, 'aria-label': 'summary of the run' });
  const notes = h('ul', { class: 'notes' });
  const heading = h('h3', {}, 'Notes');
  const write = () => {
    const begin = recording.begin.value;
    if (!begin) return;
    const { run } = begin;
    const end = recording.end.value;
    const rows: [string, string][] = [
      ['diagram', run.diagram],
      ['integrator', run.integrator],
      ['accuracy', run.accuracy === null ? '–' : number(run.accuracy)],
      [
        'time',
        `${seconds(recording.from, run.every)} to ${seconds(recording.reached, run.every)} s${end?.status === 'done' ? '' : ` of ${seconds(run.end, run.every)} s`}`,
      ],
      ['samples', `${recording.length.toLocaleString('en')}, one every ${number(run.every)} s`],
      ['channels', begin.channels.length.toLocaleString('en')],
      [
        'attempts',
        recording.attempts.length > 0
          ? `${recording.attempts.length.toLocaleString('en')}, ${recording.attempts.rejected.toLocaleString('en')} rejected`
          : '–',
      ],
    ];
    facts.replaceChildren(...rows.flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, value)]));
    summary.hidden = !end?.summary;
    summary.textContent = end?.summary ?? '';
    heading.hidden = recording.notes.list.value.length === 0;
    notes.replaceChildren(
      ...recording.notes.list.value.map(({ text, times }) => h('li', {}, text, times > 1 ? ` (${times} times)` : '')),
    );
  };
  const element = h('div', { class: 'panel-body run' }, facts, summary, heading, notes);
  recording.notes.list.watch(write);
  recording.end.watch(write);
  recording.begin.watch(write);
  // Counts change all the time: they are written when the panel is opened.
  element.addEventListener('shown', write);
  write();
  return element;
}

/** Banner of a failed run: the time it reached, and why it stopped. */
export function endBanner(recording: Recording, clock: Clock): HTMLElement {
  const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
  recording.end.follow((end) => {
    banner.hidden = !end || end.status === 'done';
    if (!end || banner.hidden) return;
    const run = recording.begin.value?.run;
    const every = run?.every ?? 0.01;
    const planned = run && Number.isFinite(run.end) ? ` of ${seconds(run.end, every)} s` : '';
    banner.classList.toggle('failed', end.status === 'failed');
    banner.replaceChildren(
      h('strong', {}, end.status === 'failed' ? '✕ The run failed' : '■ The run was stopped'),
      h('span', {}, ` at ${seconds(end.time, every)} s${planned}. `, h('span', { class: 'why' }, end.message)),
      h('button', { type: 'button', class: 'small', onclick: () => clock.set(recording.reached) }, 'Show the end'),
      h(
        'button',
        {
          type: 'button',
          class: 'small icon',
          'aria-label': 'close this message',
          onclick: () => (banner.hidden = true),
        },
        '×',
      ),
    );
  });
  return banner;
}
