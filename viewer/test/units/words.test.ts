import { describe, expect, it } from 'vitest';
import { commonPart } from '../../src/plots/plot';
import { search, tree } from '../../src/plots/channel_tree';
import { suggest } from '../../src/plots/suggest';
import { duration, number } from '../../src/shared/format';
import { reason } from '../../src/steps/words';
import type { Attempt } from '../../src/stream/attempts';

const channels = (...names: string[]) => names.map((name) => ({ name, unit: 'm', discrete: false }));

describe('numbers', () => {
  it('are short and true', () => {
    expect([0, 1.5, -0.25, 1234.5678, 1e-7, 3.2e9, NaN, 100].map((x) => number(x))).toEqual([
      '0',
      '1.5',
      '−0.25',
      '1235',
      '1e−7',
      '3.2e9',
      'no value',
      '100',
    ]);
    expect([2, 0.05, 1.25e-3, 3e-6, 4e-10].map(duration)).toEqual(['2 s', '50 ms', '1.25 ms', '3 µs', '0.4 ns']);
  });
});

describe('reasons', () => {
  const attempt: Attempt = {
    index: 0,
    time: 0,
    h: 0.1,
    outcome: 'inaccurate',
    word: 'inaccurate',
    error: 0.004,
    worst: 'arm.q',
    iterations: 1,
    contacts: 0,
    rule: 'oscillation',
  };
  it('say how much too large the error was, and of what', () => {
    expect(reason(attempt, 1e-3)).toBe(
      'Rejected: its estimated error 0.004 is 4 times the accuracy 0.001. The worst coordinate is arm.q.',
    );
    expect(reason({ ...attempt, outcome: 'accepted', error: 5e-4 }, 1e-3)).toMatch(
      /^Accepted: .* 0\.5 times the accuracy/,
    );
    expect(reason({ ...attempt, outcome: 'not_free' }, 1e-3)).toMatch(/^Rejected: .*contact or a joint stop/);
    expect(reason({ ...attempt, outcome: 'transition' }, 1e-3)).toMatch(/not smooth/);
    expect(reason({ ...attempt, outcome: 'energy_gain' }, 1e-3)).toMatch(/energy/);
    expect(reason({ ...attempt, outcome: 'failed', error: null }, null)).toMatch(/no solution/);
    expect(reason({ ...attempt, outcome: 'unknown', word: 'odd' }, null)).toMatch(/"odd"/);
  });
});

describe('channels', () => {
  it('are found by all words, and stand in a tree of their names', () => {
    const list = channels('plant.arm.joint1.q', 'plant.arm.joint2.q', 'suction.force[0]', 'suction.force[1]');
    expect(search(list, 'ARM 2')).toEqual([1]);
    const root = tree(list);
    expect([...root.children.keys()]).toEqual(['plant', 'suction']);
    expect(root.children.get('suction')!.children.get('force')!.children.get('[1]')!.channel).toBe(3);
  });

  it('of a kind are plotted together, positions first', () => {
    const list = channels('a.v', 'a.joint1.q', 'a.joint2.q', 'a.body.qw');
    expect(suggest(list)).toEqual([[1, 2], [0]]);
    expect(suggest([])).toEqual([]);
  });

  it('are written without what all names share', () => {
    expect(commonPart(['plant.arm.joint1.q', 'plant.arm.joint2.q'])).toBe('plant.arm.');
    expect(commonPart(['a.x', 'b.x'])).toBe('');
    expect(commonPart(['a.x'])).toBe('');
  });
});
