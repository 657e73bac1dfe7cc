/** Suction cups, and the anchors of constraints with a line between the two. */

import * as THREE from 'three';
import type { Notes } from '../stream/notes';
import type { Recording } from '../stream/recording';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';
import { affine, multiply } from './pose_math';

interface Placed {
  object: THREE.Object3D;
  body: number;
  local: Float64Array;
}

export class Markers {
  readonly cups = new THREE.Group();
  readonly constraints = new THREE.Group();
  private readonly placed: Placed[] = [];
  private readonly active: { disc: THREE.Object3D; channel: number }[] = [];
  private readonly lines: { line: THREE.LineSegments; ends: [Placed, Placed] }[] = [];
  private readonly cupMaterial = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
  private readonly anchorMaterial = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 });
  private readonly lineMaterial = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly at = new Float64Array(12);

  constructor(
    private readonly bodies: Bodies,
    private readonly recording: Recording,
    notes: Notes,
  ) {
    for (const marker of recording.begin.value?.scene.markers ?? []) {
      const body = bodies.index(marker.plant, marker.body);
      if (body < 0) continue;
      if (marker.kind !== 'suction_cup') {
        notes.add(`${marker.block} marks something of kind ${JSON.stringify(marker.kind)}, which is not drawn`);
        continue;
      }
      const ring = new THREE.Mesh(new THREE.TorusGeometry(1, 0.14, 10, 32), this.cupMaterial);
      const disc = new THREE.Mesh(new THREE.CircleGeometry(0.8, 24), this.cupMaterial);
      const both = new THREE.Group().add(ring, disc);
      this.cups.add(both);
      this.placed.push({ object: both, body, local: affine(marker.pose) });
      // `cups[2]` pulls with the force of that number.
      const number = /\[(\d+)\]/.exec(marker.name)?.[1];
      const channel = recording.channels.findIndex((c) => c.name === `${marker.block}.force[${number}]`);
      disc.visible = false;
      this.active.push({ disc, channel });
    }
    bodies.plants.forEach((plant, p) => {
      for (const constraint of plant.constraints) {
        // A fibre is drawn by its nodes.
        if (constraint.kind === 'beam') continue;
        const ends = constraint.anchors.map((anchor) =>
          this.anchor(constraint.kind, bodies.index(p, anchor.body), affine(anchor.pose)),
        );
        if (ends.length !== 2 || !ends[0] || !ends[1]) continue;
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(new Float32Array(6), 3));
        const line = new THREE.LineSegments(geometry, this.lineMaterial);
        line.frustumCulled = false;
        line.renderOrder = 9;
        this.constraints.add(line);
        this.lines.push({ line, ends: [ends[0], ends[1]] });
      }
    });
    this.cups.traverse((object) => (object.renderOrder = 9));
  }

  /** The kind by its form: welds are cubes, balls balls, distances octahedra. */
  private anchor(kind: string, body: number, local: Float64Array): Placed | null {
    if (body < 0) return null;
    const form =
      kind === 'weld'
        ? new THREE.BoxGeometry(1.4, 1.4, 1.4)
        : kind === 'ball'
          ? new THREE.SphereGeometry(0.9, 16, 12)
          : new THREE.OctahedronGeometry(1.1);
    const object = new THREE.Mesh(form, this.anchorMaterial);
    object.renderOrder = 9;
    this.constraints.add(object);
    const placed = { object, body, local };
    this.placed.push(placed);
    return placed;
  }

  get any(): boolean {
    return this.lines.length > 0;
  }

  color(palette: Palette): void {
    this.cupMaterial.color.set(palette.accent);
    this.anchorMaterial.color.set(palette.series[4]);
    this.lineMaterial.color.set(palette.series[4]);
  }

  update(t: number, radius: number): void {
    for (const { object, body, local } of this.placed) {
      const m = this.at;
      multiply(this.bodies.transforms, body * 12, local, 0, m, 0);
      object.visible = !Number.isNaN(m[3]);
      object.matrixAutoUpdate = false;
      object.matrix.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
      const size = radius * (this.cups.children.includes(object) ? 0.035 : 0.016);
      object.matrix.scale(new THREE.Vector3(size, size, size));
    }
    // A disc within the ring: the cup holds.
    for (const { disc, channel } of this.active)
      disc.visible = channel >= 0 && Math.abs(this.recording.value(channel, t)) > 1e-3;
    for (const { line, ends } of this.lines) {
      const positions = line.geometry.getAttribute('position') as THREE.BufferAttribute;
      ends.forEach((end, i) =>
        positions.setXYZ(i, ...(end.object.matrix.elements.slice(12, 15) as [number, number, number])),
      );
      positions.needsUpdate = true;
    }
  }
}
