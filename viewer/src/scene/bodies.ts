/** Where every body is at a time: poses and transforms of all bodies of all plants, one after another. */

import type { Recording } from '../stream/recording';
import { between } from '../stream/search';
import type { SceneBody, PlantScene } from '../stream/schema.generated';
import { interpolate, transform } from './pose_math';

export interface BodyEntry {
  plant: number;
  body: number;
  data: SceneBody;
  /** `plant/arm/link1`: with the plant where there are several. */
  label: string;
}

export class Bodies {
  readonly list: BodyEntry[] = [];
  /** Where the bodies of each plant begin. */
  readonly offsets: number[] = [];
  /** Seven numbers a body; NaN: not there. */
  readonly poses: Float64Array;
  /** Twelve numbers a body. */
  readonly transforms: Float64Array;
  /** Twelve numbers a body for ghosts, NaN for the others. */
  readonly ghostTransforms: Float64Array;
  private readonly moving: number[] = [];
  private readonly ghosts: number[] = [];
  private readonly scratch = new Float64Array(7);

  constructor(
    readonly recording: Recording,
    readonly plants: PlantScene[],
    ghosts: { plant: number; bodies: number[] }[],
  ) {
    plants.forEach((plant, p) => {
      this.offsets.push(this.list.length);
      plant.bodies.forEach((data, body) => {
        const label = plants.length > 1 ? `${plant.name}/${data.name}` : data.name;
        const index = this.list.push({ plant: p, body, data, label }) - 1;
        if (data.moving) this.moving.push(index);
      });
    });
    const n = this.list.length;
    this.poses = new Float64Array(n * 7);
    this.transforms = new Float64Array(n * 12);
    this.ghostTransforms = new Float64Array(n * 12).fill(NaN);
    this.list.forEach((entry, i) => {
      this.poses.set([...entry.data.start.xyz, ...entry.data.start.quat], i * 7);
      transform(this.poses, i * 7, this.transforms, i * 12);
    });
    for (const ghost of ghosts) for (const body of ghost.bodies) this.ghosts.push(this.index(ghost.plant, body));
  }

  /** Place among all bodies; -1 if there is none. */
  index(plant: number, body: number): number {
    const known = plant in this.offsets && body >= 0 && body < this.plants[plant].bodies.length;
    return known ? this.offsets[plant] + body : -1;
  }

  isGhost(index: number): boolean {
    return this.ghosts.includes(index);
  }

  /** The place of each moving body among those, -1 of a body that stays. */
  movingIndex(index: number): number {
    return this.moving.indexOf(index);
  }

  /** Poses all bodies as they are at `t`. */
  pose(t: number): void {
    const { times, length, poses, ghosts } = this.recording;
    if (length === 0) return;
    const { at, next, part } = between(times.data, length, t);
    const width = this.moving.length * 7;
    for (let m = 0; m < this.moving.length; m++) {
      const body = this.moving[m];
      interpolateKnown(poses.data, at * width + m * 7, next * width + m * 7, part, this.poses, body * 7);
      transform(this.poses, body * 7, this.transforms, body * 12);
    }
    const ghostWidth = this.ghosts.length * 7;
    for (let g = 0; g < this.ghosts.length; g++) {
      if (this.ghosts[g] < 0) continue;
      interpolateKnown(ghosts.data, at * ghostWidth + g * 7, next * ghostWidth + g * 7, part, this.scratch, 0);
      transform(this.scratch, 0, this.ghostTransforms, this.ghosts[g] * 12);
    }
  }

  /** Where one body was at `t`, as twelve numbers. */
  transformAt(index: number, t: number, out: Float64Array): void {
    const { times, length, poses } = this.recording;
    const m = this.moving.indexOf(index);
    if (m < 0 || length === 0) {
      out.set(this.transforms.subarray(index * 12, index * 12 + 12));
      return;
    }
    const { at, next, part } = between(times.data, length, t);
    const width = this.moving.length * 7;
    interpolateKnown(poses.data, at * width + m * 7, next * width + m * 7, part, this.scratch, 0);
    transform(this.scratch, 0, out, 0);
  }

  /** The origin of a body, as posed last. */
  origin(index: number): [number, number, number] {
    return [this.poses[index * 7], this.poses[index * 7 + 1], this.poses[index * 7 + 2]];
  }
}

/** Between two samples; where the second is not there, as the first. */
function interpolateKnown(data: Float32Array, a: number, b: number, part: number, out: Float64Array, o: number): void {
  if (part === 0 || Number.isNaN(data[b]) || Number.isNaN(data[b + 3]))
    for (let k = 0; k < 7; k++) out[o + k] = data[a + k];
  else interpolate(data, a, data, b, part, out, o);
}
