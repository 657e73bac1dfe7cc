/** A run so far: the contents of the lines of the stream, in arrays that grow. */

import { Signal } from '../shared/signal';
import { Attempts } from './attempts';
import { Growing } from './growing';
import { Notes } from './notes';
import { unpack } from './packed';
import { Photos } from './photos';
import { between, lastAtOrBefore } from './search';
import { tidy } from './tidy';
import {
  AS_BEFORE,
  VERSION,
  type Acted,
  type Begin,
  type ChannelFacts,
  type Channels,
  type DeskState,
  type End,
  type Frames,
  type HandForce,
  type Line,
  type Mesh,
  type MeshUse,
  type RequirementReport,
  type Sensitivity,
  type Steps,
  type TextureImages,
  type Touching,
} from './schema.generated';

/** The scans of a lidar in the order of time, and from when on each is seen. */
export interface Scans {
  times: number[];
  scans: { taken: number; points: Float32Array }[];
}

/** The triangles of a mesh; they follow the scene. */
export interface MeshData {
  id: number;
  positions: Float32Array;
  triangles: Uint32Array;
  /** Where each corner is on an image; `null` where the file says nothing. */
  uv: Float32Array | null;
  /** The number of the image of the file; -1: none. */
  texture: number;
  rgba: [number, number, number, number] | null;
  uses: MeshUse[];
}

/** An image on surfaces; it comes before the meshes. */
export interface TextureData {
  id: number;
  /** Addresses that hold the files: one, or the six sides of a cube. */
  images: string[];
  /** True if its images are the sides of a cube. */
  cube: boolean;
  uses: MeshUse[];
}

/** The name of the channel of a derivative over time. */
export const slopeName = (channel: string, by: string): string => `d ${channel} / d ${by}`;

export class Recording {
  readonly begin = new Signal<Begin | null>(null);
  readonly end = new Signal<End | null>(null);
  /** How many samples there are; watchers are called after each line. */
  readonly count = new Signal(0);
  readonly attemptCount = new Signal(0);
  readonly meshes = new Signal<MeshData[]>([]);
  readonly textures = new Signal<TextureData[]>([]);
  readonly notes = new Notes();
  /** Of a live run: how it goes on, what was done to it last, what was refused last, what the hand does. */
  readonly desk = new Signal<DeskState | null>(null);
  readonly acted = new Signal<Acted | null>(null);
  readonly refused = new Signal('');
  readonly hand = new Signal<HandForce | null>(null);
  /** How many channels there are; watchers are called when more are recorded. */
  readonly width = new Signal(0);
  /** The requirements of the run as they stand, in the order of `begin.requirements`. */
  readonly judged = new Signal<readonly RequirementReport[]>([]);
  /** How often derivatives over time became channels. */
  readonly series = new Signal(0);
  /** Derivatives of the run, once a page asked for some. */
  readonly sensitivity = new Signal<Sensitivity | null>(null);
  /** Which bodies of a model touch. */
  readonly touching = new Signal<Touching | null>(null);
  /** The pictures of each camera; watchers are called when one comes. */
  readonly cameras = new Signal<readonly Photos[]>([]);
  /** The scans of each lidar. */
  scans: Scans[] = [];
  /** True if the stream ended without its last line. */
  brokeOff = false;

  readonly times = new Growing(Float64Array, 1024);
  /** Seven numbers for each moving body, sample by sample. */
  readonly poses = new Growing(Float32Array, 1 << 16);
  /** A number for each channel, sample by sample; of the width the stream has. */
  values: Growing<Float64Array<ArrayBuffer>> | Growing<Float32Array<ArrayBuffer>> = new Growing(Float64Array);
  readonly contacts = new Growing(Float32Array, 1 << 10);
  /** Where the contacts of each sample begin and end: samples within a step share theirs. */
  readonly contactStarts = new Growing(Uint32Array, 1024);
  readonly contactEnds = new Growing(Uint32Array, 1024);
  readonly ghosts = new Growing(Float32Array);
  readonly attempts = new Attempts();
  /** The longest contact force so far [N]. */
  largestForce = 0;

  /** Why nothing of this stream is read; empty if it is read. */
  refusal = '';

  private movingBodies = 0;
  private ghostBodies = 0;

  get channels() {
    return this.begin.value?.channels ?? [];
  }

  get length(): number {
    return this.times.length;
  }

  /** The first and the last time there is a sample of. */
  get from(): number {
    return this.length > 0 ? this.times.data[0] : (this.begin.value?.run.time ?? 0);
  }

  get reached(): number {
    const last = this.length > 0 ? this.times.data[this.length - 1] : this.from;
    return this.end.value ? Math.max(last, Math.min(this.end.value.time, last)) : last;
  }

  /** True if more lines follow. */
  get running(): boolean {
    return this.end.value === null;
  }

  get movingCount(): number {
    return this.movingBodies;
  }

  get ghostCount(): number {
    return this.ghostBodies;
  }

  /** Reads a line; a broken one is left out, with a note. */
  take(line: string, number: number): void {
    try {
      this.takeLine(JSON.parse(line) as Line);
    } catch (fault) {
      this.notes.add(`line ${number} of the stream was left out: ${(fault as Error).message}`);
    }
  }

  private takeLine(line: Line): void {
    switch (line.kind) {
      case 'begin':
        return this.takeBegin(line);
      case 'mesh':
        return this.takeMesh(line);
      case 'texture':
        return this.takeTexture(line);
      case 'frames':
        return this.takeFrames(line);
      case 'channels':
        return this.takeChannels(line);
      case 'photo':
        this.cameras.value[line.camera]?.take(line);
        return this.cameras.notify();
      case 'scan': {
        const { scanner, time, taken, points } = line;
        this.scans[scanner]?.times.push(time);
        this.scans[scanner]?.scans.push({ taken, points: Float32Array.from(unpack(points)) });
        return;
      }
      case 'judged':
        return this.judged.set(line.requirements);
      case 'sensitivity':
        return this.takeSensitivity(line);
      case 'touching':
        return this.touching.set(line);
      case 'steps':
        return this.takeSteps(line);
      case 'desk':
        return this.desk.set(line);
      case 'acted':
        if (line.act.act === 'release' || line.act.act === 'close') this.hand.set(null);
        return this.acted.set(line);
      case 'refused':
        this.refused.set(line.reason);
        return this.refused.notify();
      case 'hand':
        return this.hand.set(line);
      case 'end':
        return this.end.set(line);
    }
  }

  private takeBegin(begin: Begin): void {
    if (this.begin.value) throw new Error('a second begin');
    if (begin.version !== VERSION) {
      this.refusal = `The stream has version ${begin.version}; this page reads version ${VERSION} only. Page and program must be of the same release.`;
      this.notes.add(this.refusal);
      return;
    }
    begin.scene = tidy(begin.scene, this.notes);
    begin.channels ??= [];
    begin.ghosts ??= [];
    begin.plotted ??= [];
    begin.requirements ??= [];
    this.cameras.set((begin.cameras ?? []).map((facts) => new Photos(facts)));
    this.scans = (begin.scanners ?? []).map(() => ({ times: [], scans: [] }));
    for (const plant of begin.scene.plants) this.movingBodies += plant.bodies.filter((body) => body.moving).length;
    for (const ghost of begin.ghosts) this.ghostBodies += ghost.bodies.length;
    this.width.set(begin.channels.length);
    this.begin.set(begin);
  }

  /** More is recorded: nothing is known of it before. */
  private takeChannels({ channels, blocks }: Channels): void {
    const begin = this.begin.value;
    if (!begin) throw new Error('channels before begin');
    const before = begin.channels.length;
    if (channels.length < before) throw new Error(`${channels.length} channels where there were ${before}`);
    this.widen(channels, () => NaN);
    begin.blocks = blocks;
    this.width.set(channels.length);
  }

  /** Samples have more channels from now on: at each time what `at` gives for those that are new. */
  private widen(channels: ChannelFacts[], at: (channel: number, t: number) => number): void {
    const before = this.channels.length;
    const { data } = this.values;
    const wide = new Growing(Float64Array, Math.max(64, this.length * channels.length));
    const row = new Float64Array(channels.length);
    for (let i = 0; i < this.length; i++) {
      row.set(data.subarray(i * before, (i + 1) * before));
      for (let c = before; c < channels.length; c++) row[c] = at(c, this.times.data[i]);
      wide.append(row);
    }
    this.values = wide;
    this.begin.value!.channels = channels;
  }

  /** Derivatives over time become channels, between whose times straight lines are drawn. */
  private takeSensitivity(line: Sensitivity): void {
    if (!this.begin.value) throw new Error('derivatives before begin');
    const times = Float64Array.from(unpack(line.times));
    const series = line.over_time.map(({ channel, by, unit, values }) => {
      const numbers = unpack(values);
      if (numbers.length !== times.length) throw new Error(`${numbers.length} derivatives at ${times.length} times`);
      const at = (t: number) => {
        if (times.length === 0 || t < times[0] || t > times[times.length - 1]) return NaN;
        const { at, next, part } = between(times, times.length, t);
        return part === 0 ? numbers[at] : numbers[at] + (numbers[next] - numbers[at]) * part;
      };
      return { facts: { name: slopeName(channel, by), unit, discrete: false }, at };
    });
    const before = this.channels.length;
    const known = new Map(this.channels.map(({ name }, i) => [name, i]));
    const fresh = series.filter(({ facts }) => !known.has(facts.name));
    this.widen([...this.channels, ...fresh.map(({ facts }) => facts)], (c, t) => fresh[c - before].at(t));
    const width = this.channels.length;
    for (const { facts, at } of series) {
      const column = known.get(facts.name);
      if (column === undefined) continue;
      for (let i = 0; i < this.length; i++) this.values.data[i * width + column] = at(this.times.data[i]);
    }
    this.series.set(this.series.value + 1);
    this.sensitivity.set(line);
  }

  private takeMesh(line: Mesh): void {
    const positions = Float32Array.from(unpack(line.positions));
    const triangles = Uint32Array.from(unpack(line.triangles));
    const vertices = positions.length / 3;
    if (positions.length % 3 !== 0 || triangles.length % 3 !== 0) throw new Error(`mesh ${line.id} is cut off`);
    if (triangles.some((corner) => corner >= vertices)) throw new Error(`mesh ${line.id} names corners it has not`);
    const uv = line.uv ? Float32Array.from(unpack(line.uv)) : null;
    if (uv && uv.length !== 2 * vertices) throw new Error(`mesh ${line.id} has places on its image for other corners`);
    const { id, rgba, texture = -1, uses = [] } = line;
    this.meshes.set([...this.meshes.value, { id, positions, triangles, uv, texture, rgba, uses }]);
  }

  private takeTexture({ id, images, uses = [] }: TextureImages): void {
    // Nothing is fetched: an address holds its image itself.
    if (!images.length || images.some((address) => !address.startsWith('data:image/')))
      throw new Error(`image ${id} is none`);
    const looks = uses.map(({ plant, body, list, shape }) => {
      const found = this.begin.value?.scene.plants[plant]?.bodies[body]?.[list][shape];
      return found?.appearance?.textured?.mapping.type;
    });
    const cube = images.length === 6 || looks.some((look) => look === 'cube');
    this.textures.set([...this.textures.value, { id, images, cube, uses }]);
  }

  private takeFrames(line: Frames): void {
    if (!this.begin.value) throw new Error('frames before begin');
    const times = unpack(line.times);
    const [poses, values] = [unpack(line.poses), unpack(line.values)];
    const n = times.length;
    const expect = (what: string, found: number, wanted: number) => {
      if (found !== wanted) throw new Error(`${found} numbers of ${what} where ${wanted} belong`);
    };
    expect('poses', poses.length, n * this.movingBodies * 7);
    expect('values', values.length, n * this.channels.length);
    const counts = line.contact_counts ? unpack(line.contact_counts) : new Uint32Array(n);
    const contacts = line.contacts ? unpack(line.contacts) : new Float32Array(0);
    expect('contact counts', counts.length, n);
    let points = 0;
    for (const count of counts) points += count === AS_BEFORE ? 0 : count;
    expect('contacts', contacts.length, points * 7);
    const ghosts = line.ghosts ? unpack(line.ghosts) : new Float32Array(n * this.ghostBodies * 7).fill(NaN);
    expect('ghosts', ghosts.length, n * this.ghostBodies * 7);

    if (this.values.length === 0 && values instanceof Float32Array) this.values = new Growing(Float32Array, 1 << 12);
    this.times.append(times);
    this.poses.append(poses);
    this.values.append(values);
    const last = this.contactStarts.length - 1;
    let [start, end] = [last < 0 ? 0 : this.contactStarts.data[last], this.contacts.length / 7];
    for (const count of counts) {
      if (count !== AS_BEFORE) [start, end] = [end, end + count];
      this.contactStarts.push(start);
      this.contactEnds.push(end);
    }
    this.contacts.append(contacts);
    for (let i = 4; i < contacts.length; i += 7) {
      const force = Math.hypot(contacts[i], contacts[i + 1], contacts[i + 2]);
      if (force > this.largestForce && Number.isFinite(force)) this.largestForce = force;
    }
    this.ghosts.append(ghosts);
    this.count.set(this.length);
  }

  private takeSteps(line: Steps): void {
    let broken = 0;
    for (const row of line.rows) {
      try {
        this.attempts.push(row);
      } catch {
        broken++;
      }
    }
    this.attemptCount.set(this.attempts.length);
    if (broken > 0) throw new Error(`${broken} attempts are none`);
  }

  /** The index of the sample that holds at `t`; -1 where there is none. */
  sampleAt(t: number): number {
    return this.length === 0 ? -1 : Math.max(0, lastAtOrBefore(this.times.data, this.length, t));
  }

  /** The value of a channel at `t`: held if discrete, else straight between samples. NaN without samples. */
  value(channel: number, t: number): number {
    const width = this.channels.length;
    if (this.length === 0 || channel < 0 || channel >= width) return NaN;
    const { at, next, part } = between(this.times.data, this.length, t);
    const here = this.values.data[at * width + channel];
    if (part === 0 || this.channels[channel].discrete) return here;
    return here + (this.values.data[next * width + channel] - here) * part;
  }
}
