/** What a requirement looks like over a plot of its channel: lines that the channel keeps above or below. */

import type { LimitFacts, RequirementFacts } from '../stream/schema.generated';

/** A line through points over time; two points of one time are a jump. */
export interface Line {
  times: number[];
  values: number[];
}

export interface Shape {
  /** The channel stays above each of these lines, and below each of those. */
  above: Line[];
  below: Line[];
  /** The channel gets to this line once. */
  reaches: Line | null;
}

/** How other channels are read: their samples over a stretch of time, and a value at a time. */
export interface Samples {
  of(channel: string, from: number, to: number): Line | null;
  at(channel: string, t: number): number;
}

const level = (value: number, from: number, to: number): Line => ({ times: [from, to], values: [value, value] });

/** The value of a line at a time: that of its end outside. */
export function valueAt({ times, values }: Line, t: number): number {
  let next = times.findIndex((time) => time > t);
  if (next < 0) next = times.length;
  if (next === 0) return values[0];
  if (next === times.length) return values[next - 1];
  const part = (t - times[next - 1]) / (times[next] - times[next - 1]);
  return values[next - 1] + part * (values[next] - values[next - 1]);
}

/** The part of a line from a time to a time; its ends go on level. */
export function cut(line: Line, from: number, to: number): Line {
  const inside = line.times.flatMap((time, i) => (time > from && time < to ? [i] : []));
  return {
    times: [from, ...inside.map((i) => line.times[i]), to],
    values: [valueAt(line, from), ...inside.map((i) => line.values[i]), valueAt(line, to)],
  };
}

function lineOf(limit: LimitFacts, from: number, to: number, samples: Samples): Line | null {
  switch (limit.limit) {
    case 'number':
      return level(limit.value, from, to);
    case 'channel':
      return samples.of(limit.name, from, to);
    case 'rows':
      return limit.times.length > 0 ? cut(limit, from, to) : null;
  }
}

/** True if the requirement has lines over a plot of its channel. */
export function isDrawn({ above, below, reaches, overshoot }: RequirementFacts): boolean {
  return above.length + below.length > 0 || reaches !== null || overshoot !== null;
}

/** The lines of a requirement within a stretch of time; `null` where it asks nothing of its channel there. */
export function shapeOf(facts: RequirementFacts, [from, to]: [number, number], samples: Samples): Shape | null {
  const [begin, end] = [Math.max(from, facts.from), Math.min(to, facts.until ?? Infinity)];
  if (facts.channel === '' || !(begin < end)) return null;
  const lines = (limits: LimitFacts[]) =>
    limits.map((limit) => lineOf(limit, begin, end, samples)).filter((line) => line !== null);
  const shape: Shape = {
    above: lines(facts.above),
    below: lines(facts.below),
    reaches: typeof facts.reaches === 'number' ? level(facts.reaches, begin, end) : null,
  };
  if (facts.overshoot) {
    const [target, most] = facts.overshoot;
    const first = samples.at(facts.channel, facts.from);
    const farthest = level(target + most * (target - first), begin, end);
    if (Number.isFinite(first)) (target >= first ? shape.below : shape.above).push(farthest);
  }
  return shape.above.length + shape.below.length > 0 || shape.reaches ? shape : null;
}

/** The smallest and the largest value of the lines; `null` where there are none. */
export function extent(shapes: Shape[]): [number, number] | null {
  const lines = shapes.flatMap(({ above, below, reaches }) => [...above, ...below, ...(reaches ? [reaches] : [])]);
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of lines)
    for (const x of values) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
  return low <= high ? [low, high] : null;
}
