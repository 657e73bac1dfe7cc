/** The time that is shown, and how it goes on. */

import { Signal } from '../shared/signal';
import type { Recording } from '../stream/recording';

export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Clock {
  readonly time = new Signal(0);
  readonly playing = new Signal(false);
  readonly speed = new Signal(1);
  readonly loop = new Signal(false);
  /** True if the time follows the end of a run that goes on. */
  readonly live = new Signal(false);
  /** True if the run ended while the time followed it. */
  followedToEnd = false;
  private last: number | null = null;

  constructor(private readonly recording: Recording) {
    recording.begin.watch((begin) => begin && this.time.set(begin.run.time));
    recording.count.watch(() => this.live.value && this.time.set(recording.reached));
    recording.end.watch(() => {
      this.followedToEnd = this.live.value;
      this.live.set(false);
    });
  }

  /** Shows a time; the reader decides from now on, so the end of the run is no longer followed. */
  set(t: number): void {
    if (!Number.isFinite(t)) return;
    this.live.set(false);
    this.time.set(Math.min(Math.max(t, this.recording.from), this.recording.reached));
  }

  play(): void {
    this.live.set(false);
    if (this.time.value >= this.recording.reached) this.time.set(this.recording.from);
    this.last = null;
    this.playing.set(true);
  }

  pause(): void {
    this.playing.set(false);
    this.live.set(false);
  }

  toggle(): void {
    if (this.playing.value || this.live.value) this.pause();
    else this.play();
  }

  /** Follows the end of a run that goes on. */
  follow(): void {
    if (!this.recording.running) return;
    this.playing.set(false);
    this.live.set(true);
    this.time.set(this.recording.reached);
  }

  /** Moves by samples at different times. */
  step(samples: number): void {
    this.pause();
    const { times, length } = this.recording;
    if (length === 0) return;
    let index = this.recording.sampleAt(this.time.value);
    const direction = Math.sign(samples);
    for (let left = Math.abs(samples); left > 0; left--) {
      const here = times.data[index];
      // Between two samples, one step back leads to the earlier of them.
      if (direction < 0 && this.time.value > here && left === Math.abs(samples)) continue;
      do index += direction;
      while (index > 0 && index < length - 1 && times.data[index] === here);
      index = Math.min(Math.max(index, 0), length - 1);
    }
    this.set(times.data[index]);
  }

  faster(by: number): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed.value);
    this.speed.set(SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)]);
  }

  /** Advances by the wall clock; called once a frame with its time [ms]. */
  tick(now: number): void {
    if (!this.playing.value) {
      this.last = null;
      return;
    }
    // The time while a page was hidden does not count.
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250) / 1000;
    this.last = now;
    const { from, reached, running } = this.recording;
    let t = this.time.value + passed * this.speed.value;
    if (t >= reached) {
      if (this.loop.value && !running && reached > from) t = from + ((t - from) % (reached - from));
      else {
        this.time.set(reached);
        this.playing.set(false);
        if (running) this.live.set(true);
        return;
      }
    }
    this.time.set(t);
  }
}
