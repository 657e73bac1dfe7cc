/** The stretch of time that all plots show. */

import { Signal } from '../shared/signal';
import type { Recording } from '../stream/recording';

export interface Range {
  min: number;
  max: number;
}

export class TimeWindow {
  /** `null`: the whole run. */
  readonly zoom = new Signal<Range | null>(null);

  constructor(private readonly recording: Recording) {}

  get whole(): Range {
    const { from, reached } = this.recording;
    return reached > from ? { min: from, max: reached } : { min: from, max: from + 1 };
  }

  get range(): Range {
    return this.zoom.value ?? this.whole;
  }

  set(min: number, max: number): void {
    const whole = this.whole;
    const least = (whole.max - whole.min) * 1e-7;
    const [low, high] = [Math.max(min, whole.min), Math.min(max, whole.max)];
    if (!(high - low > least)) return;
    this.zoom.set(low <= whole.min && high >= whole.max ? null : { min: low, max: high });
  }

  /** Zooms about a time, which keeps its place. */
  about(t: number, factor: number): void {
    const { min, max } = this.range;
    this.set(t - (t - min) * factor, t + (max - t) * factor);
  }

  /** Moves by a fraction of the time shown. */
  pan(part: number): void {
    const { min, max } = this.range;
    const whole = this.whole;
    const by = Math.min(Math.max(part * (max - min), whole.min - min), whole.max - max);
    if (this.zoom.value) this.set(min + by, max + by);
  }

  /** Keeps a time in sight. */
  reveal(t: number): void {
    const zoom = this.zoom.value;
    if (!zoom || (t >= zoom.min && t <= zoom.max)) return;
    const width = zoom.max - zoom.min;
    const whole = this.whole;
    const min = Math.min(Math.max(t - width * 0.1, whole.min), whole.max - width);
    this.zoom.set({ min, max: min + width });
  }

  reset(): void {
    this.zoom.set(null);
  }
}
