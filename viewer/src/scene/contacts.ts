/** Contact points with arrows of the forces on the second bodies, seen through what hides them. */

import * as THREE from 'three';
import type { Recording } from '../stream/recording';
import type { Palette } from '../theme/theme';
import { Instances, rod } from './rods';
import { marks, NUMBERS } from './thin';

export class Contacts {
  readonly group = new THREE.Group();
  private readonly points: Instances;
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly materials: THREE.MeshBasicMaterial[] = [];
  /** How many there are at the time shown. */
  count = 0;

  constructor(
    private readonly recording: Recording,
    plain: boolean,
  ) {
    const material = (opacity: number) => {
      const made = new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity });
      this.materials.push(made);
      return made;
    };
    // Marks of a few pixels: without a graphics processor each of their triangles counts.
    const [sides, dot] = plain ? [4, new THREE.OctahedronGeometry(1.1)] : [20, new THREE.SphereGeometry(1, 12, 8)];
    this.points = new Instances(this.group, dot, material(0.95), 64, 10);
    this.shafts = new Instances(this.group, rod(1, 1, sides, true), material(0.85), 64, 10);
    this.heads = new Instances(this.group, rod(0, 1, sides), material(0.95), 64, 10);
  }

  color(palette: Palette): void {
    for (const material of this.materials) material.color.set(palette.contact);
  }

  /** Length of the arrow of one newton [m]: the largest force of the run is a third of the scene. */
  metresPerNewton(radius: number, factor: number): number {
    return this.recording.largestForce > 0 ? (0.45 * radius * factor) / this.recording.largestForce : 0;
  }

  update(sample: number, radius: number, factor: number): void {
    const { contacts, contactStarts, contactEnds } = this.recording;
    const [from, to] = sample < 0 ? [0, 0] : [contactStarts.data[sample], contactEnds.data[sample]];
    this.count = to - from;
    if (!this.group.visible) return;
    const scale = this.metresPerNewton(radius, factor);
    const thick = radius * 0.0065;
    for (const set of [this.points, this.shafts, this.heads]) set.begin();
    // Arrows of one place are one, as far as they would hide each other.
    const all = marks(contacts.data, from, to, thick * 6);
    for (let i = 0; i < all.length; i += NUMBERS) {
      const [, x, y, z, fx, fy, fz] = all.slice(i, i + NUMBERS);
      this.points.at(x, y, z, thick * 1.7);
      const force = Math.hypot(fx, fy, fz);
      if (!(force * scale > thick)) continue;
      const length = force * scale;
      const head = Math.min(length * 0.45, thick * 6);
      const [ux, uy, uz] = [fx / force, fy / force, fz / force];
      const end = (s: number): [number, number, number] => [x + ux * s, y + uy * s, z + uz * s];
      if (length > head) this.shafts.between(x, y, z, ...end(length - head), thick);
      this.heads.between(...end(length - head), ...end(length), thick * 2.6);
    }
    for (const set of [this.points, this.shafts, this.heads]) set.end();
  }
}
