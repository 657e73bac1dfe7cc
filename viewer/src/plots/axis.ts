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

/** The labels of an axis, with as many digits as make each another than its neighbours. */
export function axisLabels(at: number[]): string[] {
  const size = Math.max(...at.map(Math.abs));
  const spacing = at.length > 1 ? at[1] - at[0] : size;
  const digits = Math.ceil(Math.log10(size / spacing)) + 1;
  return at.map((x) => number(x, digits > MIN_DIGITS ? Math.min(digits, MAX_DIGITS) : MIN_DIGITS));
}
