/**
 * Gestures on a chart over time: a click sets the time, a drag zooms to what it spans, a drag of the playhead (or
 * of a finger) scrubs, the wheel zooms about the pointer, a double click shows the whole run.
 */

import type { Clock } from '../playback/clock';
import { h } from '../shared/dom';
import type { TimeWindow } from './time_window';

export interface Chart {
  /** The area of the plot itself, in which x = 0 is its left edge. */
  over: HTMLElement;
  timeAt: (x: number) => number;
  xOf: (t: number) => number;
}

const GRAB = 7;

export class Gestures {
  private readonly box = h('div', { class: 'zoom-box', hidden: true });
  readonly playhead = h('div', { class: 'playhead', 'aria-hidden': 'true' });

  constructor(
    private readonly chart: Chart,
    private readonly clock: Clock,
    private readonly window: TimeWindow,
  ) {
    const { over } = chart;
    over.append(this.box, this.playhead);
    over.addEventListener('pointerdown', (event) => this.down(event));
    over.addEventListener('dblclick', () => window.reset());
    over.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    over.style.touchAction = 'pan-y';
  }

  /** Puts the playhead where the time is. */
  place(t: number): void {
    const x = this.chart.xOf(t);
    const inside = x >= -0.5 && x <= this.chart.over.clientWidth + 0.5;
    this.playhead.style.visibility = inside ? 'visible' : 'hidden';
    if (inside) this.playhead.style.transform = `translateX(${x.toFixed(2)}px)`;
  }

  private x(event: MouseEvent): number {
    return event.clientX - this.chart.over.getBoundingClientRect().left;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { over } = this.chart;
    const start = this.x(event);
    const scrubs =
      event.pointerType === 'touch' || event.shiftKey || Math.abs(start - this.chart.xOf(this.clock.time.value)) < GRAB;
    over.setPointerCapture(event.pointerId);
    if (scrubs) this.clock.pause();
    const move = (now: PointerEvent) => {
      const x = Math.min(Math.max(this.x(now), 0), over.clientWidth);
      if (scrubs) return this.clock.set(this.chart.timeAt(x));
      this.box.hidden = Math.abs(x - start) < 4;
      this.box.style.left = `${Math.min(x, start)}px`;
      this.box.style.width = `${Math.abs(x - start)}px`;
    };
    const end = (now: PointerEvent) => {
      over.removeEventListener('pointermove', move);
      over.removeEventListener('pointerup', end);
      over.removeEventListener('pointercancel', end);
      const x = Math.min(Math.max(this.x(now), 0), over.clientWidth);
      const dragged = !this.box.hidden;
      this.box.hidden = true;
      if (now.type === 'pointercancel') return;
      if (!scrubs && dragged)
        this.window.set(this.chart.timeAt(Math.min(x, start)), this.chart.timeAt(Math.max(x, start)));
      else this.clock.set(this.chart.timeAt(x));
    };
    over.addEventListener('pointermove', move);
    over.addEventListener('pointerup', end);
    over.addEventListener('pointercancel', end);
  }

  private wheel(event: WheelEvent): void {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      return this.window.pan(((event.deltaX || event.deltaY) / this.chart.over.clientWidth) * 1.5);
    }
    // Without Ctrl the wheel scrolls the list of plots where it has more than is in sight.
    const scroller = this.chart.over.closest('.scrolls');
    if (!event.ctrlKey && scroller && scroller.scrollHeight > scroller.clientHeight + 2) return;
    event.preventDefault();
    this.window.about(this.chart.timeAt(this.x(event)), Math.exp(event.deltaY * 0.0015));
  }
}
