/** How large the scene is, and which bodies hold others within them. */

import * as THREE from 'three';
import type { Recording } from '../stream/recording';
import type { Bodies } from './bodies';
import { drawn } from './geometry';
import { affine, apply, multiply } from './pose_math';

/** Most poses that are read; of a long run only some samples. */
const MAX_SAMPLED_POSES = 100_000;

/** How far the shapes of each body reach from its origin [m]. */
function reaches(bodies: Bodies, meshReach: (plant: number, body: number) => number): number[] {
  return bodies.list.map(({ data, plant, body }) => {
    let reach = meshReach(plant, body);
    for (const { geometry, pose } of [...data.collisions, ...data.visuals]) {
      const how = drawn(geometry);
      if (how && typeof how !== 'string' && how.reach !== Infinity)
        reach = Math.max(reach, how.reach + Math.hypot(...pose.xyz));
    }
    return reach;
  });
}

export interface Bounds {
  box: THREE.Box3;
  centre: THREE.Vector3;
  radius: number;
  lowest: number;
}

/** The box of all moving bodies over the run, and of what stands near them. */
export function bounds(bodies: Bodies, recording: Recording): Bounds {
  const meshes = new Map<string, number>();
  for (const mesh of recording.meshes.value) {
    let far = 0;
    for (let i = 0; i < mesh.positions.length; i += 3)
      far = Math.max(far, Math.hypot(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]));
    for (const use of mesh.uses)
      meshes.set(`${use.plant} ${use.body}`, Math.max(meshes.get(`${use.plant} ${use.body}`) ?? 0, far));
  }
  const reach = reaches(bodies, (plant, body) => meshes.get(`${plant} ${body}`) ?? 0);
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  const add = (x: number, y: number, z: number, r: number) => {
    if (!Number.isFinite(x + y + z)) return;
    box.expandByPoint(point.set(x - r, y - r, z - r));
    box.expandByPoint(point.set(x + r, y + r, z + r));
  };
  const moving = bodies.list.flatMap((entry, i) => (entry.data.moving ? [i] : []));
  const n = moving.length;
  const every = Math.max(1, Math.ceil((recording.length * n) / MAX_SAMPLED_POSES));
  for (let s = 0; s < recording.length; s += every) {
    for (let m = 0; m < n; m++) {
      const o = (s * n + m) * 7;
      const p = recording.poses.data;
      add(p[o], p[o + 1], p[o + 2], reach[moving[m]]);
    }
  }
  if (recording.length === 0) for (const i of moving) add(...bodies.list[i].data.start.xyz, reach[i]);
  // Fixed bodies count too, unless they are far larger than what moves: a hall around a robot.
  const size = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
  bodies.list.forEach((entry, i) => {
    if (entry.data.moving || (reach[i] === 0 && entry.body === 0)) return;
    if (size > 0 && (reach[i] > size * 1.5 || box.distanceToPoint(point.set(...entry.data.start.xyz)) > size * 1.5))
      return;
    shapesBox(entry.data, box);
  });
  // Meshes that stay, where there is nothing else.
  if (box.isEmpty() || box.getSize(point).length() === 0)
    bodies.list.forEach((entry, i) => reach[i] > 0 && add(...entry.data.start.xyz, reach[i]));
  if (box.isEmpty()) add(0, 0, 0, 0.5);
  const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
  return { box, centre: box.getCenter(new THREE.Vector3()), radius, lowest: box.min.z };
}

/** Grows a box by the shapes of a body that stays. */
function shapesBox(data: Bodies['list'][number]['data'], box: THREE.Box3): void {
  const start = affine(data.start);
  const m = new Float64Array(12);
  box.expandByPoint(new THREE.Vector3(...data.start.xyz));
  for (const { geometry, pose } of data.collisions.length > 0 ? data.collisions : data.visuals) {
    const how = drawn(geometry);
    if (!how || typeof how === 'string' || how.reach === Infinity) continue;
    multiply(start, 0, affine(pose), 0, m, 0);
    const half = geometry.type === 'box' ? geometry.size.map((x) => x / 2) : [how.reach, how.reach, how.reach];
    for (let c = 0; c < 8; c++) {
      const s = (bit: number) => (c & bit ? 1 : -1);
      box.expandByPoint(new THREE.Vector3(...apply(m, 0, half[0] * s(1), half[1] * s(2), half[2] * s(4))));
    }
  }
}

/** Bodies of several shapes that stay and have moving ones inside: bins, boxes without lids. */
export function containers(bodies: Bodies, recording: Recording): Set<number> {
  const found = new Set<number>();
  const n = recording.movingCount;
  const point = new THREE.Vector3();
  bodies.list.forEach((entry, i) => {
    if (entry.data.moving || entry.data.collisions.length < 3) return;
    const box = new THREE.Box3();
    shapesBox(entry.data, box);
    const samples = recording.length > 0 ? [0, (recording.length - 1) >> 1, recording.length - 1] : [];
    const p = recording.poses.data;
    const inside = samples.some((s) => {
      for (let m = 0; m < n; m++) {
        const o = (s * n + m) * 7;
        if (box.containsPoint(point.set(p[o], p[o + 1], p[o + 2]))) return true;
      }
      return false;
    });
    if (inside) found.add(i);
  });
  return found;
}
