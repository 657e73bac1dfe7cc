/** The directions of x, y and z: a small cross in the corner. A click looks along an axis. */

import * as THREE from 'three';
import { svg } from '../shared/dom';
import type { Stage } from './stage';

const AXES = [
  { letter: 'x', color: '#e5484d', way: [1, 0, 0] },
  { letter: 'y', color: '#30a46c', way: [0, 1, 0] },
  { letter: 'z', color: '#3b82f6', way: [0, 0, 1] },
] as const;
const ARM = 25;

export class Gizmo {
  readonly element = svg('svg', {
    viewBox: '-36 -36 72 72',
    class: 'gizmo',
    role: 'group',
    'aria-label': 'directions',
  });
  private readonly parts: { line: SVGLineElement; tip: SVGGElement; way: readonly [number, number, number] }[];
  private readonly last = new THREE.Quaternion(0, 0, 0, 0);

  constructor(private readonly stage: Stage) {
    this.parts = AXES.map(({ letter, color, way }) => {
      const line = svg('line', { x1: 0, y1: 0, stroke: color, 'stroke-width': 2.5, 'stroke-linecap': 'round' });
      const look = () => stage.lookAlong(way[0], way[1], way[2]);
      const tip = svg(
        'g',
        {
          tabindex: 0,
          role: 'button',
          'aria-label': `look along ${letter}`,
          onclick: look,
          onkeydown: (event: KeyboardEvent) => event.key === 'Enter' && look(),
        },
        svg('circle', { r: 8.5, fill: color }),
        svg(
          'text',
          { 'text-anchor': 'middle', dy: '0.34em', fill: '#fff', 'font-size': 11.5, 'font-weight': 700 },
          letter,
        ),
      );
      this.element.append(line, tip);
      return { line, tip, way };
    });
  }

  update(): void {
    const turn = this.stage.camera.quaternion;
    if (turn.equals(this.last)) return;
    this.last.copy(turn);
    const back = turn.clone().invert();
    const placed = this.parts.map((part) => ({ part, at: new THREE.Vector3(...part.way).applyQuaternion(back) }));
    // The axis that points to the viewer is drawn last.
    for (const { part, at } of placed.sort((a, b) => a.at.z - b.at.z)) {
      part.line.setAttribute('x2', String(at.x * ARM));
      part.line.setAttribute('y2', String(-at.y * ARM));
      part.tip.setAttribute('transform', `translate(${at.x * ARM} ${-at.y * ARM})`);
      this.element.append(part.line, part.tip);
    }
  }
}
