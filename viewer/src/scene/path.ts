/** The path of the origin of one body over the run. */

import * as THREE from 'three';
import type { Recording } from '../stream/recording';
import type { Bodies } from './bodies';

const MAX_PATH_POINTS = 20_000;

export class Path {
  readonly line: THREE.Line;
  private key = '';

  constructor(
    private readonly bodies: Bodies,
    private readonly recording: Recording,
  ) {
    this.line = new THREE.Line(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ transparent: true, depthTest: false, opacity: 0.8 }),
    );
    this.line.frustumCulled = false;
    this.line.renderOrder = 8;
  }

  update(body: number, color: string): void {
    const m = this.bodies.movingIndex(body);
    this.line.visible = m >= 0 && this.recording.length > 1;
    const key = `${body} ${this.recording.length}`;
    if (!this.line.visible) return;
    (this.line.material as THREE.LineBasicMaterial).color.set(color);
    if (key === this.key) return;
    this.key = key;
    const { length, poses, movingCount } = this.recording;
    const every = Math.ceil(length / MAX_PATH_POINTS);
    const points: number[] = [];
    for (let i = 0; i < length; i += every) {
      const o = (i * movingCount + m) * 7;
      if (Number.isFinite(poses.data[o])) points.push(poses.data[o], poses.data[o + 1], poses.data[o + 2]);
    }
    this.line.geometry.dispose();
    this.line.geometry = new THREE.BufferGeometry();
    this.line.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  }
}
