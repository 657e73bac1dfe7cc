/** Derivatives as bars: scaled, so that they can be compared. */

import { number } from '../shared/format';
import type { ByNumber, Sensitivity } from '../stream/schema.generated';

/** By what change of a number a bar is scaled. */
export const SCALES = {
  ratio: 'by the number itself (d / d ln p)',
  range: 'over the range of the parameter',
  unit: 'as they are',
};

export type Scale = keyof typeof SCALES;

/** The change of a number by which its bar is scaled: one where it is zero, or has no range. */
export function changeOf({ value, range }: ByNumber, scale: Scale): number {
  if (scale === 'range' && range) return range[1] - range[0];
  if (scale === 'unit' || value === 0) return 1;
  return Math.abs(value);
}

export interface Bar {
  name: string;
  /** The bar, from -1 to 1 of the longest of its measure, and the error in the same measure. */
  part: number;
  error: number;
  /** Text beside it: the scaled derivative with its error. */
  text: string;
  /** The derivative itself. */
  slope: string;
  /** Where it holds. */
  holds: string;
}

/** The bars of a measure. */
export function barsOf(found: Sensitivity, measure: number, scale: Scale): Bar[] {
  const all = found.by.map((by, j) => {
    const { value, error, low, high } = found.derivatives[measure * found.by.length + j];
    const change = changeOf(by, scale);
    return {
      by,
      scaled: typeof value === 'number' ? value * change : NaN,
      off: typeof error === 'number' ? error * change : NaN,
      plain: typeof value === 'number' ? value : NaN,
      plainError: typeof error === 'number' ? error : NaN,
      low,
      high,
    };
  });
  const largest = Math.max(...all.map(({ scaled }) => (Number.isFinite(scaled) ? Math.abs(scaled) : 0)));
  const part = (x: number) => (largest > 0 && Number.isFinite(x) ? x / largest : 0);
  return all.map(({ by, scaled, off, plain, plainError, low, high }) => ({
    name: by.name,
    part: part(scaled),
    error: Math.abs(part(off)),
    text: withError(scaled, off),
    slope: withError(plain, plainError),
    holds: holds(low, high),
  }));
}

function withError(value: number, error: number): string {
  return Number.isFinite(error) ? `${number(value)} ± ${number(error, 2)}` : number(value);
}

/** The range in which a derivative describes the run, in words; empty if nothing bounds it. */
export function holds(low: number | null | undefined, high: number | null | undefined): string {
  const [from, to] = [low, high].map((end) => (typeof end === 'number' ? number(end) : null));
  if (from !== null && to !== null) return `holds from ${from} to ${to}`;
  if (from !== null) return `holds from ${from} on`;
  return to !== null ? `holds up to ${to}` : '';
}
