/** Words over the scene: the name of the selected body, the names of frames, the spacing of the grid. */

import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { SceneView } from './view';

/** Most names of frames at once: beyond it they cover each other. */
const MAX_LABELS = 60;

export class Labels {
  readonly element = h('div', { class: 'labels', 'aria-hidden': 'true' });
  private readonly body = h('div', { class: 'body-label', hidden: true });
  private readonly corner = h('div', { class: 'grid-scale' });
  private readonly frames: HTMLElement[] = [];

  constructor(private readonly view: SceneView) {
    this.element.append(this.body, this.corner);
  }

  /** After each frame that was drawn. */
  update(): void {
    const { view } = this;
    this.showForce();
    const selected = view.selected.value;
    const shown = selected >= 0 && Number.isFinite(view.bodies.poses[selected * 7]);
    this.body.hidden = !shown;
    if (shown) {
      this.body.textContent = view.bodies.list[selected].label;
      this.put(this.body, view.project(selected), 'translate(-50%, -150%)');
    }
    const named = view.namedFrames().slice(0, MAX_LABELS);
    while (this.frames.length < named.length) {
      const label = h('div', { class: 'frame-label' });
      this.frames.push(label);
      this.element.append(label);
    }
    this.frames.forEach((label, i) => {
      const frame = named[i];
      label.hidden = !frame;
      if (!frame) return;
      label.textContent = frame.name;
      this.put(label, view.stage.project(...frame.at), 'translate(6px, 4px)');
    });
  }

  private put(label: HTMLElement, [x, y]: [number, number], shift: string): void {
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) ${shift}`;
  }

  private showForce(): void {
    const { spacing } = this.view.ground;
    const grid = spacing >= 1 ? `${number(spacing)} m` : `${number(spacing * 1000)} mm`;
    const { count } = this.view.contacts;
    const words = `grid ${grid}${count > 0 ? ` · ${count} contact ${count === 1 ? 'point' : 'points'}` : ''}`;
    if (this.corner.textContent !== words) this.corner.textContent = words;
  }
}
