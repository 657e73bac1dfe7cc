/**
 * Poses as seven numbers x y z qw qx qy qz, rigid transforms and affine maps as twelve: the rows of a 3 x 4 matrix.
 * Plain loops over typed arrays: five hundred bodies are posed again for each frame.
 */

import type { Pose } from '../stream/schema.generated';

type Numbers = Float32Array | Float64Array;

/** The pose `part` of the way from one to the other, along the shorter arc at even speed (slerp). */
export function interpolate(a: Numbers, i: number, b: Numbers, j: number, part: number, out: Numbers, o: number): void {
  for (let k = 0; k < 3; k++) out[o + k] = a[i + k] + (b[j + k] - a[i + k]) * part;
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[i + k] * b[j + k];
  const sign = dot < 0 ? -1 : 1;
  const cosine = Math.min(1, Math.abs(dot));
  let [from, to] = [1 - part, part * sign];
  // For small angles the arc is its chord, and the sine below is too small to divide by.
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    from = Math.sin((1 - part) * angle) / sine;
    to = (sign * Math.sin(part * angle)) / sine;
  }
  let norm = 0;
  for (let k = 3; k < 7; k++) {
    const x = a[i + k] * from + b[j + k] * to;
    out[o + k] = x;
    norm += x * x;
  }
  const scale = 1 / Math.sqrt(norm);
  for (let k = 3; k < 7; k++) out[o + k] *= scale;
}

/** The transform of a pose. */
export function transform(p: Numbers, i: number, out: Numbers, o: number): void {
  const [w, x, y, z] = [p[i + 3], p[i + 4], p[i + 5], p[i + 6]];
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y - w * z);
  out[o + 2] = 2 * (x * z + w * y);
  out[o + 3] = p[i];
  out[o + 4] = 2 * (x * y + w * z);
  out[o + 5] = 1 - 2 * (x * x + z * z);
  out[o + 6] = 2 * (y * z - w * x);
  out[o + 7] = p[i + 1];
  out[o + 8] = 2 * (x * z - w * y);
  out[o + 9] = 2 * (y * z + w * x);
  out[o + 10] = 1 - 2 * (x * x + y * y);
  out[o + 11] = p[i + 2];
}

/** The product of two affine maps. */
export function multiply(a: Numbers, i: number, b: Numbers, j: number, out: Numbers, o: number): void {
  for (let row = 0; row < 12; row += 4) {
    const [a0, a1, a2, a3] = [a[i + row], a[i + row + 1], a[i + row + 2], a[i + row + 3]];
    for (let c = 0; c < 3; c++) out[o + row + c] = a0 * b[j + c] + a1 * b[j + 4 + c] + a2 * b[j + 8 + c];
    out[o + row + 3] = a0 * b[j + 3] + a1 * b[j + 7] + a2 * b[j + 11] + a3;
  }
}

/** The product of two affine maps as a column-major 4 x 4 matrix, as a graphics processor wants it. */
export function multiplyInto(a: Numbers, i: number, b: Numbers, j: number, out: Float32Array, o: number): void {
  for (let r = 0; r < 3; r++) {
    const [a0, a1, a2, a3] = [a[i + 4 * r], a[i + 4 * r + 1], a[i + 4 * r + 2], a[i + 4 * r + 3]];
    for (let c = 0; c < 3; c++) out[o + 4 * c + r] = a0 * b[j + c] + a1 * b[j + 4 + c] + a2 * b[j + 8 + c];
    out[o + 12 + r] = a0 * b[j + 3] + a1 * b[j + 7] + a2 * b[j + 11] + a3;
  }
  out[o + 3] = out[o + 7] = out[o + 11] = 0;
  out[o + 15] = 1;
}

/** A pose of the scene, with a scale of its axes, as an affine map. */
export function affine(pose: Pose, scale: readonly [number, number, number] = [1, 1, 1]): Float64Array {
  const out = new Float64Array(12);
  transform(Float64Array.from([...pose.xyz, ...pose.quat]), 0, out, 0);
  for (let row = 0; row < 12; row += 4) for (let c = 0; c < 3; c++) out[row + c] *= scale[c];
  return out;
}

/** A point, mapped. */
export function apply(m: Numbers, i: number, x: number, y: number, z: number): [number, number, number] {
  return [
    m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3],
    m[i + 4] * x + m[i + 5] * y + m[i + 6] * z + m[i + 7],
    m[i + 8] * x + m[i + 9] * y + m[i + 10] * z + m[i + 11],
  ];
}
