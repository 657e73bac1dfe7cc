import { describe, expect, it } from 'vitest';
import { countOf, marginOf, verdictOf } from '../../src/controls/requirement_list';
import { withLimits } from '../../src/requirements/draw';
import { cut, extent, shapeOf, valueAt, type Samples } from '../../src/requirements/shape';
import type { RequirementFacts, RequirementReport } from '../../src/stream/schema.generated';

const NONE: Samples = { of: () => null, at: () => NaN };

const asked = (more: Partial<RequirementFacts>): RequirementFacts => ({
  name: 'one',
  asks: '',
  about: '',
  channel: 'plant.q',
  unit: 'm',
  from: 0,
  until: null,
  above: [],
  below: [],
  reaches: null,
  overshoot: null,
  ...more,
});

describe('a requirement over a plot', () => {
  it('has the lines of its window, as far as that is seen', () => {
    const within = asked({
      above: [{ limit: 'number', value: 0.9 }],
      below: [{ limit: 'number', value: 1.1 }],
      from: 2,
      until: 5,
    });
    expect(shapeOf(within, [0, 10], NONE)).toEqual({
      above: [{ times: [2, 5], values: [0.9, 0.9] }],
      below: [{ times: [2, 5], values: [1.1, 1.1] }],
      reaches: null,
    });
    expect(shapeOf(within, [3, 4], NONE)!.above[0].times).toEqual([3, 4]);
    expect(shapeOf(within, [6, 9], NONE)).toBeNull();
  });

  it('follows recorded limits, with their jumps, level outside of their rows', () => {
    const rows = { times: [1, 2, 2, 4], values: [0, 1, 3, 5] };
    expect([0, 1.5, 2, 3, 9].map((t) => valueAt(rows, t))).toEqual([0, 0.5, 3, 4, 5]);
    expect(cut(rows, 1.5, 6)).toEqual({ times: [1.5, 2, 2, 4, 6], values: [0.5, 1, 3, 5, 5] });
    const shape = shapeOf(asked({ below: [{ limit: 'rows', ...rows }] }), [0, 3], NONE)!;
    expect(shape.below[0]).toEqual({ times: [0, 1, 2, 2, 3], values: [0, 0, 1, 3, 4] });
  });

  it('follows other channels, and an overshoot counts from the first value', () => {
    const samples: Samples = {
      of: (channel, from, to) => (channel === 'low' ? { times: [from, to], values: [from, to] } : null),
      at: (_, t) => (t === 1 ? 0.5 : NaN),
    };
    const order = asked({
      above: [
        { limit: 'channel', name: 'low' },
        { limit: 'channel', name: 'not recorded' },
      ],
    });
    expect(shapeOf(order, [1, 3], samples)!.above).toEqual([{ times: [1, 3], values: [1, 3] }]);
    // From 0.5 to 1 and a tenth of the way further.
    const rising = shapeOf(asked({ from: 1, overshoot: [1, 0.1] }), [0, 3], samples)!;
    expect(rising.below[0].values[0]).toBeCloseTo(1.05, 12);
    const falling = shapeOf(asked({ from: 1, overshoot: [0, 0.1] }), [0, 3], samples)!;
    expect(falling.above[0].values[0]).toBeCloseTo(-0.05, 12);
  });

  it('is no part of a plot where it is about a condition', () => {
    expect(shapeOf(asked({ channel: '' }), [0, 1], NONE)).toBeNull();
    expect(shapeOf(asked({}), [0, 1], NONE)).toBeNull();
  });

  it('widens the axis for limits that are near, not for those far away', () => {
    const shape = shapeOf(asked({ reaches: 1.2, until: 0.8 }), [0, 1], NONE)!;
    expect(extent([shape])).toEqual([1.2, 1.2]);
    expect(withLimits([0, 1], [-1, 1.2])).toEqual([-1, 1.2]);
    expect(withLimits([0, 1], [-100, 1.2])).toEqual([0, 1.2]);
    expect(withLimits([2, 2], [0, 5])).toEqual([0, 5]);
    expect(withLimits([null, null], [0, 5])).toEqual([null, null]);
    expect(withLimits([0, 1], null)).toEqual([0, 1]);
  });
});

describe('the list of requirements', () => {
  it('has verdict and margin in words', () => {
    const report = (more: Partial<RequirementReport>): RequirementReport => ({
      name: 'one',
      verdict: 'met',
      margin: 0.125,
      unit: 'm',
      ...more,
    });
    const violated = report({ verdict: 'violated', violated_at: 1.370412, margin: -0.2, unit: '1' });
    expect([verdictOf(null), verdictOf(report({})), verdictOf(violated)]).toEqual([
      'undecided',
      'met',
      'violated at 1.3704 s',
    ]);
    expect([marginOf(null), marginOf(report({})), marginOf(violated)]).toEqual(['', 'margin 0.125 m', 'margin −0.2']);
    expect(countOf([report({}), violated, null])).toBe('1 of 3 met, 1 violated, 1 undecided');
  });
});
