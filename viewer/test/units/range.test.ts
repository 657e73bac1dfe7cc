import { expect, it } from 'vitest';
import { along, partOf } from '../../src/controls/range';

it('finds numbers of ranges and their places, however large', () => {
  for (const range of [
    [-2, 3],
    [0, 1e308],
    [-1e308, 1e308],
    [1e-300, 2e-300],
  ] as [number, number][])
    for (const part of [0, 0.25, 0.5, 0.999, 1]) {
      const x = along(range, part);
      expect(Number.isFinite(x)).toBe(true);
      expect(partOf(range, x)).toBeCloseTo(part, 12);
    }
  expect(along([-2, 3], 0.2)).toBeCloseTo(-1, 15);
  expect(partOf([1, 1], 1)).toBe(0);
});
