/** The range of an axis of values, and its labels. */

import uPlot from 'uplot';
import { number } from '../shared/format';

/**
 * Part of the size of its values that an axis spans at least. Below it values differ by little more than rounding:
 * labels would need more digits than there is room for, and near the last bit there is no number between two of them.
 */
const MIN_RANGE_RATIO = 1e-7;
/** Values below this are zero: powers of ten near the smallest numbers cannot be computed. */
const ZERO = 1e-200;
/** Digits of a label. The most are those that part two marks of the shortest axis. */
const [MIN_DIGITS, MAX_DIGITS] = [4, 9];

/** The ends of an axis that shows values from `min` to `max`; null where there are none. */
export function axisRange(min: number | null, max: number | null): [number, number] | [null, null] {
  if (min === null || max === null) return [null, null];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size < ZERO) return [-1, 1];
  const least = MIN_RANGE_RATIO * size;
  if (max > min && max - min < least) {
    const middle = min + (max - min) / 2;
    return [middle - least / 2, middle + least / 2];
  }
  return uPlot.rangeNum(min, max, { min: { pad: 0.08 }, max: { pad: 0.08 } }) as [number, number];
}

/** Letters of a label that fit beside an axis, and how many of a longer one are shown at least. */
const [MAX_LETTERS, MIN_LETTERS] = [8, 3];

/** Without what all of them begin with, where they are too long: `…4996`, `…4998`; the legend has whole values. */
function shortened(labels: string[]): string[] {
  if (labels.every(({ length }) => length <= MAX_LETTERS) || labels.some((label) => label.includes('e'))) return labels;
  const decimals = Math.max(...labels.map((label) => label.split('.')[1]?.length ?? 0));
  const whole = labels.map((label) => {
    const [before, after = ''] = label.split('.');
    return `${before}.${after.padEnd(decimals, '0')}`;
  });
  const differs = [...whole[0]].findIndex((letter, i) => whole.some((label) => label[i] !== letter));
  const from = Math.min(differs, whole[0].length - MIN_LETTERS);
  if (from <= 1 || whole.some(({ length }) => length !== whole[0].length)) return labels;
  const sign = whole[0].startsWith('−') ? '−' : '';
  return whole.map((label) => `${sign}…${label.slice(from)}`);
}

/** The labels of an axis, with as many digits as make each another than its neighbours. */
export function axisLabels(at: number[]): string[] {
  const size = Math.max(...at.map(Math.abs));
  const spacing = at.length > 1 ? at[1] - at[0] : size;
  const digits = Math.ceil(Math.log10(size / spacing)) + 1;
  return shortened(at.map((x) => number(x, digits > MIN_DIGITS ? Math.min(digits, MAX_DIGITS) : MIN_DIGITS)));
}
