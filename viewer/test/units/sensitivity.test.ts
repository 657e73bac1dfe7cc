import { describe, expect, it } from 'vitest';
import { barsOf, changeOf, holds } from '../../src/controls/sensitivity';
import { channelsOf, measuresOf } from '../../src/controls/sensitivity_panel';
import { rangeOf } from '../../src/controls/again_panel';
import type { Sensitivity } from '../../src/stream/schema.generated';

const FOUND: Sensitivity = {
  of: [{ name: 'end(arm.q)', value: 0.5 }],
  by: [
    { name: 'parameters.m', value: 2, range: [1, 5] },
    { name: 'systems.pid.kp', value: -10, range: null },
    { name: 'initial(arm.q)', value: 0, range: null },
    { name: 'systems.gain.gain.0', value: 1, range: null },
  ],
  derivatives: [
    { value: 0.5, error: 0.05, low: 1.5, high: null },
    { value: 0.2, error: 0.01, low: null, high: null },
    { value: -1, error: 0, low: -0.1, high: 0.2 },
    { value: null, error: null, low: null, high: null },
  ],
  notes: [],
  times: { f64: '' },
  over_time: [],
};

describe('bars of sensitivity', () => {
  it('are scaled by the number, by its range, or not', () => {
    expect(FOUND.by.map((by) => changeOf(by, 'ratio'))).toEqual([2, 10, 1, 1]);
    expect(FOUND.by.map((by) => changeOf(by, 'range'))).toEqual([4, 10, 1, 1]);
    expect(FOUND.by.map((by) => changeOf(by, 'unit'))).toEqual([1, 1, 1, 1]);
    const bars = barsOf(FOUND, 0, 'ratio');
    expect(bars.map(({ part }) => part)).toEqual([0.5, 1, -0.5, 0]);
    expect(bars.map(({ error }) => error)).toEqual([0.05, 0.05, 0, 0]);
    expect(bars[0].text).toBe('1 ± 0.1');
    expect(bars[0].slope).toBe('0.5 ± 0.05');
    expect(bars[3].text).toBe('no value');
    expect(barsOf(FOUND, 0, 'unit').map(({ part }) => part)).toEqual([0.5, 0.2, -1, 0]);
  });

  it('say where they hold', () => {
    expect(holds(1.5, null)).toBe('holds from 1.5 on');
    expect(holds(-0.1, 0.2)).toBe('holds from −0.1 to 0.2');
    expect(holds(null, 3)).toBe('holds up to 3');
    expect(holds(null, null)).toBe('');
    const number = (path: string, values: number[]) => ({ path, about: '', values, names: [] });
    expect(rangeOf(FOUND, number('parameters.m', [2]))).toBe('holds from 1.5 on');
    expect(rangeOf(FOUND, number('systems.gain.gain', [1]))).toBe('');
    expect(rangeOf(null, number('parameters.m', [2]))).toBe('');
  });

  it('have measures to choose from', () => {
    expect(measuresOf([{ name: 'a[0]', unit: '', discrete: false }])).toContain('rms(a[0])');
    expect(channelsOf(['end(arm.q)', 'at(arm.q,0.5)', 'time(touch a b)', 'max(goal.output[1])'])).toEqual([
      'arm.q',
      'goal.output[1]',
    ]);
  });
});
