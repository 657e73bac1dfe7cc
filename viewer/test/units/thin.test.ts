import { describe, expect, it } from 'vitest';
import { THINNING_THRESHOLD, marks, NUMBERS } from '../../src/scene/thin';

/** `count` points about `x` with a force of `force` newtons up. */
const about = (count: number, x: number, force: number) =>
  Array.from({ length: count }, (_, i) => [0, x + (i % 2 ? 1e-3 : -1e-3), 0.5, 0.5, 0, 0, force]).flat();

describe('contact marks', () => {
  it('are the contact points where these are few', () => {
    const points = [...about(3, 0.5, 2), 0, NaN, 0, 0, 0, 0, 1];
    expect(marks(points, 0, 4, 0.1)).toEqual(points.slice(0, 3 * NUMBERS));
    expect(marks(points, 1, 2, 0.1)).toEqual(points.slice(NUMBERS, 2 * NUMBERS));
  });

  it('carry the sum of the forces where points near each other become one', () => {
    const points = [...about(THINNING_THRESHOLD, 0.55, 2), ...about(10, 3.55, 1)];
    const found = marks(points, 0, THINNING_THRESHOLD + 10, 0.1);
    expect(found.length).toBe(2 * NUMBERS);
    expect(found[1]).toBeCloseTo(0.55, 9);
    expect(found[6]).toBeCloseTo(2 * THINNING_THRESHOLD, 9);
    expect(found[NUMBERS + 6]).toBeCloseTo(10, 9);
  });

  it('do not join what is of two plants', () => {
    const points = about(THINNING_THRESHOLD, 0.55, 2).map((x, i) => (i % NUMBERS === 0 ? (i / NUMBERS) % 2 : x));
    expect(marks(points, 0, THINNING_THRESHOLD, 0.1).length).toBe(2 * NUMBERS);
  });
});
