import { describe, expect, it } from 'vitest';
import { distanceColor, labelColor } from '../../src/controls/camera_panel';
import { commonPart } from '../../src/plots/plot';
import { Photos } from '../../src/stream/photos';

describe('colours of pictures', () => {
  it('of distances go from near to far, and beyond stay at the ends', () => {
    expect(distanceColor(0)).toEqual([253, 231, 37]);
    expect(distanceColor(1)).toEqual([68, 1, 84]);
    expect([distanceColor(-1), distanceColor(2)]).toEqual([distanceColor(0), distanceColor(1)]);
  });

  it('of labels differ, one from any other of a picture', () => {
    const all = Array.from({ length: 40 }, (_, i) => labelColor(i));
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) expect(Math.hypot(...a.map((x, c) => x - b[c]))).toBeGreaterThan(8);
    for (const color of all.flat()) expect(color >= 0 && color <= 255).toBe(true);
  });
});

describe('photos', () => {
  it('hold until the next, and end where there were too many', () => {
    const photos = new Photos({ name: 'eye.depth', columns: 1, rows: 1, labels: null });
    for (const time of [0.1, 0.2]) photos.take({ camera: 0, time, range: [0, 1], png: 'x' });
    photos.take({ camera: 0, time: 0.3, range: [0, 1], png: '' });
    expect([0, 0.1, 0.15, 0.2, 0.25].map((t) => photos.at(t)?.time)).toEqual([undefined, 0.1, 0.1, 0.2, 0.2]);
    expect([photos.at(0.4), photos.isCut]).toEqual([null, true]);
  });
});

describe('names', () => {
  it('have their common part once', () => {
    expect(commonPart(['plant.arm.a.q', 'plant.arm.b.q'])).toBe('plant.arm.');
  });
});
