import { describe, expect, it } from 'vitest';
import { affine, apply, interpolate, multiply, multiplyInto, transform } from '../../src/scene/pose_math';

const about = (angle: number, x: number, y: number, z: number) => [
  Math.cos(angle / 2),
  x * Math.sin(angle / 2),
  y * Math.sin(angle / 2),
  z * Math.sin(angle / 2),
];

describe('poses', () => {
  it('turn at even speed along the shorter arc', () => {
    for (const sign of [1, -1]) {
      const a = Float64Array.from([0, 0, 0, ...about(0.2, 0, 0, 1)]);
      const b = Float64Array.from([1, 2, 4, ...about(2.2, 0, 0, 1).map((x) => sign * x)]);
      const out = new Float64Array(7);
      interpolate(a, 0, b, 0, 0.25, out, 0);
      const expected = [0.25, 0.5, 1, ...about(0.7, 0, 0, 1)];
      expected.forEach((x, i) => expect(out[i]).toBeCloseTo(x, 12));
    }
  });

  it('stay unit quaternions between near ones', () => {
    const [a, b, out] = [
      Float64Array.from([0, 0, 0, 1, 0, 0, 0]),
      Float64Array.from([0, 0, 0, ...about(1e-5, 1, 0, 0)]),
      new Float64Array(7),
    ];
    interpolate(a, 0, b, 0, 0.5, out, 0);
    expect(Math.hypot(out[3], out[4], out[5], out[6])).toBeCloseTo(1, 14);
    expect(out[4]).toBeCloseTo(2.5e-6, 12);
  });

  it('map points as rotation and shift do, and compose', () => {
    const m = new Float64Array(12);
    transform(Float64Array.from([1, 2, 3, ...about(Math.PI / 2, 0, 0, 1)]), 0, m, 0);
    apply(m, 0, 1, 0, 0).forEach((x, i) => expect(x).toBeCloseTo([1, 3, 3][i], 12));
    const local = affine({ xyz: [0, 0, 1], quat: [1, 0, 0, 0] }, [2, 3, 4]);
    const product = new Float64Array(12);
    multiply(m, 0, local, 0, product, 0);
    apply(product, 0, 1, 1, 1).forEach((x, i) => expect(x).toBeCloseTo([-2, 4, 8][i], 12));
    const matrix = new Float32Array(16);
    multiplyInto(m, 0, local, 0, matrix, 0);
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 4; c++) expect(matrix[4 * c + r]).toBeCloseTo(product[4 * r + c], 6);
  });
});
