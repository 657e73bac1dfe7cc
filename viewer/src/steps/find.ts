/** The attempt under the pointer: a mark before a bar, the nearest of several. */

import type { Attempts } from '../stream/attempts';
import { span } from './draw';

export interface Scales {
  /** Pixels of a time and of a length of step. */
  x: (t: number) => number;
  y: (h: number) => number;
  min: number;
  max: number;
}

/** How near a mark the pointer must be [px]. */
const MAX_POINTER_DISTANCE = 9;

export function find(attempts: Attempts, scales: Scales, px: number, py: number): number {
  const [from, to] = span(attempts, scales.min, scales.max);
  let [best, distance] = [-1, MAX_POINTER_DISTANCE];
  let bar = -1;
  for (let i = from; i < to; i++) {
    const [time, h] = [attempts.times.data[i], attempts.lengths.data[i]];
    const [x, y] = [scales.x(time), scales.y(h)];
    if (attempts.outcomes.data[i] === 0) {
      if (px >= x - 1 && px <= scales.x(time + h) + 1 && py >= y - 4) bar = i;
      continue;
    }
    const away = Math.hypot(px - x, py - y);
    // The line over what was tried counts as well, after marks.
    const line = px > x && px < scales.x(time + h) && Math.abs(py - y) < 4 ? MAX_POINTER_DISTANCE - 1 : Infinity;
    // Of marks at one place the one drawn last lies on top.
    if (Math.min(away, line) <= distance) [best, distance] = [i, Math.min(away, line)];
  }
  return best >= 0 ? best : bar;
}
