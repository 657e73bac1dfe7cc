/** Derivatives of a run: what is differentiated, by what, and the answer as bars with their errors. */

import type { PlotStack } from '../plots/stack';
import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { Link } from '../stream/link';
import { slopeName, type Recording } from '../stream/recording';
import type { ChannelFacts, GradientControl, Sensitivity } from '../stream/schema.generated';
import { barsOf, SCALES, type Scale } from './sensitivity';

/** Most suggestions of a list. */
const MAX_SUGGESTED = 600;
/** Most parameters of the file that are chosen at first. */
const MAX_CHOSEN = 4;
const MEASURES = ['end', 'max', 'min', 'rms', 'integral'];

/** Measures of channels, to choose from. */
export function measuresOf(channels: readonly ChannelFacts[]): string[] {
  return channels.flatMap(({ name }) => MEASURES.map((measure) => `${measure}(${name})`)).slice(0, MAX_SUGGESTED);
}

/** The channels of measures, which are differentiated over time. */
export function channelsOf(measures: readonly string[]): string[] {
  const found = measures.map((measure) => /^(?!time\()\w+\((.*?)(?:,[^,\])]*)?\)$/.exec(measure.trim())?.[1] ?? '');
  return [...new Set(found.filter((channel) => channel !== ''))];
}

/** A list of texts that a person edits, with suggestions. */
class Wishes {
  readonly element: HTMLElement;
  private readonly rows = h('div', { class: 'wishes' });
  private readonly fields: HTMLInputElement[] = [];

  constructor(
    title: string,
    private readonly label: string,
    first: readonly string[],
    suggested: readonly string[],
  ) {
    const list = `choices-of-${label}`;
    const choices = h('datalist', { id: list });
    choices.append(...suggested.slice(0, MAX_SUGGESTED).map((value) => h('option', { value })));
    const add = h('button', { type: 'button', class: 'small', onclick: () => this.add('', list).focus() }, 'Add');
    this.element = h('section', { class: 'wish-list' }, h('h3', {}, title), this.rows, add, choices);
    for (const text of first.length > 0 ? first : ['']) this.add(text, list);
  }

  private add(text: string, list: string): HTMLInputElement {
    const field = h('input', { type: 'text', list, 'aria-label': this.label, value: text, spellcheck: 'false' });
    const remove = h(
      'button',
      { type: 'button', class: 'small icon', title: `Remove this ${this.label}`, 'aria-label': `remove ${this.label}` },
      '×',
    );
    const row = h('div', { class: 'wish' }, field, remove);
    remove.addEventListener('click', () => {
      this.fields.splice(this.fields.indexOf(field), 1);
      row.remove();
    });
    this.fields.push(field);
    this.rows.append(row);
    return field;
  }

  get texts(): string[] {
    return this.fields.map((field) => field.value.trim()).filter((text) => text !== '');
  }
}

/** The bars of one measure. */
function chart(found: Sensitivity, measure: number, scale: Scale): HTMLElement {
  const { name, value } = found.of[measure];
  const rows = barsOf(found, measure, scale).map((bar) => {
    const place = (x: number) => `${50 + 50 * x}%`;
    const fill = h('span', { class: `fill ${bar.part < 0 ? 'less' : 'more'}` });
    fill.style.left = place(Math.min(0, bar.part));
    fill.style.width = `${50 * Math.abs(bar.part)}%`;
    const whisker = h('span', { class: 'whisker' });
    whisker.style.left = place(Math.max(-1, bar.part - bar.error));
    whisker.style.width = `${50 * (Math.min(1, bar.part + bar.error) - Math.max(-1, bar.part - bar.error))}%`;
    const title = [`d ${name} / d ${bar.name} = ${bar.slope}`, bar.holds].filter(Boolean).join('\n');
    return h(
      'div',
      { class: 'bar-row', role: 'listitem', title },
      h('span', { class: 'name' }, h('bdi', {}, bar.name.replace(/^systems\./, ''))),
      h('span', { class: 'bar', 'aria-hidden': 'true' }, h('span', { class: 'zero' }), fill, bar.error > 0 && whisker),
      h('span', { class: 'slope' }, bar.text),
      h('span', { class: 'holds' }, bar.holds),
    );
  });
  return h(
    'section',
    { class: 'bars' },
    h('h3', {}, `${name} = ${typeof value === 'number' ? number(value) : 'no value'}`),
    h('div', { role: 'list' }, ...rows),
  );
}

/** Plots what came with a derivative over time, each below the plot of its channel. */
function plotOverTime(found: Sensitivity, recording: Recording, plots: PlotStack): void {
  const find = (wanted: string) => recording.channels.findIndex(({ name }) => name === wanted);
  for (const channel of new Set(found.over_time.map((one) => one.channel))) {
    const own = found.over_time.filter((one) => one.channel === channel);
    plots.addBelow(
      find(channel),
      own.map(({ by }) => find(slopeName(channel, by))),
    );
  }
}

export interface SensitivityParts {
  offered: GradientControl;
  recording: Recording;
  plots: PlotStack;
  link: Link;
}

/** The panel; it asks the program, and shows the answer. */
export function sensitivityPanel({ offered, recording, plots, link }: SensitivityParts): HTMLElement {
  const { choices } = offered;
  const moved = recording.channels.slice(0, 1).map(({ name }) => `end(${name})`);
  const parameters = choices.filter((path) => path.startsWith('parameters.')).slice(0, MAX_CHOSEN);
  const of = new Wishes(
    'Measures',
    'measure',
    offered.of.length + offered.over_time.length > 0 ? offered.of : moved,
    measuresOf(recording.channels),
  );
  const by = new Wishes(
    'By',
    'number',
    offered.by.length > 0 ? offered.by : parameters.length > 0 ? parameters : choices.slice(0, 1),
    choices,
  );
  const overTime = h('input', { type: 'checkbox', checked: true });
  const run = h('button', { type: 'submit', class: 'small' }, 'Differentiate');
  const status = h('span', { class: 'hint', role: 'status' });
  const results = h('div', { class: 'sensitivities' });
  const scale = h(
    'select',
    { 'aria-label': 'scale of the bars', title: 'By what change of a number the bars are scaled' },
    ...Object.entries(SCALES).map(([value, words]) => h('option', { value }, words)),
  );
  const scaled = h('label', { class: 'scaled', hidden: true }, 'Bars: ', scale);
  const form = h(
    'form',
    { class: 'sensitivity panel-body' },
    h('div', { class: 'asked' }, of.element, by.element),
    h('div', { class: 'ask' }, run, h('label', {}, overTime, ' over time, too'), scaled, status),
    results,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    status.textContent = 'The run is differentiated…';
    run.disabled = true;
    const over = overTime.checked ? [...new Set([...offered.over_time, ...channelsOf(of.texts)])] : [];
    link.send({ command: 'differentiate', of: of.texts, by: by.texts, over_time: over });
  });
  recording.refused.watch(() => {
    if (!run.disabled) return;
    run.disabled = false;
    status.textContent = recording.refused.value;
  });
  link.fault.watch(() => (run.disabled = false));
  const write = () => {
    const found = recording.sensitivity.value;
    if (!found) return;
    scaled.hidden = found.of.length === 0;
    const charts = found.of.map((_, i) => chart(found, i, scale.value as Scale));
    const notes = h('ul', { class: 'notes' }, ...found.notes.map((note) => h('li', {}, note)));
    results.replaceChildren(...charts, ...(found.notes.length > 0 ? [notes] : []));
  };
  scale.addEventListener('change', write);
  recording.sensitivity.follow((found) => {
    if (!found) return;
    run.disabled = false;
    status.textContent = '';
    write();
    plotOverTime(found, recording, plots);
  });
  return form;
}
