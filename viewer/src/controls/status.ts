/** The head of the page: what runs, and how it goes. */

import { atMostEvery } from '../shared/dom';
import { number, seconds } from '../shared/format';
import type { Recording } from '../stream/recording';
import type { Layout } from './layout';

export function watchStatus(layout: Layout, recording: Recording): void {
  recording.begin.follow((begin) => {
    if (!begin) return;
    const { diagram, integrator, accuracy } = begin.run;
    document.title = `${diagram} – Kinegraph`;
    layout.title.textContent = diagram;
    layout.facts.textContent = [integrator, accuracy === null ? '' : `accuracy ${number(accuracy)}`]
      .filter(Boolean)
      .join(' · ');
  });
  const write = () => {
    const begin = recording.begin.value;
    const end = recording.end.value;
    const every = begin?.run.every ?? 0.01;
    const words = { done: '✓ done', failed: '✕ failed', stopped: '■ stopped' };
    const desk = recording.desk.value;
    const still = desk !== null && (desk.paused || desk.ended);
    const how = desk?.ended ? '■ at its end' : still ? '❚❚ paused' : '● running';
    layout.status.dataset.status = end?.status ?? (begin && !still ? 'running' : 'waiting');
    layout.status.textContent = end
      ? (words[end.status] ?? end.status)
      : begin
        ? `${how}, ${seconds(recording.reached, every)} s`
        : '… waiting for the run';
  };
  const now = atMostEvery(200, write);
  recording.count.watch(now);
  recording.begin.watch(write);
  recording.end.watch(write);
  recording.desk.watch(write);
  write();
}
