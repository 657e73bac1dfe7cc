/** One plot: channels of at most two units over time, with a legend that shows the values at the cursor. */

import uPlot from 'uplot';
import type { Clock } from '../playback/clock';
import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { Recording } from '../stream/recording';
import { DASHES, type Theme } from '../theme/theme';
import { axisLabels, axisRange } from './axis';
import { draw, drawnOf, withLimits, type Drawn } from '../requirements/draw';
import { extent } from '../requirements/shape';
import { BESIDE } from './suggest';
import type { Columns } from './columns';
import { Gestures } from './gestures';
import type { TimeWindow } from './time_window';

/** Width of an axis with its label [px]: the same for all, so that times stand above each other. */
export const GUTTER = 74;
/** The part of it that is the label [px]. */
export const LABEL = 16;

export interface PlotContext {
  recording: Recording;
  clock: Clock;
  window: TimeWindow;
  columns: Columns;
  theme: Theme;
}

export interface PlotEvents {
  /** Removes a channel; the plot itself if it was the last. */
  remove: (channel: number) => void;
  close: () => void;
  target: () => void;
}

export class Plot {
  readonly element = h('section', { class: 'plot', 'aria-label': 'plot' });
  channels: number[] = [];
  private chart: uPlot | null = null;
  private gestures: Gestures | null = null;
  private readonly legend = h('ul', { class: 'legend', role: 'list' });
  private readonly surface = h('div', { class: 'surface' });
  private readonly pin: HTMLButtonElement;
  private values: HTMLElement[] = [];
  private hovered: number | null = null;

  constructor(
    private readonly context: PlotContext,
    private readonly events: PlotEvents,
  ) {
    this.pin = h(
      'button',
      {
        class: 'small',
        type: 'button',
        title: 'Add the next channels to this plot',
        'aria-pressed': 'false',
        onclick: events.target,
      },
      'add here',
    );
    const close = h(
      'button',
      {
        class: 'small icon',
        type: 'button',
        title: 'Close this plot',
        'aria-label': 'close this plot',
        onclick: events.close,
      },
      '×',
    );
    this.element.append(
      h('div', { class: 'plot-head' }, this.legend, h('div', { class: 'plot-buttons' }, this.pin, close)),
      this.surface,
    );
  }

  get units(): string[] {
    return [...new Set(this.channels.map((channel) => this.context.recording.channels[channel].unit))];
  }

  set targeted(on: boolean) {
    this.pin.setAttribute('aria-pressed', String(on));
    this.element.classList.toggle('targeted', on);
  }

  /** True if the channel fits: its unit has an axis, or an axis is free. */
  takes(channel: number): boolean {
    const unit = this.context.recording.channels[channel].unit;
    return this.units.includes(unit) || this.units.length < 2;
  }

  /** Builds the plot again, after a change of channels, colours or size. */
  build(rightGutter: boolean): void {
    const { recording, theme, window } = this.context;
    const palette = theme.palette.value;
    this.chart?.destroy();
    this.surface.replaceChildren();
    this.element.setAttribute(
      'aria-label',
      `plot of ${this.channels.map((c) => recording.channels[c].name).join(', ')}`,
    );
    this.writeLegend();
    const { units } = this;
    const axis = (unit: string, side: 1 | 3): uPlot.Axis => ({
      scale: unit,
      side,
      size: unit === '' ? GUTTER : GUTTER - LABEL,
      stroke: palette.muted,
      label: unit === '' ? undefined : unit,
      labelSize: LABEL,
      labelFont: '12px system-ui, sans-serif',
      labelGap: 0,
      font: '11px system-ui, sans-serif',
      space: 20,
      grid: { show: side === 3, stroke: palette.grid, width: 1 },
      ticks: { stroke: palette.grid, size: 4 },
      values: (_, splits) => axisLabels(splits),
    });
    const options: uPlot.Options = {
      width: Math.max(120, this.surface.clientWidth),
      height: Math.max(90, this.surface.clientHeight),
      padding: [6, rightGutter && units.length < 2 ? GUTTER : 10, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 5 }, y: false },
      scales: {
        x: { time: false, range: () => [window.range.min, window.range.max] },
        ...Object.fromEntries(
          units.map((unit) => [
            unit,
            {
              range: (_: uPlot, min: number, max: number) =>
                axisRange(...withLimits([min, max], extent(this.asked(unit).map(({ shape }) => shape)))) as [
                  number,
                  number,
                ],
            },
          ]),
        ),
      },
      axes: [
        {
          stroke: palette.muted,
          font: '11px system-ui, sans-serif',
          size: 24,
          grid: { stroke: palette.grid, width: 1 },
          ticks: { stroke: palette.grid, size: 4 },
          values: (_, splits) => splits.map((x) => number(x, 6)),
        },
        ...units.slice(0, 2).map((unit, i) => axis(unit, i === 0 ? 3 : 1)),
      ],
      series: [
        {},
        ...this.channels.map((channel, i): uPlot.Series => {
          const { name, unit, discrete } = recording.channels[channel];
          return {
            label: name,
            scale: unit,
            stroke: palette.series[i % palette.series.length],
            dash: DASHES[i % DASHES.length],
            width: 1.6,
            points: { show: false },
            paths: discrete ? uPlot.paths.stepped!({ align: 1 }) : undefined,
          };
        }),
      ],
      hooks: {
        setCursor: [
          (u) => this.hover(u.cursor.left !== undefined && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') : null),
        ],
        drawClear: [(u) => draw(u, this.asked(), (name) => this.unitOf(name), palette)],
        draw: [() => this.place()],
      },
    };
    this.chart = new uPlot(options, this.data(), this.surface);
    const chart = this.chart;
    this.gestures = new Gestures(
      { over: chart.over, timeAt: (x) => chart.posToVal(x, 'x'), xOf: (t) => chart.valToPos(t, 'x') },
      this.context.clock,
      window,
    );
    this.place();
  }

  /** Requirements of its channels, of one unit or of all, within the time that is seen. */
  private asked(unit?: string): Drawn[] {
    const { recording, window } = this.context;
    const channels = this.channels.filter((c) => unit === undefined || recording.channels[c].unit === unit);
    return drawnOf(recording, channels, [window.range.min, window.range.max]);
  }

  private unitOf(name: string): string {
    return this.context.recording.channels.find((channel) => channel.name === name)?.unit ?? '';
  }

  private data(): uPlot.AlignedData {
    const { columns } = this.context;
    return [columns.times(), ...this.channels.map((channel) => columns.of(channel))] as unknown as uPlot.AlignedData;
  }

  private writeLegend(): void {
    const { recording, theme } = this.context;
    const { series } = theme.palette.value;
    const names = this.channels.map((channel) => recording.channels[channel].name);
    const own = names.map((name) => name.replace(BESIDE, ''));
    const shared = commonPart([...new Set(own)]);
    this.values = [];
    const rows = this.channels.map((channel, i) => {
      const { name, unit } = recording.channels[channel];
      const dash = DASHES[i % DASHES.length].join(' ');
      const color = series[i % series.length];
      const value = h('span', { class: 'value' });
      this.values.push(value);
      const remove = h(
        'button',
        {
          class: 'small icon',
          type: 'button',
          title: `Remove ${name}`,
          'aria-label': `remove ${name}`,
          onclick: () => this.events.remove(channel),
        },
        '×',
      );
      // The channel of another run comes after that of this run, whose name is not repeated.
      const beside = name.slice(0, name.length - own[i].length);
      const follows = i > 0 && own[i] === own[i - 1];
      const short = follows && beside !== '' ? beside.replace(/: $/, '') : `${beside}${own[i].slice(shared.length)}`;
      const row = h(
        'li',
        {},
        swatch(color, dash),
        h('span', { class: 'name', title: name }, h('bdi', {}, short)),
        value,
        this.units.length > 1 && h('span', { class: 'unit' }, unit),
        remove,
      );
      row.addEventListener('pointerenter', () => this.chart?.setSeries(i + 1, { focus: true }));
      row.addEventListener('pointerleave', () => this.chart?.setSeries(null as unknown as number, { focus: true }));
      return row;
    });
    const head = shared !== '' && h('li', { class: 'shared', title: `the names begin with ${shared}` }, `${shared}…`);
    this.legend.replaceChildren(...(head ? [head] : []), ...rows);
    this.showValues();
  }

  private hover(t: number | null): void {
    this.hovered = t;
    this.showValues();
  }

  /** Writes the values at the pointer, or else at the time shown. */
  private showValues(): void {
    const t = this.hovered ?? this.context.clock.time.value;
    this.channels.forEach(
      (channel, i) => (this.values[i].textContent = number(this.context.recording.value(channel, t))),
    );
  }

  /** More samples, or another stretch of time. */
  refresh(): void {
    this.chart?.setData(this.data(), true);
    this.showValues();
  }

  /** The cursor at the time shown. */
  place(): void {
    this.gestures?.place(this.context.clock.time.value);
    if (this.hovered === null) this.showValues();
  }

  resize(): void {
    if (this.surface.clientWidth > 0)
      this.chart?.setSize({ width: this.surface.clientWidth, height: Math.max(90, this.surface.clientHeight) });
  }
}

/** Common part of names, up to its last dot, which is written once. */
export function commonPart(names: readonly string[]): string {
  if (names.length < 2) return '';
  let shared = names[0];
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.slice(0, shared.lastIndexOf('.') + 1);
}

/** A piece of the line as it is drawn. */
export function swatch(color: string, dash: string): SVGSVGElement {
  const holder = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  holder.setAttribute('class', 'swatch');
  holder.setAttribute('viewBox', '0 0 26 8');
  holder.innerHTML = `<line x1="1" y1="4" x2="25" y2="4" stroke="${color}" stroke-width="2.4" stroke-dasharray="${dash}"/>`;
  return holder;
}
