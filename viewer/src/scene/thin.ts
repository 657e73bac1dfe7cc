/** Contact marks where there are many: those near each other become one, with the sum of their forces. */

/** From this many contact points on marks are thinned. */
export const THINNING_THRESHOLD = 300;

/** Numbers of a contact point: plant, place, force on the second body. */
export const NUMBERS = 7;

/**
 * The contact points `from` to `to` of a list of `NUMBERS` each as marks of the same form: as they are where they are
 * few, else one for each cube of side `near` [m] and plant, at the mean of its points weighted by their forces, with
 * the sum of these. Points whose place is not a number are left out.
 */
export function marks(contacts: ArrayLike<number>, from: number, to: number, near: number): number[] {
  const all: number[] = [];
  const cells = new Map<string, number>();
  const weights: number[] = [];
  const thins = to - from >= THINNING_THRESHOLD && near > 0;
  for (let i = from; i < to; i++) {
    const own = Array.from({ length: NUMBERS }, (_, k) => contacts[i * NUMBERS + k]);
    const place = own.slice(1, 4);
    if (!place.every(Number.isFinite)) continue;
    // A point without force counts as next to nothing.
    const weight = Math.max(Math.hypot(own[4], own[5], own[6]), 1e-9);
    const key = thins ? [own[0], ...place.map((x) => Math.floor(x / near))].join() : '';
    const at = thins ? cells.get(key) : undefined;
    if (at === undefined) {
      cells.set(key, weights.length);
      all.push(...own);
      weights.push(weight);
      continue;
    }
    const sum = weights[at] + weight;
    for (let k = 1; k < 4; k++) all[at * NUMBERS + k] += (weight / sum) * (own[k] - all[at * NUMBERS + k]);
    for (let k = 4; k < NUMBERS; k++) all[at * NUMBERS + k] += own[k];
    weights[at] = sum;
  }
  return all;
}
