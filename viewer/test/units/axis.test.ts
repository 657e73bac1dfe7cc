import { describe, expect, it } from 'vitest';
import { axisLabels, axisRange } from '../../src/plots/axis';

describe('the axis of a plot', () => {
  it('holds all values, with a little room', () => {
    const [low, high] = axisRange(-2, 3) as [number, number];
    expect(low).toBeLessThan(-2);
    expect(low).toBeGreaterThan(-3);
    expect(high).toBeGreaterThan(3);
    expect(high).toBeLessThan(4);
    expect(axisRange(null, null)).toEqual([null, null]);
    expect(axisRange(5e-324, 1e-323)).toEqual([-1, 1]);
  });

  it.each([
    [9.81, 9.81 + 2 * Number.EPSILON * 8],
    [-9.81 - 1e-14, -9.81],
    [1e300, 1e300 * (1 + 1e-15)],
  ])('of values that differ by rounding only has room for marks (%d to %d)', (min, max) => {
    const [low, high] = axisRange(min, max) as [number, number];
    expect(low).toBeLessThanOrEqual(min);
    expect(high).toBeGreaterThanOrEqual(max);
    const sizes = Math.max(Math.abs(min), Math.abs(max));
    expect(high - low).toBeGreaterThan(0.9e-7 * sizes);
    expect(high - low).toBeLessThan(10 * sizes);
  });

  it('has labels that differ', () => {
    expect(axisLabels([0, 0.5, 1])).toEqual(['0', '0.5', '1']);
    expect(axisLabels([-1000, 0, 1000])).toEqual(['−1000', '0', '1000']);
    expect(axisLabels([9.80999, 9.81, 9.81001])).toEqual(['9.80999', '9.81', '9.81001']);
    expect(axisLabels([7])).toEqual(['7']);
    expect(axisLabels([])).toEqual([]);
    const near = [9.81, 9.8100001, 9.8100002];
    expect(new Set(axisLabels(near)).size).toBe(3);
    // Labels too long for their place are written without their common part.
    expect(axisLabels([0.04994996, 0.04994998, 0.04995])).toEqual(['…4996', '…4998', '…5000']);
    expect(axisLabels([-10.000002, -10.000001])).toEqual(['−…002', '−…001']);
  });
});
