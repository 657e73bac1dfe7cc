/** Puts the page together around a recording. */

import { againPanel, wasOpen } from './controls/again_panel';
import { bodyCard, bodyList } from './controls/body_panel';
import { cameraPanel } from './controls/camera_panel';
import { Clock } from './playback/clock';
import { displayPanel } from './controls/display_panel';
import { handsPanel, liveBar } from './controls/hands_panel';
import { Keyboard } from './controls/keyboard';
import { keysOf } from './controls/keys';
import { Layout } from './controls/layout';
import { Operator } from './controls/operator';
import { pullByMouse } from './controls/pull';
import { endBanner, runPanel } from './controls/run_panel';
import { sensitivityPanel } from './controls/sensitivity_panel';
import { requirementList } from './controls/requirement_list';
import { watchStatus } from './controls/status';
import { Transport } from './controls/transport';
import { Diagram } from './diagram/diagram';
import { MAX_AT_ONCE, ChannelTree } from './plots/channel_tree';
import { PlotStack } from './plots/stack';
import { TimeWindow } from './plots/time_window';
import { Gizmo } from './scene/gizmo';
import { Labels } from './scene/labels';
import { SceneView } from './scene/view';
import { Strip } from './steps/strip';
import { keepRecorded, recorded } from './shared/recorded';
import { Link } from './stream/link';
import type { Recording } from './stream/recording';
import { Theme } from './theme/theme';

/** Where the camera is kept while the page of a live run is loaded anew. */
const CAMERA = 'kinegraph-camera';

export class Page {
  readonly theme = new Theme();
  readonly clock: Clock;
  readonly window: TimeWindow;
  readonly layout: Layout;
  plots!: PlotStack;
  strip!: Strip;
  view: SceneView | null = null;
  tree: ChannelTree | null = null;
  private gizmo: Gizmo | null = null;
  private labels: Labels | null = null;
  private operator: Operator | null = null;
  private known: Link | null = null;
  /** True if a program serves the run, and takes commands. */
  isServed = false;

  constructor(
    readonly recording: Recording,
    private readonly host: HTMLElement,
  ) {
    this.clock = new Clock(recording);
    this.window = new TimeWindow(recording);
    this.layout = new Layout(this.theme);
    watchStatus(this.layout, recording);
  }

  /** Builds everything; the stream has begun. */
  build(): void {
    const { recording, clock, window: range, theme, layout } = this;
    const begin = recording.begin.value!;
    layout.mount(this.host, endBanner(recording, clock), new Transport(recording, clock).element);
    this.plots = new PlotStack({ recording, clock, window: range, theme });
    layout.plots.append(this.plots.element);
    this.strip = new Strip({ recording, clock, window: range, theme }, () => this.plots.rightGutter);
    layout.steps.append(this.strip.element);
    this.tree = new ChannelTree(begin.channels, this.plots);
    layout.drawer.append(this.tree.element);
    const asked = requirementList(recording, this.plots, clock);
    if (asked) layout.addRequirements(asked);
    this.buildScene();
    if (begin.blocks) {
      const diagram = new Diagram(begin.blocks, recording, this.plots, clock, (text) => layout.say(text));
      layout.diagram.append(diagram.element);
      layout.onView = (view) => (view === 'diagram' ? diagram.shown() : this.view?.stage.resize());
      this.letRecord(diagram);
    }
    layout.offer(this.view !== null, begin.blocks !== null && begin.blocks !== undefined);
    this.buildHands();
    layout.addPanel({ name: 'run', title: 'Run', picture: 'info', body: runPanel(recording) });
    this.buildAgain();
    const keyboard = new Keyboard(keysOf(this, () => keyboard.toggleSheet()));
    layout.onHelp = () => keyboard.toggleSheet();
    layout.onSteps = () => this.strip.build();
    layout.resetZoom.addEventListener('click', () => range.reset());
    range.zoom.follow((zoom) => (layout.resetZoom.hidden = zoom === null));
    this.plots.suggest();
    this.plotRecorded();
    this.strip.build();
    // Methods without attempts have nothing to show there.
    recording.end.follow((end) => (layout.steps.hidden = end !== null && recording.attempts.length === 0));
    let gutter = this.plots.rightGutter;
    this.plots.shown.watch(() => {
      if (gutter === this.plots.rightGutter) return;
      gutter = this.plots.rightGutter;
      this.strip.build();
    });
    requestAnimationFrame((now) => this.frame(now));
  }

  private buildScene(): void {
    const { recording, layout, clock } = this;
    if (recording.begin.value!.scene.plants.length === 0) return;
    try {
      this.view = new SceneView(layout.scene, recording, this.theme);
    } catch (fault) {
      // Without WebGL plots and steps are still worth a page.
      const { message } = fault as Error;
      recording.notes.add(`the scene cannot be drawn: ${message}`);
      layout.scene.querySelector('canvas')?.remove();
      layout.say(`The scene cannot be drawn (${message}). Plots and steps are shown.`);
      return;
    }
    const view = this.view;
    this.gizmo = new Gizmo(view.stage);
    this.labels = new Labels(view);
    layout.scene.append(this.gizmo.element, this.labels.element, bodyCard(view, recording, this.plots, clock));
    if (recording.cameras.value.length > 0) layout.scene.append(cameraPanel(recording, clock));
    layout.addPanel({ name: 'display', title: 'What is drawn', picture: 'eye', body: displayPanel(view) });
    layout.addPanel({ name: 'bodies', title: 'Bodies', picture: 'list', body: bodyList(view) });
    layout.addButton('home', 'Look as at the start (V)', () => view.resetView());
    // Bounds are computed again when the number of samples has doubled, and at the end.
    let next = 8;
    recording.count.watch((count) => {
      if (count < next || !recording.running) return;
      next = count * 2;
      view.grow();
    });
    recording.end.watch((end) => {
      if (!end) return;
      view.grow();
    });
    this.pickByClick(view);
  }

  /** The way to the program that serves the run. */
  private get link(): Link {
    if (!this.known) {
      this.known = new Link();
      this.known.fault.watch((fault) => fault && this.layout.say(fault));
      this.recording.refused.watch((reason) => this.layout.say(reason));
    }
    return this.known;
  }

  /** True if the run is live, so that the page can act on it. */
  private get isLive(): boolean {
    return Boolean(this.recording.begin.value!.controls) && this.recording.running;
  }

  private get isRepeatable(): boolean {
    return this.isServed && (this.recording.begin.value!.numbers ?? []).length > 0;
  }

  /** Builds the panel of a run that can be repeated with other numbers. */
  private buildAgain(): void {
    const { recording, layout } = this;
    if (!this.isRepeatable) return;
    const body = againPanel(recording.begin.value!.numbers!, recording, this.link);
    layout.addPanel({ name: 'again', title: 'Run again', picture: 'loop', body, beside: true });
    if (wasOpen()) layout.openPanel('again');
    this.buildSensitivity();
  }

  /** Builds the panel of derivatives, where the program can make them. */
  private buildSensitivity(): void {
    const { recording, layout, plots } = this;
    const { gradient } = recording.begin.value!;
    if (!gradient) return;
    const body = sensitivityPanel({ offered: gradient, recording, plots, link: this.link });
    layout.addPanel({ name: 'sensitivity', title: 'Sensitivity', picture: 'slope', body, beside: true });
    recording.series.watch(() => {
      this.tree?.show(recording.channels);
      plots.widen();
    });
  }

  /** A click on an output that is not recorded has it recorded: at once in a live run, else by a new run. */
  private letRecord(diagram: Diagram): void {
    const { recording, layout } = this;
    if (this.isLive) diagram.onRecord = (output) => this.link.do({ act: 'record', output });
    else if (this.isRepeatable)
      diagram.onRecord = (output) => {
        keepRecorded(output);
        layout.say(`${output} is recorded: the run begins anew.`);
        this.link.send({ command: 'again', numbers: [], record: [output] });
      };
    let before = recording.width.value;
    recording.width.watch((width) => {
      diagram.redraw(recording.begin.value!.blocks!);
      this.tree?.show(recording.channels);
      const added = Array.from({ length: width - before }, (_, i) => before + i);
      before = width;
      this.plots.widen();
      this.plots.add(added.slice(0, MAX_AT_ONCE));
    });
  }

  /** Plots what the run began anew for, and shows the diagram where it was asked for. */
  private plotRecorded(): void {
    const outputs = recorded();
    if (outputs.length === 0 || !this.isRepeatable) return;
    for (const block of this.recording.begin.value!.blocks?.blocks ?? [])
      for (const port of block.outputs)
        if (outputs.includes(`${block.name}.${port.name}`)) this.plots.add((port.channels ?? []).slice(0, MAX_AT_ONCE));
    this.layout.show('diagram');
  }

  /** Builds the controls of a live run. */
  private buildHands(): void {
    const { recording, layout, clock, view } = this;
    const controls = recording.begin.value!.controls;
    if (!controls || !this.isLive) return;
    const { link } = this;
    this.operator = new Operator(controls.operators, link);
    const hands = handsPanel(controls, recording, link, clock, this.operator);
    layout.addHands(liveBar(recording, link, clock), hands);
    if (!view) return;
    layout.scene.append(view.hand.label);
    pullByMouse(view, link, (text) => layout.say(text));
    // A reset loads the page anew: it looks from where it did.
    const kept = sessionStorage.getItem(CAMERA);
    if (kept) view.stage.lookFrom(JSON.parse(kept));
    window.addEventListener('pagehide', () => sessionStorage.setItem(CAMERA, JSON.stringify(view.stage.viewNow())));
  }

  private pickByClick(view: SceneView): void {
    let start = [0, 0];
    const canvas = view.stage.canvas;
    canvas.addEventListener('pointerdown', (event) => (start = [event.clientX, event.clientY]));
    canvas.addEventListener('pointerup', (event) => {
      if (event.button !== 0 || Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 4) return;
      const box = canvas.getBoundingClientRect();
      view.selected.set(view.pick(event.clientX - box.left, event.clientY - box.top));
    });
  }

  /** Draws what changed; JavaScript's share of each frame is kept for measurements. */
  readonly frameTimes: number[] = [];

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    this.clock.tick(now);
    this.operator?.look();
    this.draw();
  }

  draw(): void {
    const { view } = this;
    if (!view || this.layout.view !== 'scene') return;
    const before = performance.now();
    view.show(this.clock.time.value);
    if (!view.frame()) return;
    this.frameTimes.push(performance.now() - before);
    if (this.frameTimes.length > 600) this.frameTimes.splice(0, 300);
    this.gizmo?.update();
    this.labels?.update();
    view.hand.update();
  }
}
