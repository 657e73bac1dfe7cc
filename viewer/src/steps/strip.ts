/** The steps of the integrator: every attempt at a step over time, with error, iterations and contacts in a second lane. */

import uPlot from 'uplot';
import { Gestures } from '../plots/gestures';
import { GUTTER, LABEL, type PlotContext } from '../plots/plot';
import { atMostEvery, h, oncePerFrame, svg } from '../shared/dom';
import { duration, number } from '../shared/format';
import { OUTCOMES } from '../stream/attempts';
import { lastAtOrBefore } from '../stream/search';
import { drawLane, drawSteps, type Lane } from './draw';
import { find } from './find';
import { MARKS } from './marks';
import { Tooltip } from './tooltip';
import { NAMES, reason } from './words';

export class Strip {
  readonly element = h('section', { class: 'steps', 'aria-label': 'steps of the integrator' });
  readonly tooltip = new Tooltip();
  /** The attempt that is described; -1: none. */
  selected = -1;
  private readonly upper = h('div', {
    class: 'surface upper',
    tabindex: 0,
    role: 'application',
    'aria-label': 'attempts at steps; left and right arrows go from one to the next',
    'aria-describedby': 'attempt-tooltip',
  });
  private readonly lower = h('div', { class: 'surface lower' });
  private readonly counts = h('ul', { class: 'counts', role: 'list' });
  private readonly limits = h('p', { class: 'limits' });
  private readonly spoken = h('p', { class: 'unseen', 'aria-live': 'polite' });
  private charts: uPlot[] = [];
  private gestures: Gestures[] = [];
  private lane: Lane = 'error';

  constructor(
    private readonly context: Omit<PlotContext, 'columns'>,
    private readonly rightGutter: () => boolean,
  ) {
    const lanes: [Lane, string][] = [
      ['error', 'Error'],
      ['iterations', 'Iterations'],
      ['contacts', 'Contacts'],
    ];
    const buttons = lanes.map(([lane, label]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'small',
          'aria-pressed': String(lane === this.lane),
          onclick: () => {
            this.lane = lane;
            buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(lanes[i][0] === lane)));
            this.build();
          },
        },
        label,
      ),
    );
    const chooser = h('div', { class: 'segmented', role: 'group', 'aria-label': 'lower lane' }, ...buttons);
    this.element.append(
      h('div', { class: 'steps-head' }, h('h2', {}, 'Steps'), this.counts, chooser),
      this.upper,
      this.lower,
      this.limits,
      this.spoken,
    );
    const { recording, clock, window, theme } = context;
    const refresh = atMostEvery(250, () => this.refresh());
    recording.attemptCount.watch(refresh);
    recording.count.watch(refresh);
    recording.end.watch(refresh);
    window.zoom.watch(oncePerFrame(() => this.refresh()));
    clock.time.watch(oncePerFrame(() => this.gestures.forEach((one) => one.place(clock.time.value))));
    theme.palette.watch(() => this.build());
    new ResizeObserver(oncePerFrame(() => this.resize())).observe(this.element);
    this.upper.addEventListener('keydown', (event) => this.key(event));
    this.upper.addEventListener('blur', () => this.select(-1));
  }

  private get attempts() {
    return this.context.recording.attempts;
  }

  private get accuracy(): number | null {
    return this.context.recording.begin.value?.run.accuracy ?? null;
  }

  build(): void {
    this.charts.forEach((chart) => chart.destroy());
    this.upper.replaceChildren();
    this.lower.replaceChildren();
    const { attempts } = this;
    const longest = () => (attempts.length ? attempts.largest : 1);
    const lengths = this.chart(
      this.upper,
      'h',
      'length',
      () => [Math.min(attempts.smallest, longest() / 3) / 1.6, longest() * 2],
      true,
      (u) => drawSteps(u, attempts, this.context.theme.palette.value, this.selected),
      false,
    );
    const log = this.lane === 'error';
    const label = { error: 'error', iterations: 'iterations', contacts: 'contacts' }[this.lane];
    const lane = this.chart(
      this.lower,
      'n',
      label,
      () => this.laneRange(),
      log,
      (u) => drawLane(u, attempts, this.lane, this.accuracy, this.context.theme.palette.value),
      true,
    );
    this.charts = [lengths, lane];
    const { clock, window } = this.context;
    this.gestures = this.charts.map(
      (u) =>
        new Gestures(
          { over: u.over, timeAt: (x) => u.posToVal(x, 'x'), xOf: (t) => u.valToPos(t, 'x') },
          clock,
          window,
        ),
    );
    lengths.over.addEventListener('pointermove', (event) => this.hover(event));
    lengths.over.addEventListener('pointerleave', () => this.select(-1));
    this.showCounts();
    this.gestures.forEach((one) => one.place(clock.time.value));
  }

  private chart(
    host: HTMLElement,
    key: string,
    label: string,
    range: () => [number, number],
    log: boolean,
    draw: (u: uPlot) => void,
    times: boolean,
  ): uPlot {
    const palette = this.context.theme.palette.value;
    const { window } = this.context;
    const small = {
      stroke: palette.muted,
      font: '11px system-ui, sans-serif',
      ticks: { stroke: palette.grid, size: 4 },
      grid: { stroke: palette.grid, width: 1 },
    };
    const value = (x: number) => (key === 'h' ? duration(x) : log ? `1e${Math.round(Math.log10(x))}` : number(x));
    return new uPlot(
      {
        width: Math.max(120, host.clientWidth),
        height: Math.max(40, host.clientHeight),
        padding: [8, this.rightGutter() ? GUTTER : 10, times ? 0 : 4, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
        scales: {
          x: { time: false, range: () => [window.range.min, window.range.max] },
          [key]: { distr: log ? 3 : 1, range },
        },
        axes: [
          { ...small, show: times, size: 24, values: (_, splits) => splits.map((x) => number(x, 6)) },
          // Of powers of ten that have no room every other one.
          {
            ...small,
            scale: key,
            size: GUTTER - LABEL,
            space: 22,
            label,
            labelSize: LABEL,
            labelGap: 0,
            labelFont: '12px system-ui, sans-serif',
            splits: log ? decades : undefined,
            filter: (_, splits) => splits,
            values: (_, splits) => splits.map(value),
          },
        ],
        series: [{}, { scale: key, paths: () => null, points: { show: false } }],
        hooks: { draw: [draw] },
      },
      [[window.range.min, window.range.max], range()],
      host,
    );
  }

  private laneRange(): [number, number] {
    const { attempts } = this;
    const { data } = { error: attempts.errors, iterations: attempts.iterations, contacts: attempts.contacts }[
      this.lane
    ];
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < attempts.length; i++) {
      if (!Number.isFinite(data[i]) || (this.lane === 'error' && data[i] <= 0)) continue;
      low = Math.min(low, data[i]);
      high = Math.max(high, data[i]);
    }
    if (this.lane !== 'error') return [0, Math.max(1, high) * 1.1];
    const accuracy = this.accuracy ?? high;
    // Errors of steps at rest are rounding: they are not worth most of the lane.
    high = Math.max(high, accuracy);
    return high > 0 ? [Math.max(Math.min(low, accuracy), high * 1e-7) / 1.5, high * 2] : [1e-6, 1];
  }

  private hover(event: PointerEvent): void {
    if (event.buttons !== 0 || event.pointerType === 'touch') return this.tooltip.hide();
    const [chart] = this.charts;
    const box = chart.over.getBoundingClientRect();
    const { min, max } = chart.scales.x as { min: number; max: number };
    const scales = { min, max, x: (t: number) => chart.valToPos(t, 'x'), y: (v: number) => chart.valToPos(v, 'h') };
    this.select(
      find(this.attempts, scales, event.clientX - box.left, event.clientY - box.top),
      event.clientX,
      event.clientY,
    );
  }

  /** Describes an attempt, beside a point or beside its mark. */
  select(index: number, x?: number, y?: number): void {
    if (index !== this.selected || x === undefined) {
      this.selected = index;
      this.charts[0]?.redraw(false, false);
    }
    if (index < 0) return this.tooltip.hide();
    const attempt = this.attempts.at(index);
    const at = this.place(index);
    this.tooltip.show(attempt, this.accuracy, x ?? at[0], y ?? at[1]);
  }

  /** Where the mark of an attempt is, in CSS pixels of the window. */
  place(index: number): [number, number] {
    const [chart] = this.charts;
    const box = chart.over.getBoundingClientRect();
    const { time, h: length } = this.attempts.at(index);
    return [box.left + chart.valToPos(time, 'x'), box.top + chart.valToPos(length, 'h')];
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || this.attempts.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const from =
      this.selected >= 0
        ? this.selected
        : lastAtOrBefore(this.attempts.times.data, this.attempts.length, this.context.clock.time.value) - by;
    this.goTo(Math.min(Math.max(from + by, 0), this.attempts.length - 1));
  }

  /** To the next rejected attempt after (or before) the time shown; returns whether there is one. */
  nextRejected(by: 1 | -1): boolean {
    const { attempts } = this;
    const now = this.context.clock.time.value;
    const times = attempts.times.data;
    let i = this.selected + by;
    if (this.selected < 0) {
      i = lastAtOrBefore(times, attempts.length, now) + 1;
      while (i > 0 && times[i - 1] >= now) i--;
      if (by < 0) i--;
    }
    for (; i >= 0 && i < attempts.length; i += by) {
      if (attempts.outcomes.data[i] === 0) continue;
      this.goTo(i);
      return true;
    }
    return false;
  }

  private goTo(index: number): void {
    const attempt = this.attempts.at(index);
    this.context.clock.pause();
    this.context.clock.set(attempt.time);
    this.context.window.reveal(attempt.time);
    this.selected = index;
    // After the charts have followed the window.
    requestAnimationFrame(() => requestAnimationFrame(() => this.selected === index && this.select(index)));
    this.spoken.textContent = reason(attempt, this.accuracy);
  }

  private showCounts(): void {
    const { attempts } = this;
    const rows = OUTCOMES.flatMap((outcome, i) => {
      if (attempts.counts[i] === 0 && outcome !== 'accepted') return [];
      const mark = MARKS[outcome];
      const symbol = svg(
        'svg',
        {
          class: `mark ${outcome === 'accepted' ? 'accepted' : 'rejected'}`,
          viewBox: '-6 -6 12 12',
          'aria-hidden': 'true',
        },
        svg('path', { d: mark.path, class: mark.filled ? 'filled' : 'outline' }),
      );
      return [h('li', {}, symbol, `${attempts.counts[i].toLocaleString('en')} ${NAMES[outcome]}`)];
    });
    this.counts.replaceChildren(...rows);
    const total = attempts.limits().reduce((sum, row) => sum + row.count, 0);
    const first = attempts
      .limits()
      .slice(0, 3)
      .map((row) => `${row.name} ${Math.round((100 * row.count) / total)} %`);
    this.limits.textContent = first.length > 0 ? `Worst coordinate most often: ${first.join(', ')}` : '';
  }

  refresh(): void {
    const { window } = this.context;
    this.charts.forEach((chart) =>
      chart.setData(
        [
          [window.range.min, window.range.max],
          [1, 1],
        ],
        true,
      ),
    );
    this.showCounts();
    this.gestures.forEach((one) => one.place(this.context.clock.time.value));
  }

  private resize(): void {
    [this.upper, this.lower].forEach((host, i) => {
      if (host.clientWidth > 0)
        this.charts[i]?.setSize({ width: host.clientWidth, height: Math.max(40, host.clientHeight) });
    });
  }
}

/** Powers of ten in sight, at most six. */
function decades(_: uPlot, __: number, min: number, max: number): number[] {
  const [low, high] = [Math.ceil(Math.log10(min)), Math.floor(Math.log10(max))];
  const every = Math.max(1, Math.ceil((high - low + 1) / 4));
  const splits: number[] = [];
  for (let e = low; e <= high; e += every) splits.push(10 ** e);
  return splits;
}
