import { describe, expect, it } from 'vitest';
import { drawn, fineness, type Drawn } from '../../src/scene/geometry';
import type { Geometry } from '../../src/stream/schema.generated';

const corners = (shape: unknown, plain: boolean, size: number) =>
  (drawn(shape as Geometry) as Drawn).triangles(fineness(plain, size)).getAttribute('position').count;

describe('round shapes', () => {
  it('have fewer corners where each costs, the fewest where they are small', () => {
    const round = [
      { type: 'sphere', radius: 0.05 },
      { type: 'cylinder', radius: 0.05, length: 0.1 },
      { type: 'cone', radius: 0.05, length: 0.1 },
      { type: 'capsule', radius: 0.05, length: 0.1 },
    ];
    for (const shape of round) {
      const [full, plain, small] = [corners(shape, false, 0.05), corners(shape, true, 1), corners(shape, true, 0.05)];
      expect(plain).toBeLessThan(full);
      expect(small).toBeLessThan(plain);
    }
    // 160 balls of a heap.
    expect(corners(round[0], true, 0.05)).toBeLessThan(130);
    expect(corners({ type: 'box', size: [1, 1, 1] }, true, 0.05)).toBe(24);
  });
});
