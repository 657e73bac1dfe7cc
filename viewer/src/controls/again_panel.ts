/** The numbers of a diagram file, to run it again with others. */

import { h } from '../shared/dom';
import { holds } from './sensitivity';
import type { Link } from '../stream/link';
import type { Recording } from '../stream/recording';
import type { NumberControl, Sensitivity } from '../stream/schema.generated';

/** True if the panel was open, for the page of the next run. */
const OPEN = 'kinegraph-again';

/** Numbers as a person writes them; `null` where they are not as many numbers as there were. */
export function numbersOf(text: string, count: number): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const values = parts.map((part) => Number(part.replace('−', '-')));
  return values.length === count && values.every(Number.isFinite) ? values : null;
}

export function wasOpen(): boolean {
  return sessionStorage.getItem(OPEN) === 'yes';
}

/** The range in which all derivatives by a number describe the run, in words. */
export function rangeOf(found: Sensitivity | null, { path, values }: NumberControl): string {
  const ranges = values.map((_, i) => {
    const names = values.length === 1 ? [path, `${path}.0`] : [`${path}.${i}`];
    const at = found?.by.findIndex(({ name }) => names.includes(name)) ?? -1;
    if (!found || at < 0) return '';
    const own = found.of.map((_, measure) => found.derivatives[measure * found.by.length + at]);
    const ends = (all: (number | null | undefined)[]) => all.filter((end): end is number => typeof end === 'number');
    const [lows, highs] = [ends(own.map(({ low }) => low)), ends(own.map(({ high }) => high))];
    return holds(lows.length > 0 ? Math.max(...lows) : null, highs.length > 0 ? Math.min(...highs) : null);
  });
  return ranges.filter(Boolean).join('; ');
}

export function againPanel(numbers: NumberControl[], recording: Recording, link: Link): HTMLElement {
  const fields = numbers.map((one) => {
    const text = one.values.join(', ');
    const field = h('input', {
      type: 'text',
      class: 'number',
      'aria-label': one.path,
      value: text,
      spellcheck: 'false',
    });
    const read = () => {
      const values = numbersOf(field.value, one.values.length);
      field.classList.toggle('wrong', values === null);
      field.classList.toggle('changed', values !== null && values.some((value, i) => value !== one.values[i]));
      return values;
    };
    field.addEventListener('input', read);
    const name = one.path.replace(/^(systems|simulation)\./, '');
    const title = one.about ? `${one.path}: ${one.about}` : one.path;
    const range = h('span', { class: 'holds', title: 'Beyond, the derivatives of this run do not describe it' });
    return {
      one,
      read,
      range,
      row: h('label', { class: 'again-row', title }, h('span', {}, h('bdi', {}, name)), field, range),
    };
  });
  recording.sensitivity.follow((found) => {
    for (const { one, range } of fields) range.textContent = rangeOf(found, one);
  });
  const search = h('input', { type: 'search', placeholder: 'search', 'aria-label': 'search numbers' });
  search.addEventListener('input', () => {
    const wanted = search.value.toLowerCase();
    for (const { one, row } of fields) row.hidden = !one.path.toLowerCase().includes(wanted);
  });
  const run = h('button', { type: 'submit', class: 'small' }, 'Run again');
  const form = h(
    'form',
    { class: 'again panel-body' },
    h('p', { class: 'hint' }, 'This run stays as a ghost, and its channels beside those of the next.'),
    fields.length > 12 && search,
    h('div', { class: 'again-rows' }, ...fields.map(({ row }) => row)),
    run,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const changed = [];
    for (const { one, read } of fields) {
      const values = read();
      if (!values) return;
      if (values.some((value, i) => value !== one.values[i])) changed.push({ path: one.path, values });
    }
    sessionStorage.setItem(OPEN, 'yes');
    link.send({ command: 'again', numbers: changed, record: [] });
  });
  return form;
}
