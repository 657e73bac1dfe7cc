/** The scene of a run at a time: everything drawn, the body that is selected, the one that is followed. */

import * as THREE from 'three';
import { Signal } from '../shared/signal';
import type { Recording } from '../stream/recording';
import type { Theme } from '../theme/theme';
import { Belts } from './belts';
import { Bodies } from './bodies';
import { Bones } from './bones';
import { bounds, containers, type Bounds } from './bounds';
import { Contacts } from './contacts';
import { Frames } from './frames';
import { Ghost } from './ghost';
import { Ground } from './ground';
import { Hand } from './hand';
import { Markers } from './markers';
import { defaults } from './options';
import { Path } from './path';
import { Scans } from './scans';
import { OPACITY, Shapes } from './shapes';
import { Stage } from './stage';
import { Textures } from './textures';
import { Tubes } from './tubes';

export class SceneView {
  readonly options = defaults();
  readonly selected = new Signal(-1);
  readonly followed = new Signal(-1);
  readonly stage: Stage;
  readonly bodies: Bodies;
  readonly contacts: Contacts;
  readonly ground = new Ground();
  readonly bones: Bones;
  readonly markers: Markers;
  readonly hand: Hand;
  readonly scans: Scans;
  bounds: Bounds;
  readonly textures = new Textures(() => this.refresh());
  private readonly shapes: Shapes;
  private readonly tubes: Tubes;
  private readonly frames: Frames;
  private readonly ghost: Ghost;
  private readonly belts: Belts;
  private readonly path: Path;
  private time = 0;
  /**
   * The sample that holds then: a joint that is moved while the run stands still gives another one at the same time.
   */
  private sample = -1;
  private stale = true;
  private readonly lastFollowed = new THREE.Vector3();
  /** How many samples and meshes the bounds are computed from. */
  private known = -1;

  constructor(
    host: HTMLElement,
    private readonly recording: Recording,
    private readonly theme: Theme,
  ) {
    const begin = recording.begin.value!;
    this.stage = new Stage(host);
    const { plain } = this.stage.quality;
    // Half of what a frame costs without a graphics processor; the switch is there.
    this.options.shadows.set(!plain);
    this.bodies = new Bodies(recording, begin.scene.plants, begin.ghosts);
    this.shapes = new Shapes(this.bodies, recording.notes, plain, this.textures);
    this.tubes = new Tubes(this.bodies, plain);
    this.bones = new Bones(this.bodies, plain);
    this.ghost = new Ghost(this.bodies, recording.notes, plain, this.textures);
    this.contacts = new Contacts(recording, plain);
    this.frames = new Frames(this.bodies);
    this.belts = new Belts(this.bodies, recording);
    this.markers = new Markers(this.bodies, recording, recording.notes);
    this.path = new Path(this.bodies, recording);
    this.hand = new Hand(this.stage);
    this.scans = new Scans(recording, this.bodies);
    this.bounds = bounds(this.bodies, recording);
    this.stage.scene.add(
      this.ground.group,
      this.shapes.group,
      this.tubes.group,
      this.bones.group,
      this.ghost.group,
      this.belts.group,
      this.contacts.group,
      this.frames.group,
      this.markers.cups,
      this.markers.constraints,
      this.path.line,
      this.scans.group,
      this.hand.group,
    );
    recording.hand.watch((hand) => this.hand.show(hand, this.bounds.radius));
    theme.palette.watch(() => this.rebuild());
    recording.meshes.watch(() => (this.known = -1));
    recording.textures.watch(() => (this.known = -1));
    const { options: o } = this;
    for (const option of [o.shapes, o.seeThrough, o.bones, o.shadows])
      (option as Signal<unknown>).watch(() => this.rebuild());
    for (const option of Object.values(o)) (option as Signal<unknown>).watch(() => this.refresh());
    this.selected.watch(() => this.highlight());
    this.followed.watch((body) => body >= 0 && this.lastFollowed.set(...this.bodies.origin(body)));
    this.grow();
    this.stage.look(begin.view, this.bounds);
  }

  /** True if there is nothing to see. */
  get empty(): boolean {
    return this.bodies.list.length === 0;
  }

  get hasGhosts(): boolean {
    return this.recording.ghostCount > 0;
  }

  /** Updates what depends on the samples so far: bounds, meshes, bodies that hold others. */
  grow(): void {
    const before = this.bounds;
    this.bounds = bounds(this.bodies, this.recording);
    this.known = this.recording.length;
    this.rebuild();
    const larger =
      this.bounds.radius > before.radius * 1.1 || this.bounds.centre.distanceTo(before.centre) > before.radius * 0.1;
    if (larger && !this.stage.touched && !this.stage.hasOwnView) this.stage.look(null, this.bounds);
  }

  /** Restores the camera of the start. */
  resetView(): void {
    this.followed.set(-1);
    this.stage.look(this.recording.begin.value!.view, this.bounds);
  }

  private rebuild(): void {
    const palette = this.theme.palette.value;
    const radius = this.bounds.radius;
    const set = {
      list: this.options.shapes.value,
      ghost: false,
      containers: containers(this.bodies, this.recording),
      radius,
      // Collision shapes are shown as they are; among visual shapes, fibres are tubes.
      hidden: this.options.shapes.value === 'visual' ? this.tubes.members : new Set<number>(),
    };
    this.shapes.build(set, this.options, palette, this.recording);
    if (this.hasGhosts) this.ghost.build(set, this.options, palette, this.recording);
    this.bones.radius = radius * 0.02;
    for (const part of [this.bones, this.contacts, this.ground, this.belts, this.markers, this.scans, this.stage])
      part.color(palette);
    this.hand.color(palette.accent);
    const heights = this.bodies.plants.flatMap((plant) => (typeof plant.ground === 'number' ? [plant.ground] : []));
    const floor = this.bounds.lowest >= -0.02 * radius && this.bounds.lowest < radius ? 0 : this.bounds.lowest;
    this.ground.place(this.bounds.centre, radius, heights[0] ?? floor, heights.length > 0);
    this.stage.fit(this.bounds);
    this.highlight();
    this.refresh();
  }

  private highlight(): void {
    const palette = this.theme.palette.value;
    this.shapes.highlight(this.selected.value, palette.accent);
    this.tubes.color(palette, this.options.seeThrough.value === 'all' ? OPACITY.all : 1, this.selected.value);
    this.refresh();
  }

  /** Draws again although the time is the same. */
  refresh(): void {
    this.stale = true;
  }

  /** Shows a time. */
  show(t: number): void {
    const sample = this.recording.sampleAt(t);
    if (t === this.time && sample === this.sample && !this.stale) return;
    [this.time, this.sample] = [t, sample];
    this.stale = true;
  }

  /** The poses of all bodies at a time, seven numbers each. */
  posesAt(t: number): Float64Array {
    this.show(t);
    if (this.stale) this.update();
    return this.bodies.poses;
  }

  /** One frame; returns whether anything was drawn. */
  frame(): boolean {
    if (this.known < 0) this.grow();
    if (this.stale) this.update();
    return this.stage.draw();
  }

  private update(): void {
    this.stale = false;
    const { options } = this;
    const radius = this.bounds.radius;
    this.bodies.pose(this.time);
    this.shapes.update();
    this.tubes.group.visible = options.shapes.value === 'visual';
    if (this.tubes.group.visible) this.tubes.update();
    this.bones.group.visible = options.bones.value;
    this.bones.update();
    this.ghost.group.visible = options.ghosts.value && this.hasGhosts;
    this.ghost.update();
    this.belts.update(this.time);
    this.contacts.group.visible = options.contacts.value;
    this.contacts.update(this.recording.sampleAt(this.time), radius, options.forceScale.value);
    this.frames.choice = options.frames.value;
    this.frames.update(radius);
    this.markers.constraints.visible = options.constraints.value;
    this.markers.update(this.time, radius);
    this.scans.group.visible = options.scans.value;
    this.scans.update(this.time);
    this.ground.group.visible = options.grid.value;
    this.stage.shadows(options.shadows.value);
    this.ground.shadows = options.shadows.value;
    this.path.update(options.path.value ? this.selected.value : -1, this.theme.palette.value.accent);
    this.follow();
    this.stage.ask();
  }

  private follow(): void {
    const body = this.followed.value;
    if (body < 0) return;
    const now = new THREE.Vector3(...this.bodies.origin(body));
    if (!Number.isFinite(now.x)) return;
    this.stage.move(now.clone().sub(this.lastFollowed));
    this.lastFollowed.copy(now);
  }

  /** Follows a body by its name (`link`, `model/link`), which is what is looked at from now on. */
  followNamed(name: string): void {
    const named = ({ data }: { data: { name: string } }) => data.name === name || data.name.endsWith(`/${name}`);
    const body = this.bodies.list.findIndex(named);
    if (body < 0) {
      const names = this.bodies.list.filter(({ data }) => data.moving).map(({ data }) => data.name);
      throw new Error(`there is no body ${name}; those that move: ${names.slice(0, 20).join(', ')}`);
    }
    if (this.stale) this.update();
    const { target } = this.stage.viewNow();
    this.stage.move(new THREE.Vector3(...this.bodies.origin(body)).sub(new THREE.Vector3(...target)));
    this.followed.set(body);
  }

  /** Begins or ends following the body that is selected. */
  toggleFollow(): void {
    this.followed.set(this.followed.value >= 0 ? -1 : this.selected.value);
  }

  /** The body under a point of the canvas; -1: none. */
  pick(x: number, y: number): number {
    const ray = this.stage.ray(x, y);
    const hits = [this.shapes.pick(ray), this.bones.pick(ray)].filter((hit) => hit !== null);
    const best = hits.sort((a, b) => a.distance - b.distance)[0];
    return best && this.bodies.list[best.body].body !== 0 ? best.body : -1;
  }

  /** The body under a point of the canvas, and where it is touched: in the world, and from its origin in its axes. */
  pickPoint(
    x: number,
    y: number,
  ): { body: number; point: [number, number, number]; local: [number, number, number] } | null {
    const ray = this.stage.ray(x, y);
    const hits = [this.shapes.pick(ray), this.bones.pick(ray)].filter((hit) => hit !== null);
    const best = hits.sort((a, b) => a.distance - b.distance)[0];
    if (!best || this.bodies.list[best.body].body === 0) return null;
    // A transparent shape counts as a million metres farther in the order of picking.
    const at = ray.ray.at(best.distance % 1e6, new THREE.Vector3());
    const m = this.bodies.transforms.subarray(best.body * 12, best.body * 12 + 12);
    const from = [at.x - m[3], at.y - m[7], at.z - m[11]];
    const local = [0, 1, 2].map((c) => m[c] * from[0] + m[4 + c] * from[1] + m[8 + c] * from[2]);
    return { body: best.body, point: [at.x, at.y, at.z], local: local as [number, number, number] };
  }

  /** Frames that are drawn, with their names. */
  namedFrames(): ReturnType<Frames['named']> {
    return this.frames.named();
  }

  /** Where the origin of a body is drawn, in CSS pixels of the canvas. */
  project(body: number): [number, number] {
    if (this.stale) this.update();
    return this.stage.project(...this.bodies.origin(body));
  }
}
