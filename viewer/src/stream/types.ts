/** What the lines of a run say: version 1 of the stream. Unknown kinds and keys are ignored. */

export type Vector = [number, number, number];

export interface Pose {
  xyz: Vector;
  /** Scalar first. */
  quat: [number, number, number, number];
}

/** A shape in its own frame; types that are not known are skipped with a note. */
export type Geometry =
  | { type: 'sphere'; radius: number }
  | { type: 'box'; size: Vector }
  | { type: 'cylinder'; radius: number; length: number }
  | { type: 'cone'; radius: number; length: number }
  | { type: 'capsule'; radius: number; length: number }
  | { type: 'ellipsoid'; radii?: Vector; semi_axes?: Vector; size?: Vector }
  | { type: 'mesh'; source?: { uri?: string; file?: string | null }; scale?: Vector }
  | { type: 'hull'; vertices: Vector[]; faces: number[][] }
  | { type: 'triangles'; vertices: Vector[]; triangles: number[][] }
  | { type: 'half_space' };

export interface Shape {
  name: string;
  pose: Pose;
  geometry: Geometry;
  appearance: { name?: string; rgba?: [number, number, number, number] | null; texture?: unknown } | null;
}

export interface Body {
  name: string;
  parent: number | null;
  joint: string | null;
  moving: boolean;
  start: Pose;
  collisions: Shape[];
  visuals: Shape[];
}

export interface Anchor {
  body: number;
  pose: Pose;
}

export interface Belt {
  name: string;
  body: number;
  motion: { axis: Vector } | { direction: Vector };
  speed: number;
}

export interface Plant {
  name: string;
  bodies: Body[];
  frames: { name: string; body: number; pose: Pose }[];
  ground: number | null;
  belts: Belt[];
  constraints: { name: string; kind: string; anchors: Anchor[] }[];
}

export interface Marker {
  block: string;
  name: string;
  kind: string;
  plant: number;
  body: number;
  pose: Pose;
}

export interface Scene {
  diagram: string;
  plants: Plant[];
  markers: Marker[];
}

export interface Channel {
  name: string;
  unit: string;
  discrete: boolean;
}

export interface Port {
  name: string;
  x: number;
  y: number;
  channels?: number[];
}

export interface Block {
  name: string;
  type: string;
  /** Whether it is the border of a nested diagram. */
  group?: boolean;
  x: number;
  y: number;
  w: number;
  h: number;
  inputs: Port[];
  outputs: Port[];
}

export interface Blocks {
  width: number;
  height: number;
  blocks: Block[];
  wires: { from: string; to: string; points: [number, number][] }[];
}

export interface View {
  eye: Vector;
  target: Vector;
  up: Vector;
}

export interface GhostSpec {
  name: string;
  plant: number;
  bodies: number[];
}

export interface Run {
  diagram: string;
  integrator: string;
  accuracy: number | null;
  time: number;
  end: number;
  every: number;
}

export interface Begin {
  kind: 'begin';
  version: number;
  scene: Scene;
  run: Run;
  channels: Channel[];
  view: View | null;
  blocks: Blocks | null;
  ghosts: GhostSpec[];
}

/** Little-endian numbers in base64. */
export type Packed = { f32: string } | { f64: string } | { u32: string } | { q16: Quantized };

/** A table, coarsely: `low + step * place` in each column; see `quantized.ts`. */
export interface Quantized {
  low: string;
  step: string;
  places: string;
}

export interface MeshUse {
  plant: number;
  body: number;
  list: 'visuals' | 'collisions';
  shape: number;
}

export interface MeshLine {
  kind: 'mesh';
  id: number;
  positions: Packed;
  triangles: Packed;
  rgba: [number, number, number, number] | null;
  uses: MeshUse[];
}

export interface FramesLine {
  kind: 'frames';
  times: Packed;
  poses: Packed;
  values: Packed;
  contacts?: Packed;
  contact_counts?: Packed;
  ghosts?: Packed;
}

export type AttemptRow = [number, number, string, number | null, string, number, number];

export interface EndLine {
  kind: 'end';
  status: 'done' | 'failed' | 'stopped';
  message: string;
  time: number;
  summary: string;
}
