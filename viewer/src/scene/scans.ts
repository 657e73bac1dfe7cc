/** Points that the rays of lidars met, where they met them: of each lidar the scan that is seen at the time shown. */

import * as THREE from 'three';
import type { Recording } from '../stream/recording';
import { lastAtOrBefore } from '../stream/search';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';

/** Width of a point [CSS pixels]. */
const SIZE = 4;

/** One lidar. */
class Cloud {
  readonly points: THREE.Points;
  private shown = -1;
  private readonly pose = new Float64Array(12);

  constructor(
    private readonly recording: Recording,
    private readonly bodies: Bodies,
    private readonly scanner: number,
    private readonly body: number,
    material: THREE.PointsMaterial,
  ) {
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.frustumCulled = false;
  }

  update(t: number): void {
    const { times, scans } = this.recording.scans[this.scanner];
    const at = lastAtOrBefore(times, times.length, t);
    this.points.visible = at >= 0 && this.body >= 0;
    if (!this.points.visible || at === this.shown) return;
    this.shown = at;
    const { taken, points } = scans[at];
    // Where the sensor was when it read.
    this.bodies.transformAt(this.body, taken, this.pose);
    const m = this.pose;
    const world = new Float32Array(points.length);
    for (let i = 0; i < points.length; i += 3)
      for (let c = 0; c < 3; c++)
        world[i + c] =
          m[4 * c] * points[i] + m[4 * c + 1] * points[i + 1] + m[4 * c + 2] * points[i + 2] + m[4 * c + 3];
    this.points.geometry.dispose();
    this.points.geometry = new THREE.BufferGeometry();
    this.points.geometry.setAttribute('position', new THREE.BufferAttribute(world, 3));
  }
}

export class Scans {
  readonly group = new THREE.Group();
  private readonly material = new THREE.PointsMaterial({ size: SIZE, sizeAttenuation: false });
  private readonly clouds: Cloud[];

  constructor(recording: Recording, bodies: Bodies) {
    const scanners = recording.begin.value?.scanners ?? [];
    this.clouds = scanners.map(
      ({ plant, body }, i) => new Cloud(recording, bodies, i, bodies.index(plant, body), this.material),
    );
    for (const { points } of this.clouds) this.group.add(points);
  }

  get any(): boolean {
    return this.clouds.length > 0;
  }

  color(palette: Palette): void {
    this.material.color.set(palette.series[1]);
  }

  update(t: number): void {
    for (const cloud of this.clouds) cloud.update(t);
  }
}
