/** The requirements of a run in a short list: each with its verdict and its margin. */

import type { Clock } from '../playback/clock';
import type { PlotStack } from '../plots/stack';
import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { Recording } from '../stream/recording';
import type { RequirementReport } from '../stream/schema.generated';

const SIGNS = { met: '✓', violated: '✕', undecided: '…' };

/** The verdict in words; a margin so far of what is undecided. */
export function verdictOf(report: RequirementReport | null): string {
  if (!report || report.verdict === 'undecided') return 'undecided';
  if (report.verdict === 'met') return 'met';
  return typeof report.violated_at === 'number' ? `violated at ${number(report.violated_at, 5)} s` : 'violated';
}

export function marginOf(report: RequirementReport | null): string {
  if (!report || report.margin === null) return '';
  const unit = report.unit === '1' ? '' : report.unit;
  return `margin ${number(report.margin, 4)}${unit && ' '}${unit}`;
}

/** How many are met, in words. */
export function countOf(reports: readonly (RequirementReport | null)[]): string {
  const count = (verdict: string) => reports.filter((one) => (one?.verdict ?? 'undecided') === verdict).length;
  const parts = [`${count('met')} of ${reports.length} met`];
  if (count('violated') > 0) parts.push(`${count('violated')} violated`);
  if (count('undecided') > 0) parts.push(`${count('undecided')} undecided`);
  return parts.join(', ');
}

/** The list; a click on a requirement plots its channel, and goes to where its margin is smallest. */
export function requirementList(recording: Recording, plots: PlotStack, clock: Clock): HTMLElement | null {
  const asked = recording.begin.value?.requirements ?? [];
  if (asked.length === 0) return null;
  const rows = asked.map((facts, i) => {
    const sign = h('span', { class: 'sign', 'aria-hidden': 'true' });
    const verdict = h('span', { class: 'verdict' });
    const margin = h('span', { class: 'margin' });
    const show = () => {
      const report = recording.judged.value[i];
      const time = report?.violated_at ?? report?.margin_at;
      const channel = recording.channels.findIndex(({ name }) => name === facts.channel);
      if (channel >= 0) plots.add([channel]);
      if (typeof time === 'number') {
        clock.pause();
        clock.set(time);
      }
    };
    const title = [facts.asks && `${facts.channel} ${facts.asks}`.trim(), facts.about].filter(Boolean).join('\n');
    const row = h(
      'button',
      { type: 'button', class: 'requirement', title, onclick: show },
      sign,
      h('span', { class: 'name' }, facts.name),
      h('span', { class: 'asks' }, facts.asks),
      verdict,
      margin,
    );
    const write = () => {
      const report = recording.judged.value[i] ?? null;
      row.dataset.verdict = report?.verdict ?? 'undecided';
      sign.textContent = SIGNS[report?.verdict ?? 'undecided'];
      verdict.textContent = verdictOf(report);
      margin.textContent = marginOf(report);
    };
    return { row, write };
  });
  const count = h('span', { class: 'count', role: 'status' });
  const element = h(
    'details',
    { class: 'requirements-host', open: true },
    h('summary', {}, h('h2', {}, 'Requirements'), count),
    h('div', { class: 'requirements', role: 'list' }, ...rows.map(({ row }) => h('div', { role: 'listitem' }, row))),
  );
  recording.judged.follow((reports) => {
    rows.forEach(({ write }) => write());
    count.textContent = countOf(asked.map((_, i) => reports[i] ?? null));
  });
  return element;
}
