/** The program, and what is known of its franka example: its table, and the camera that its file asks for. */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');
const BUILT = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');
export const PROGRAM = process.env.KINEGRAPH ?? join(BUILT, 'debug/kinegraph');
export const FILE = 'examples/franka/franka.yaml';
/** Vertical angle of view of the page's camera [rad], and where the example has it look from. */
const FOV = (40 * Math.PI) / 180;
const EYE = [1.7, -1.7, 1.1];
const TARGET = [0.4, 0.1, 0.4];

export type Row = Record<string, number>;
type Vec = number[];

const minus = (a: Vec, b: Vec) => a.map((x, i) => x - b[i]);
const dot = (a: Vec, b: Vec) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a: Vec, b: Vec) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vec) => a.map((x) => x / Math.hypot(...a));

/** Where a pinhole camera sees a point, on a canvas of this size. */
export function seen(point: Vec, [width, height]: [number, number]): [number, number] {
  const forward = unit(minus(TARGET, EYE));
  const right = unit(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  const ray = minus(point, EYE);
  const scale = height / 2 / Math.tan(FOV / 2) / dot(ray, forward);
  return [width / 2 + scale * dot(ray, right), height / 2 - scale * dot(ray, up)];
}

export function table(file: string): Row[] {
  const [head, ...rows] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, Number(row[i])])));
}
