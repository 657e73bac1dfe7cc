/** Sources of a signal, typed numbers, films, and the channels that are plotted first beside another run. */

import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../src/controls/again_panel';
import { deflection } from '../../src/controls/operator';
import { suggest } from '../../src/plots/suggest';
import { pictureWish } from '../../src/shared/picture_wish';
import { webm } from '../../src/shared/webm';

const pad = (axes: number[], buttons: number[]) =>
  ({ connected: true, axes, buttons: buttons.map((value) => ({ value })) }) as unknown as Gamepad;

describe('a signal that a person moves', () => {
  const signal = { name: 'turn', axis: 2, button: 1, keys: ['a', 'D'] };

  it('is as far from zero as the farthest of what moves it', () => {
    const none = new Set<string>();
    expect(deflection(signal, [], none, 0)).toBe(0);
    expect(deflection(signal, [null, pad([0.9, -0.5], [0.25])], none, 0)).toBe(-0.5);
    expect(deflection(signal, [pad([0, -0.5], [0.75])], none, 0)).toBe(0.75);
    expect(deflection(signal, [pad([0, -0.5], [0])], new Set(['d']), 0)).toBe(1);
    expect(deflection(signal, [], new Set(['a', 'd']), 0.25)).toBe(0.25);
    expect(deflection(signal, [], new Set(['a']), 0)).toBe(-1);
    expect(deflection({ ...signal, keys: ['Space'] }, [], new Set(['space']), 0)).toBe(1);
    // A stick without these axes, one beyond its end, one that trembles.
    expect(deflection(signal, [pad([], [])], none, 0)).toBe(0);
    expect(deflection(signal, [pad([0, 1.3], [])], none, 0)).toBe(1);
    expect(deflection(signal, [pad([0, 0.001], [])], none, 0)).toBe(0);
  });
});

describe('numbers of a diagram file', () => {
  it('are read as they are written', () => {
    expect(numbersOf(' 1, −2 3e-2', 3)).toEqual([1, -2, 0.03]);
    for (const text of ['', '1', '1, x', '1, 2, 3, 4', 'Infinity, 1, 2']) expect(numbersOf(text, 3)).toBe(null);
  });
});

describe('what is plotted first', () => {
  it('has the run before beside the run, and no differences', () => {
    const channels = ['arm.q', 'arm.v', 'before: arm.q', 'difference: arm.q', 'before: arm.v'].map((name) => ({
      name,
      unit: name.endsWith('q') ? 'rad' : 'rad/s',
      discrete: false,
    }));
    expect(suggest(channels)).toEqual([
      [0, 2],
      [1, 4],
    ]);
  });

  it('is what moves most of a kind', () => {
    const channels = Array.from({ length: 10 }, (_, i) => ({ name: `arm.j${i}.q`, unit: 'rad', discrete: false }));
    channels.push({ name: 'arm.height', unit: 'm', discrete: false });
    // Nothing is known: the first of each kind. Else those that move, in their order.
    expect(suggest(channels)).toEqual([[0, 1, 2, 3, 4, 5, 6], [10]]);
    expect(suggest(channels, (i) => (i === 9 || i === 2 ? i : 0))).toEqual([[2, 9], [10]]);
    expect(suggest(channels, (i) => i)[0]).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(suggest(channels, (i) => (i === 10 ? 1 : 0))[0]).toEqual([10]);
  });
});

describe('a film', () => {
  it('is a tree of elements whose lengths add up', () => {
    const frames = [0, 1, 2].map((i) => ({ bytes: Uint8Array.of(i, i, i), time: i * 40, key: i !== 1 }));
    const film = webm(frames, 640, 400, 120);
    const view = new DataView(film.buffer);
    const ids: string[] = [];
    const walk = (from: number, to: number) => {
      for (let at = from; at < to;) {
        const length = film[at] >= 0x80 ? 1 : film[at] >= 0x40 ? 2 : film[at] >= 0x20 ? 3 : 4;
        const id = film.slice(at, at + length).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
        const size = Number(view.getBigUint64(at + length) & 0xffffffffffffffn);
        const body = at + length + 8;
        ids.push(id);
        if (['1a45dfa3', '18538067', '1549a966', '1654ae6b', 'ae', 'e0', '1f43b675'].includes(id))
          walk(body, body + size);
        at = body + size;
        expect(at).toBeLessThanOrEqual(to);
      }
    };
    walk(0, film.length);
    // Two clusters, each from a frame that needs none before it.
    expect(ids.filter((id) => id === '1f43b675').length).toBe(2);
    expect(ids.filter((id) => id === 'a3').length).toBe(3);
  });

  it('is asked for by the address', () => {
    const wish = pictureWish('#picture=scene&size=64x48&eye=1,-2.5,3&follow=arm/link%201&film=webm&fps=25&speed=0.5')!;
    expect(wish).toMatchObject({
      eye: [1, -2.5, 3],
      target: null,
      follow: 'arm/link 1',
      width: 64,
      transparent: false,
    });
    expect(wish.film).toEqual({ as: 'webm', fps: 25, speed: 0.5 });
    expect(pictureWish('#picture=scene')!.film).toBe(null);
  });
});
