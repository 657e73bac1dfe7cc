/**
 * The block diagram, as the program places it: a click on a port plots its channels, outputs show their values at the cursor.
 */

import type { Clock } from '../playback/clock';
import type { PlotStack } from '../plots/stack';
import { atMostEvery, h, oncePerFrame, svg } from '../shared/dom';
import { number } from '../shared/format';
import type { Recording } from '../stream/recording';
import type { DrawnBlock, Drawing, DrawnPort } from '../stream/schema.generated';
import { longest, place, type Label } from './labels';
import { PanZoom } from './pan_zoom';

const MARGIN = 24;
/** The program leaves a line for each port; here its value has a line of its own. */
const STRETCH = 1.75;
const BOTTOM_MARGIN = 10;
/** Between a title that reaches beyond its block and what is beside it. */
const GAP = 6;
/** Sizes of letters of titles, and of all others. */
const [TITLE, SMALL] = [13, 11];

/** The drawing with more room between its lines. */
function stretched(drawing: Drawing): Drawing {
  const port = <P extends { y: number }>(one: P): P => ({ ...one, y: one.y * STRETCH });
  return {
    ...drawing,
    height: drawing.height * STRETCH,
    blocks: drawing.blocks.map((block) => ({
      ...block,
      y: block.y * STRETCH,
      // Below the last port, too.
      h: block.h * STRETCH + (block.group ? 0 : BOTTOM_MARGIN),
      inputs: block.inputs.map(port),
      outputs: block.outputs.map(port),
    })),
    wires: drawing.wires.map((wire) => ({
      ...wire,
      points: wire.points.map(([x, y]): [number, number] => [x, y * STRETCH]),
    })),
  };
}

export class Diagram {
  readonly element = h('div', { class: 'diagram', role: 'region', 'aria-label': 'block diagram' });
  private live: { label: Label; channels: number[]; choices: string[] }[] = [];
  private labels: Record<'title' | 'port' | 'value' | 'type', Label[]> = { title: [], port: [], value: [], type: [] };
  private dots: { dot: SVGElement; channels: number[] }[] = [];
  /** Has an output recorded; `null` where nothing can. */
  onRecord: ((output: string) => void) | null = null;
  private blocks: Drawing;
  private extent: Box;
  private readonly update = atMostEvery(100, () => this.showValues());
  private view!: PanZoom;
  private drawing!: SVGSVGElement;

  constructor(
    blocks: Drawing,
    private readonly recording: Recording,
    private readonly plots: PlotStack,
    private readonly clock: Clock,
    private readonly say: (text: string) => void,
  ) {
    this.blocks = stretched(blocks);
    this.extent = extent(this.blocks);
    this.draw();
    new ResizeObserver(() => this.arrange()).observe(this.element);
    clock.time.watch(this.update);
    recording.count.watch(this.update);
    plots.shown.follow(() => this.mark());
    this.showValues();
  }

  /** Draws another diagram, or the same of which more is recorded. */
  redraw(blocks: Drawing): void {
    this.blocks = stretched(blocks);
    this.extent = extent(this.blocks);
    [this.live, this.dots] = [[], []];
    this.labels = { title: [], port: [], value: [], type: [] };
    this.element.replaceChildren();
    this.draw();
    this.mark();
    this.shown();
  }

  private mark(): void {
    const shown = this.plots.shown.value;
    for (const { dot, channels } of this.dots)
      dot.classList.toggle('plotted', channels.length > 0 && channels.every((c) => shown.has(c)));
  }

  private draw(): void {
    const { blocks, wires } = this.blocks;
    const drawing = svg('svg', {
      class: 'drawing',
      role: 'group',
      'aria-label': `${blocks.length} blocks, ${wires.length} wires`,
    });
    const outputs = new Map<string, DrawnPort>();
    for (const block of blocks) for (const port of block.outputs) outputs.set(`${block.name}.${port.name}`, port);
    // Nested diagrams lie below the wires within them.
    for (const block of blocks) if (block.group) drawing.append(this.block(block, outputs, new Map()));
    for (const wire of wires) drawing.append(this.wire(wire));
    const sources = new Map(wires.map((wire) => [wire.to, wire.from]));
    for (const block of blocks) if (!block.group) drawing.append(this.block(block, outputs, sources));
    // Values lie over everything else.
    drawing.append(...this.live.map((one) => one.label.element));
    this.view = new PanZoom(drawing, this.extent);
    this.view.onScale = oncePerFrame(() => this.arrange());
    this.drawing = drawing;
    const button = (label: string, title: string, run: () => void) =>
      h('button', { type: 'button', class: 'small icon', title, 'aria-label': title, onclick: run }, label);
    const tools = h(
      'div',
      { class: 'diagram-tools' },
      button('+', 'closer', () => this.view.zoom(0.8)),
      button('−', 'wider', () => this.view.zoom(1.25)),
      button('⤢', 'whole diagram', () => this.view.fit()),
    );
    const help = h('p', { class: 'hint overlay-hint' }, 'Click an output to plot it. Drag to move, wheel to zoom.');
    this.element.append(drawing, tools, help);
  }

  private wire(wire: Drawing['wires'][number]): SVGGElement {
    const path = rounded(wire.points);
    const group = svg(
      'g',
      { class: 'wire' },
      svg('title', {}, `${wire.from} → ${wire.to}`),
      svg('path', { d: path, class: 'halo' }),
      svg('path', { d: path, class: 'line' }),
    );
    const end = wire.points[wire.points.length - 1];
    const before = wire.points[wire.points.length - 2] ?? end;
    if (end) {
      const turn = (Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI;
      group.append(
        svg('path', {
          d: 'M-8 -4 L0 0 L-8 4 Z',
          class: 'head',
          transform: `translate(${end[0]} ${end[1]}) rotate(${turn})`,
        }),
      );
    }
    return group;
  }

  private block(block: DrawnBlock, outputs: Map<string, DrawnPort>, sources: Map<string, string>): SVGGElement {
    const group = svg(
      'g',
      { class: block.group ? 'block nested' : 'block' },
      svg('title', {}, block.name),
      svg('rect', { x: block.x, y: block.y, width: block.w, height: block.h, rx: 7 }),
    );
    this.blockLabels(block, group);
    const bottom = block.y + block.h;
    for (const port of block.inputs) {
      const own = `${block.name}.${port.name}`;
      const from = sources.get(own);
      const of = from ? (outputs.get(from)?.channels ?? []) : [];
      group.append(this.port(port, 'input', from || own, of, block));
    }
    for (const port of block.outputs) {
      const channels = port.channels ?? [];
      group.append(this.port(port, 'output', `${block.name}.${port.name}`, channels, block));
      if (block.group || channels.length === 0) continue;
      // Below the name of the port: there is room between the rows, and no wire or other name in the way.
      const name = this.labels.port[this.labels.port.length - 1];
      const label = this.label('value', svg('text', { class: 'live' }), {
        text: '',
        size: SMALL,
        bold: true,
        anchor: 'end',
        x: port.x - 9,
        y: port.y,
        room: block.w - 18,
        below: name,
        bottom,
        changes: true,
      });
      this.live.push({ label, channels, choices: port.choices ?? [] });
    }
    return group;
  }

  private port(
    port: DrawnPort,
    side: 'input' | 'output',
    signal: string,
    channels: number[],
    block: DrawnBlock,
  ): SVGGElement {
    const input = side === 'input';
    const dot = svg('circle', { cx: port.x, cy: port.y, r: 4.5, class: channels.length > 0 ? 'dot recorded' : 'dot' });
    const label = svg('text', { class: 'port-name', 'text-anchor': input ? 'start' : 'end' }, port.name);
    // Names of both sides that stand in one line share it.
    const across = (input ? block.outputs : block.inputs).some((other) => Math.abs(other.y - port.y) < 1);
    this.label('port', label, {
      text: port.name,
      size: SMALL,
      bold: false,
      anchor: input ? 'start' : 'end',
      x: port.x + (input ? 9 : -9),
      y: port.y,
      room: block.group ? this.roomInside(block, port, input) : across ? block.w / 2 - 12 : block.w - 18,
      bottom: Infinity,
      changes: false,
    });
    const click = () => {
      if (this.view.moved) return;
      if (channels.length > 0) this.plots.toggle(channels);
      else if (this.isOutput(signal) && this.onRecord) this.onRecord(signal);
      else if (this.isOutput(signal))
        this.say(
          `${signal} is not recorded. To record it, write in the diagram file:  record: {channels: [${signal}]}`,
        );
      else this.say(`${signal} is an input; plot the output that drives it.`);
    };
    const words = channels.length > 0 ? `plot ${signal}` : `${signal}, not recorded`;
    this.dots.push({ dot, channels });
    return svg(
      'g',
      {
        class: `port ${side}`,
        tabindex: 0,
        role: 'button',
        'aria-label': words,
        'data-port': signal,
        'data-side': side,
        onclick: click,
        onkeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          event.stopPropagation();
          this.view.moved = false;
          click();
        },
      },
      svg('title', {}, words),
      svg('circle', { cx: port.x, cy: port.y, r: 11, class: 'target' }),
      dot,
      label,
    );
  }

  /** How far the name of a port of a nested diagram reaches before it meets a block within. */
  private roomInside(group: DrawnBlock, port: DrawnPort, input: boolean): number {
    const beside = this.blocks.blocks.filter(
      (other) =>
        other !== group &&
        other.x >= group.x &&
        other.x + other.w <= group.x + group.w &&
        Math.abs(other.y + other.h / 2 - port.y) < other.h / 2 + SMALL,
    );
    const gaps = beside.map((other) => (input ? other.x - port.x : port.x - other.x - other.w));
    return Math.min(group.w / 2, ...gaps) - 12;
  }

  /**
   * How wide the title of a block can be: to the border of the drawing or of the block around it, and half of the way
   * to a block beside it, whose title may be as long.
   */
  private roomAround(block: DrawnBlock): number {
    const [left, right] = [block.x, block.x + block.w];
    let gap = Math.min(left - this.extent.x, this.extent.x + this.extent.w - right);
    for (const other of this.blocks.blocks) {
      if (other === block || other.y >= block.y + block.h || other.y + other.h <= block.y) continue;
      const end = other.x + other.w;
      if (end <= left) gap = Math.min(gap, (left - end) / 2);
      else if (other.x >= right) gap = Math.min(gap, (other.x - right) / 2);
      else gap = Math.min(gap, left - other.x, end - right);
    }
    return block.w + 2 * gap - GAP;
  }

  /** Title and kind of a block. */
  private blockLabels(block: DrawnBlock, group: SVGGElement): void {
    const middle = { anchor: 'middle', x: block.x + block.w / 2, room: block.w - 10, changes: false } as const;
    const [title, type] = ['title', 'type'].map((name) => svg('text', { class: name, 'text-anchor': 'middle' }));
    group.append(title, type);
    // Within a nested diagram its name need not be repeated.
    const own = block.name.slice(block.name.lastIndexOf('.') + 1);
    const inside = this.blocks.blocks.filter((other) => block.group && other.name.startsWith(`${block.name}.`));
    const bottom = Math.min(block.y + block.h, ...inside.map((other) => other.y));
    const first = this.label('title', title, {
      ...middle,
      text: own,
      size: TITLE,
      bold: true,
      reach: block.group ? undefined : this.roomAround(block),
      y: block.y + 4,
      from: 'top',
      bottom,
    });
    const text = block.type.replaceAll('_', ' ');
    this.label('type', type, { ...middle, text, size: SMALL, bold: false, y: 0, below: first, bottom });
  }

  private label(
    kind: keyof typeof this.labels,
    element: SVGTextElement,
    rest: Omit<Label, 'element' | 'from'> & Partial<Pick<Label, 'from'>>,
  ): Label {
    element.setAttribute('text-anchor', rest.anchor);
    const label: Label = { from: 'middle', ...rest, element };
    this.labels[kind].push(label);
    return label;
  }

  /** Places the labels for the scale at which the drawing is seen. */
  private arrange(): void {
    const { clientWidth: width, clientHeight: height } = this.drawing;
    if (width === 0 || height === 0) return;
    const { title, port, value, type } = this.labels;
    place([...title, ...port, ...value, ...type], this.view.scale(width, height), this.family);
    this.showValues();
  }

  private get family(): string {
    return getComputedStyle(this.element).fontFamily;
  }

  private isOutput(signal: string): boolean {
    return this.blocks.blocks.some((block) => block.outputs.some((port) => `${block.name}.${port.name}` === signal));
  }

  /** Writes the values at the cursor below the outputs; nothing while it is not visible. */
  private showValues(): void {
    if (this.element.clientWidth === 0 && this.recording.length > 0) return;
    const t = this.clock.time.value;
    const { family } = this;
    for (const { label, channels, choices } of this.live) {
      const value = (channel: number) => number(this.recording.value(channel, t), 3);
      const unit = this.recording.channels[channels[0]]?.unit ?? '';
      const first = (count: number) => {
        const rest = channels.length > count ? ', …' : '';
        return `[${channels.slice(0, count).map(value).join(', ')}${rest}]`;
      };
      // The name of the active state of a machine, not its number.
      const choice = channels.length === 1 ? choices[Math.round(this.recording.value(channels[0], t))] : undefined;
      const texts = choice ? [choice] : channels.length === 1 ? [`${value(channels[0])} ${unit}`] : [3, 2, 1].map(first);
      label.element.textContent = longest(texts, label, family);
    }
  }

  /** Called when the diagram becomes visible. */
  shown(): void {
    this.arrange();
    this.showValues();
  }
}

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The box that holds everything, whatever the program says of its size: wires may lead around. */
function extent({ width, height, blocks, wires }: Drawing): Box {
  const points = [
    [0, 0],
    [width, height],
    ...wires.flatMap((wire) => wire.points),
    ...blocks.flatMap((b) => [
      [b.x, b.y],
      [b.x + b.w, b.y + b.h],
    ]),
  ];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { x, y, w: Math.max(...xs) + MARGIN - x, h: Math.max(...ys) + MARGIN - y };
}

/** A line through points with rounded corners. */
function rounded(points: [number, number][]): string {
  if (points.length === 0) return '';
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i];
    const next = points[i + 1];
    if (!next) {
      path += `L${x} ${y}`;
      continue;
    }
    const [px, py] = points[i - 1];
    const radius = Math.min(7, Math.hypot(x - px, y - py) / 2, Math.hypot(next[0] - x, next[1] - y) / 2);
    const toward = (tx: number, ty: number) => {
      const length = Math.hypot(tx - x, ty - y) || 1;
      return `${x + ((tx - x) / length) * radius} ${y + ((ty - y) / length) * radius}`;
    };
    path += `L${toward(px, py)}Q${x} ${y} ${toward(...next)}`;
  }
  return path;
}
