/** Places on a range of numbers, whatever their size: what slides to the end of 1e308 is a number still. */

export type Range = [lower: number, upper: number];

/** The number at a part of a range, from 0 to 1. */
export const along = ([lower, upper]: Range, part: number): number => lower * (1 - part) + upper * part;

/** The part of a range at which a number of it lies. */
export const partOf = ([lower, upper]: Range, x: number): number =>
  upper > lower ? (x / 2 - lower / 2) / (upper / 2 - lower / 2) : 0;
