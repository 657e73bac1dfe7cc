/** The plots, one above the other, with one time axis for all. */

import { atMostEvery, h, oncePerFrame } from '../shared/dom';
import { Signal } from '../shared/signal';
import { isDrawn } from '../requirements/shape';
import type { Recording } from '../stream/recording';
import { Columns } from './columns';
import { Plot, type PlotContext } from './plot';
import { suggest } from './suggest';

/** Most lines in a plot: more of them cannot be distinguished. */
const MAX_LINES = 16;

/** Most plots of channels of which something is asked, and of all that are suggested where there are some. */
const [MOST_ASKED, MOST_SUGGESTED] = [3, 3];

/** So many samples are looked at for a range. */
const MAX_LOOKS = 500;

/** By how much a channel moves in the samples so far. */
function range(recording: Recording, channel: number): number {
  const { length } = recording;
  const width = recording.channels.length;
  const stride = Math.max(1, Math.floor(length / MAX_LOOKS));
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < length; i += stride) {
    const x = recording.values.data[i * width + channel];
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return high > low && Number.isFinite(high - low) ? high - low : 0;
}

export class PlotStack {
  readonly element = h('div', { class: 'plots scrolls', role: 'region', 'aria-label': 'plots', tabindex: -1 });
  readonly plots: Plot[] = [];
  /** Changes when other channels are plotted. */
  readonly shown = new Signal<ReadonlySet<number>>(new Set());
  private target: Plot | null = null;
  private readonly context: PlotContext;
  private readonly hint = h('p', { class: 'hint' });

  constructor(context: Omit<PlotContext, 'columns'>) {
    this.context = { ...context, columns: new Columns(context.recording) };
    const { recording, clock, window, theme } = context;
    const refresh = atMostEvery(200, () => this.visible && this.plots.forEach((plot) => plot.refresh()));
    recording.count.watch(refresh);
    recording.end.watch(refresh);
    recording.judged.watch(refresh);
    window.zoom.watch(oncePerFrame(() => this.plots.forEach((plot) => plot.refresh())));
    clock.time.watch(oncePerFrame(() => this.visible && this.plots.forEach((plot) => plot.place())));
    theme.palette.watch(() => this.build());
    const resize = oncePerFrame(() => {
      this.plots.forEach((plot) => plot.resize());
      // The steps below leave the same room, so that times stand above each other.
      const bar = this.element.offsetWidth - this.element.clientWidth;
      document.documentElement.style.setProperty('--scrollbar', `${bar}px`);
    });
    new ResizeObserver(resize).observe(this.element);
    this.shown.watch(resize);
    this.element.append(this.hint);
  }

  private get visible(): boolean {
    return this.element.clientWidth > 0;
  }

  /** True if a plot has a second axis, for which the others leave room. */
  get rightGutter(): boolean {
    return this.plots.some((plot) => plot.units.length > 1);
  }

  /** Plots what is asked for, by unit; where nothing is, what moves. */
  suggest(): void {
    const { recording } = this.context;
    const plotted = recording.begin.value?.plotted ?? [];
    if (plotted.length > 0) return this.add(plotted);
    const asked = this.asked();
    const ranges = recording.channels.map((_, channel) => range(recording, channel));
    const chosen = suggest(recording.channels, (channel) => ranges[channel]);
    // A limit is seen where the axis is that of its channel alone.
    for (const channel of asked) this.add([channel], 'new');
    const others = chosen.map((channels) => channels.filter((channel) => !asked.includes(channel)));
    const room = Math.max(1, MOST_SUGGESTED - asked.length);
    for (const channels of others.filter(({ length }) => length > 0).slice(0, room)) this.add(channels, 'new');
    this.setTarget(null);
    if (this.plots.length === 0) this.changed();
  }

  /** The first channels of which something is asked that a plot shows. */
  private asked(): number[] {
    const { recording } = this.context;
    const drawn = (recording.begin.value?.requirements ?? []).filter(isDrawn);
    const names = drawn.map(({ channel }) => channel);
    const found = names.map((name) => recording.channels.findIndex((channel) => channel.name === name));
    return [...new Set(found.filter((channel) => channel >= 0))].slice(0, MOST_ASKED);
  }

  /** Plots channels: in the plot that is given, else in one of the same unit, else in a new one. */
  add(channels: readonly number[], where: 'suitable' | 'new' = 'suitable'): void {
    let own: Plot | null = null;
    for (const channel of channels) {
      if (this.shown.value.has(channel) && where === 'suitable') continue;
      const unit = this.context.recording.channels[channel]?.unit;
      if (unit === undefined) continue;
      const room = (plot: Plot | null) => plot !== null && plot.channels.length < MAX_LINES;
      let plot: Plot | null = where === 'new' ? own : null;
      if (where === 'suitable') {
        if (room(this.target) && this.target!.takes(channel)) plot = this.target;
        else plot = this.plots.find((one) => one.units.length === 1 && one.units[0] === unit && room(one)) ?? null;
      }
      if (!plot) {
        plot = this.create();
        own = plot;
      }
      if (!plot.channels.includes(channel)) plot.channels.push(channel);
    }
    this.changed();
    if (where === 'suitable') own?.element.scrollIntoView({ block: 'nearest' });
  }

  /** Plots channels in a plot of their own below the first one of `above`; plotted ones stay where they are. */
  addBelow(above: number, channels: readonly number[]): void {
    const fresh = channels.filter((channel) => channel >= 0 && !this.shown.value.has(channel));
    const units = [...new Set(fresh.map((channel) => this.context.recording.channels[channel].unit))];
    if (above >= 0 && fresh.length > 0 && !this.shown.value.has(above)) this.add([above]);
    let last = this.plots.find((plot) => plot.channels.includes(above)) ?? null;
    for (const unit of units) {
      const plot = this.create();
      plot.channels = fresh.filter((channel) => this.context.recording.channels[channel].unit === unit);
      if (last) {
        this.plots.splice(this.plots.indexOf(plot), 1);
        this.plots.splice(this.plots.indexOf(last) + 1, 0, plot);
        last.element.after(plot.element);
      }
      last = plot;
    }
    this.changed();
  }

  remove(channels: readonly number[]): void {
    for (const plot of [...this.plots]) {
      plot.channels = plot.channels.filter((channel) => !channels.includes(channel));
      if (plot.channels.length === 0) this.drop(plot);
    }
    this.changed();
  }

  toggle(channels: readonly number[]): void {
    if (channels.every((channel) => this.shown.value.has(channel))) this.remove(channels);
    else this.add(channels);
  }

  private create(): Plot {
    const plot: Plot = new Plot(this.context, {
      remove: (channel) => {
        plot.channels = plot.channels.filter((other) => other !== channel);
        if (plot.channels.length === 0) this.drop(plot);
        this.changed();
      },
      close: () => {
        this.drop(plot);
        this.changed();
      },
      target: () => this.setTarget(this.target === plot ? null : plot),
    });
    this.plots.push(plot);
    this.element.append(plot.element);
    return plot;
  }

  /** Samples have more channels from now on. */
  widen(): void {
    this.context.columns.forget();
    this.plots.forEach((plot) => plot.refresh());
  }

  private drop(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.element.remove();
    if (this.target === plot) this.target = null;
  }

  private setTarget(target: Plot | null): void {
    this.target = target;
    for (const plot of this.plots) plot.targeted = plot === target;
  }

  private changed(): void {
    this.shown.set(new Set(this.plots.flatMap((plot) => plot.channels)));
    this.build();
  }

  /** Builds all plots again. */
  build(): void {
    const none = this.context.recording.channels.length === 0;
    this.hint.hidden = this.plots.length > 0;
    this.hint.textContent = none
      ? 'This run records no channels. A diagram file names them: record: {channels: [plant.state]}'
      : 'No channel is plotted. Choose some from the list of channels, or click a port in the diagram.';
    for (const plot of this.plots) plot.build(this.rightGutter);
  }
}
