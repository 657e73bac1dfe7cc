/** Axes of frames, distinguished by letters as well as colours. */

import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { FrameChoice } from './options';
import { affine, multiply } from './pose_math';

const AXES = [
  { letter: 'x', color: '#e5484d' },
  { letter: 'y', color: '#30a46c' },
  { letter: 'z', color: '#3b82f6' },
] as const;

function letter(text: string, color: string): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d')!;
  pen.font = '700 46px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineWidth = 9;
  pen.strokeStyle = 'rgba(255,255,255,0.85)';
  pen.strokeText(text, 32, 32);
  pen.fillStyle = color;
  pen.fillText(text, 32, 32);
  return new THREE.CanvasTexture(canvas);
}

export class Frames {
  readonly group = new THREE.Group();
  private readonly places: { name: string; body: number; local: Float64Array; kind: 'models' | 'bodies' }[] = [];
  private readonly lines: THREE.LineSegments;
  private readonly tips: THREE.Points[];
  private readonly at = new Float64Array(12);
  choice: FrameChoice = 'none';

  constructor(private readonly bodies: Bodies) {
    const own = affine({ xyz: [0, 0, 0], quat: [1, 0, 0, 0] });
    bodies.plants.forEach((plant, p) => {
      for (const frame of plant.frames) {
        const body = bodies.index(p, frame.body);
        if (body >= 0) this.places.push({ name: frame.name, body, local: affine(frame.pose), kind: 'models' });
      }
    });
    bodies.list.forEach(({ label }, body) => this.places.push({ name: label, body, local: own, kind: 'bodies' }));
    const n = this.places.length;
    const colors: number[] = [];
    for (let i = 0; i < n; i++) {
      for (const axis of AXES) {
        const color = new THREE.Color(axis.color);
        colors.push(...color.toArray(), ...color.toArray());
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(new Float32Array(n * 18), 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
    this.lines = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
    );
    this.tips = AXES.map((axis) => {
      const tip = new THREE.BufferGeometry();
      tip.setAttribute('position', new THREE.Float32BufferAttribute(new Float32Array(n * 3), 3));
      const map = letter(axis.letter, axis.color);
      const look = { map, size: 16, sizeAttenuation: false, transparent: true, depthTest: false, alphaTest: 0.05 };
      return new THREE.Points(tip, new THREE.PointsMaterial(look));
    });
    for (const object of [this.lines, ...this.tips]) {
      object.frustumCulled = false;
      object.renderOrder = 11;
      this.group.add(object);
    }
  }

  /** The frames that are drawn and where they are, as placed last. */
  named(): { name: string; at: [number, number, number] }[] {
    if (this.choice === 'none') return [];
    return this.places.flatMap((place) => {
      if (place.kind !== this.choice) return [];
      const m = this.at;
      multiply(this.bodies.transforms, place.body * 12, place.local, 0, m, 0);
      return Number.isNaN(m[3]) ? [] : [{ name: place.name, at: [m[3], m[7], m[11]] as [number, number, number] }];
    });
  }

  update(radius: number): void {
    this.group.visible = this.choice !== 'none';
    if (!this.group.visible) return;
    const length = radius * 0.13;
    const ends = this.lines.geometry.getAttribute('position') as THREE.BufferAttribute;
    let shown = 0;
    for (const place of this.places) {
      if (place.kind !== this.choice) continue;
      const m = this.at;
      multiply(this.bodies.transforms, place.body * 12, place.local, 0, m, 0);
      if (Number.isNaN(m[3])) continue;
      for (let axis = 0; axis < 3; axis++) {
        const tip = [0, 4, 8].map((row) => m[row + 3] + m[row + axis] * length) as [number, number, number];
        ends.setXYZ(shown * 6 + axis * 2, m[3], m[7], m[11]);
        ends.setXYZ(shown * 6 + axis * 2 + 1, ...tip);
        const points = this.tips[axis].geometry.getAttribute('position') as THREE.BufferAttribute;
        points.setXYZ(shown, ...tip);
      }
      shown++;
    }
    ends.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, shown * 6);
    for (const tip of this.tips) {
      tip.geometry.getAttribute('position').needsUpdate = true;
      tip.geometry.setDrawRange(0, shown);
    }
  }
}
