/** Where a time lies among times that never decrease. */

/** The last index with `times[index] <= t`; -1 before the first. Of equal times the last: what holds after an event. */
export function lastAtOrBefore(times: ArrayLike<number>, length: number, t: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The sample that holds at `t`, the next one, and how far between them `t` lies; the two differ in time or are one. */
export function between(
  times: ArrayLike<number>,
  length: number,
  t: number,
): { at: number; next: number; part: number } {
  const at = Math.max(0, lastAtOrBefore(times, length, t));
  const next = Math.min(at + 1, length - 1);
  const gap = times[next] - times[at];
  const part = gap > 0 ? Math.min(1, Math.max(0, (t - times[at]) / gap)) : 0;
  return { at, next, part };
}
