/** The hand that pulls at a body: a line from the point that is held to the hand, and an arrow of the force. */

import * as THREE from 'three';
import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { HandForce } from '../stream/schema.generated';
import type { Stage } from './stage';

export class Hand {
  readonly group = new THREE.Group();
  readonly label = h('div', { class: 'hand-label', hidden: true });
  private readonly line = new THREE.Line(
    new THREE.BufferGeometry(),
    new THREE.LineDashedMaterial({ depthTest: false, transparent: true }),
  );
  private readonly arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1);
  private readonly grip = new THREE.Mesh(
    new THREE.SphereGeometry(1, 16, 12),
    new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }),
  );
  private shown: HandForce | null = null;
  /** Where the hand was moved to and when, so far as no picture has it, and since when the next picture has one. */
  private moved: { target: readonly number[]; at: number }[] = [];
  private since: number | null = null;
  /** From a move of the hand to the news that it acts, and to the picture that has it [ms]. */
  readonly answers: number[] = [];
  readonly delays: number[] = [];

  constructor(private readonly stage: Stage) {
    this.group.visible = false;
    this.group.renderOrder = 20;
    for (const part of [this.arrow.line, this.arrow.cone]) {
      const material = part.material as THREE.Material;
      material.depthTest = false;
      material.transparent = true;
      part.renderOrder = 20;
    }
    this.line.renderOrder = 20;
    this.grip.renderOrder = 20;
    this.group.add(this.line, this.arrow, this.grip);
  }

  /** The hand moves: the picture of it is to come. */
  moves(target: readonly number[]): void {
    this.moved.push({ target, at: performance.now() });
    if (this.moved.length > 100) this.moved.shift();
  }

  color(accent: string): void {
    (this.line.material as THREE.LineDashedMaterial).color.set(accent);
    (this.grip.material as THREE.MeshBasicMaterial).color.set(accent);
    this.arrow.setColor(accent);
  }

  /** Shows what the hand does, or nothing; the arrow of the weight of what is held is a tenth of the scene at most. */
  show(hand: HandForce | null, radius: number): void {
    this.shown = hand;
    this.group.visible = hand !== null;
    this.label.hidden = hand === null;
    if (!hand) {
      this.moved = [];
      return this.stage.ask();
    }
    // Moves that waited together act as the last of them.
    const known = this.moved.findLastIndex(({ target }) => target.every((x, i) => x === hand.target[i]));
    if (known >= 0) {
      this.since = this.moved.splice(0, known + 1)[known].at;
      this.answers.push(performance.now() - this.since);
    }
    const point = new THREE.Vector3(...hand.point);
    const target = new THREE.Vector3(...hand.target);
    const dash = radius * 0.02;
    this.line.geometry.setFromPoints([point, target]);
    const material = this.line.material as THREE.LineDashedMaterial;
    [material.dashSize, material.gapSize] = [dash, dash * 0.6];
    this.line.computeLineDistances();
    this.grip.position.copy(point);
    this.grip.scale.setScalar(radius * 0.012);
    const force = new THREE.Vector3(...hand.force);
    const newtons = force.length();
    // A force ten times as large has an arrow that is longer by the same piece: all fit the scene.
    const length = radius * 0.12 * Math.log10(1 + newtons);
    this.arrow.visible = length > radius * 1e-3;
    this.arrow.position.copy(point);
    if (newtons > 0) this.arrow.setDirection(force.clone().normalize());
    this.arrow.setLength(
      Math.max(length, 1e-6),
      Math.min(length * 0.4, radius * 0.05),
      Math.min(length * 0.25, radius * 0.03),
    );
    this.label.textContent = `${number(newtons, 3)} N`;
    this.stage.ask();
  }

  /** After each frame that was drawn. */
  update(): void {
    if (!this.shown) return;
    if (this.since !== null) this.delays.push(performance.now() - this.since);
    this.since = null;
    const [x, y] = this.stage.project(...this.shown.point);
    this.label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(10px, -150%)`;
  }
}
