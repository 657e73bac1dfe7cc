/** Play, step, scrub, speed, loop. */

import { h, oncePerFrame } from '../shared/dom';
import { seconds } from '../shared/format';
import type { Recording } from '../stream/recording';
import { SPEEDS, type Clock } from '../playback/clock';
import { icon } from './icons';

const FINE = 10_000;

export class Transport {
  readonly element: HTMLElement;
  private readonly range = h('input', {
    type: 'range',
    class: 'scrubber',
    min: 0,
    max: FINE,
    step: 1,
    value: 0,
    'aria-label': 'time',
  });
  private readonly track = h('div', { class: 'track', 'aria-hidden': 'true' });
  private readonly now = h('output', { class: 'now', 'aria-label': 'time shown' });
  private readonly play = h('button', { type: 'button', class: 'round', title: 'Play or pause (Space)' });

  constructor(
    private readonly recording: Recording,
    private readonly clock: Clock,
  ) {
    const button = (name: string, title: string, run: () => void) =>
      h('button', { type: 'button', class: 'plain', title, 'aria-label': title, onclick: run }, icon(name));
    this.play.addEventListener('click', () => clock.toggle());
    const loop = button('loop', 'Loop (L)', () => clock.loop.set(!clock.loop.value));
    clock.loop.follow((on) => loop.setAttribute('aria-pressed', String(on)));
    const live = button('live', 'Follow the end of the run (End)', () => clock.follow());
    live.classList.add('live-button');
    const speed = h(
      'select',
      { class: 'speed', title: 'Speed ([ and ])', 'aria-label': 'speed' },
      ...SPEEDS.map((s) => h('option', { value: s }, `${s}×`)),
    );
    speed.addEventListener('change', () => clock.speed.set(Number(speed.value)));
    clock.speed.follow((s) => (speed.value = String(s)));
    this.element = h(
      'footer',
      { class: 'transport', role: 'group', 'aria-label': 'time' },
      button('back', 'One sample back (←)', () => clock.step(-1)),
      this.play,
      button('forward', 'One sample on (→)', () => clock.step(1)),
      h('div', { class: 'scrub' }, this.track, this.range),
      this.now,
      speed,
      loop,
      live,
    );
    this.range.addEventListener('input', () => {
      clock.pause();
      clock.set(this.timeOf(Number(this.range.value)));
    });
    // Arrows go by samples, wherever the focus is.
    this.range.addEventListener(
      'keydown',
      (event) => ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key) && event.preventDefault(),
    );
    const write = oncePerFrame(() => this.write());
    for (const signal of [clock.time, recording.count] as const) signal.watch(write);
    recording.end.watch(write);
    clock.playing.follow((playing) => {
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      this.play.setAttribute('aria-label', playing ? 'pause' : 'play');
    });
    clock.live.follow((on) => live.setAttribute('aria-pressed', String(on)));
    recording.end.follow((end) => (live.hidden = end !== null));
    this.write();
  }

  /** The track is as long as the run is meant to be. */
  private get until(): number {
    const planned = this.recording.begin.value?.run.end ?? NaN;
    const { reached, from } = this.recording;
    const whole =
      Number.isFinite(planned) && this.recording.end.value?.status !== 'done' ? Math.max(planned, reached) : reached;
    return whole > from ? whole : from + 1;
  }

  private timeOf(value: number): number {
    const { from } = this.recording;
    return from + ((this.until - from) * value) / FINE;
  }

  private write(): void {
    const { from, reached } = this.recording;
    const t = this.clock.time.value;
    const part = (x: number) => Math.min(1, Math.max(0, (x - from) / (this.until - from)));
    const every = this.recording.begin.value?.run.every ?? 0.01;
    this.range.value = String(Math.round(part(t) * FINE));
    this.range.setAttribute('aria-valuetext', `${seconds(t, every)} of ${seconds(this.until, every)} seconds`);
    this.track.style.setProperty('--shown', String(part(t)));
    this.track.style.setProperty('--reached', String(part(reached)));
    this.now.textContent = `${seconds(t, every)} / ${seconds(this.until, every)} s`;
  }
}
