/** Runs that are known in closed form, written as the program writes them. */

import { gzipSync } from 'node:zlib';
import {
  VERSION,
  type RecordedAttempt,
  type Begin,
  type SceneBody,
  type ChannelFacts,
  type Ghost,
  type PlantScene,
  type SceneShape,
  type View,
} from '../src/stream/schema.generated';

export type Line = Record<string, unknown> & { kind: string };

type Typed = Float32Array | Float64Array | Uint32Array;

export function pack(numbers: Typed): Record<string, string> {
  const key = numbers instanceof Float32Array ? 'f32' : numbers instanceof Float64Array ? 'f64' : 'u32';
  return { [key]: Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64') };
}

export const f32 = (numbers: ArrayLike<number>) => pack(Float32Array.from(numbers));
export const f64 = (numbers: ArrayLike<number>) => pack(Float64Array.from(numbers));
export const u32 = (numbers: ArrayLike<number>) => pack(Uint32Array.from(numbers));

export const ORIGIN = {
  xyz: [0, 0, 0] as [number, number, number],
  quat: [1, 0, 0, 0] as [number, number, number, number],
};

export function shape(geometry: unknown, rgba: [number, number, number, number] | null = null): SceneShape {
  return {
    name: '',
    pose: ORIGIN,
    geometry: geometry as SceneShape['geometry'],
    appearance: rgba && { name: '', rgba, textured: null },
  };
}

export function body(name: string, more: Partial<SceneBody> = {}): SceneBody {
  return { name, parent: 0, joint: null, moving: true, start: ORIGIN, collisions: [], visuals: [], ...more };
}

export function plant(bodies: SceneBody[], more: Partial<PlantScene> = {}): PlantScene {
  const world = body('world', { parent: null, moving: false });
  return { name: 'plant', bodies: [world, ...bodies], frames: [], ground: 0, belts: [], constraints: [], ...more };
}

export interface BeginParts {
  version?: number;
  name: string;
  plants: PlantScene[];
  end: number;
  every: number;
  channels?: ChannelFacts[];
  view?: View | null;
  blocks?: Begin['blocks'];
  ghosts?: Ghost[];
  requirements?: Begin['requirements'];
}

export function begin(parts: BeginParts): Line {
  return {
    kind: 'begin',
    version: parts.version ?? VERSION,
    scene: { kinegraph_scene: 1, diagram: parts.name, plants: parts.plants, markers: [] },
    run: { diagram: parts.name, integrator: 'cenic', accuracy: 1e-3, time: 0, end: parts.end, every: parts.every },
    channels: parts.channels ?? [],
    view: parts.view ?? null,
    blocks: parts.blocks ?? null,
    ghosts: parts.ghosts ?? [],
    requirements: parts.requirements ?? [],
  };
}

export interface Sample {
  poses: number[];
  values?: number[];
  contacts?: number[];
  ghosts?: number[];
}

/** Samples in lines of a few each. */
export function frames(times: number[], at: (t: number, i: number) => Sample, chunk = 40): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < times.length; from += chunk) {
    const part = times.slice(from, from + chunk);
    const samples = part.map((t, k) => at(t, from + k));
    lines.push({
      kind: 'frames',
      times: f64(part),
      poses: f32(samples.flatMap((s) => s.poses)),
      values: f64(samples.flatMap((s) => s.values ?? [])),
      contacts: f32(samples.flatMap((s) => s.contacts ?? [])),
      contact_counts: u32(samples.map((s) => (s.contacts?.length ?? 0) / 7)),
      ...(samples[0]?.ghosts ? { ghosts: f32(samples.flatMap((s) => s.ghosts ?? [])) } : {}),
    });
  }
  return lines;
}

export const steps = (rows: RecordedAttempt[]): Line => ({ kind: 'steps', rows });

export const end = (time: number, status = 'done', message = '', summary = ''): Line => ({
  kind: 'end',
  status,
  message,
  time,
  summary,
});

export const text = (lines: Line[]): string => lines.map((line) => JSON.stringify(line)).join('\n') + '\n';

/** The built page with a recording in it, as the program fills it in. */
export function fill(page: string, lines: Line[] | string): string {
  const slot = '<script id="kinegraph-recording" type="text/plain">';
  const at = page.indexOf(`${slot}</script>`) + slot.length;
  const stream = typeof lines === 'string' ? lines : text(lines);
  return page.slice(0, at) + gzipSync(stream, { level: 1 }).toString('base64') + page.slice(at);
}

export const grid = (end: number, every: number) =>
  Array.from({ length: Math.round(end / every) + 1 }, (_, i) => i * every);
