/**
 * The lines of a run, as the program writes them: one object of JSON a line.
 *
 * Made by `tests/source/page_schema` from the Rust types of `src/io/view/lines.rs`. Change those, not this file, then
 * run `KINEGRAPH_SCHEMA=write cargo test -p kinegraph-source-tests page_schema`.
 */

/** The version of the format. The page reads this one only. */
export const VERSION = 2;

/** In place of a number of contact points: those of the instant before. */
export const AS_BEFORE = 4294967295;

/** The bytes of an array of numbers, the least first, in base64. */
export type Base64 = string;

/** Outcome of an attempt. */
export const OUTCOMES = [
  /** The step was taken. */
  'accepted',
  /** Its error was too large. */
  'inaccurate',
  /** The step has no solution, or none that is finite. */
  'failed',
  /** A step of motion without contact and constraints met a contact or a joint stop. */
  'not_free',
  /**
   * The step crosses a point where the motion is not smooth, to be located more closely. It was accurate enough, or
   * abandoned.
   */
  'transition',
  /** The step was accurate enough, but gained energy that no work gave. */
  'energy_gain',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One line. */
export type Line =
  /** The first: what is run. */
  | ({ kind: 'begin' } & Begin)
  /** An image on surfaces. */
  | ({ kind: 'texture' } & TextureImages)
  /** The triangles of a mesh. */
  | ({ kind: 'mesh' } & Mesh)
  /** More is recorded from here on. */
  | ({ kind: 'channels' } & Channels)
  /** Poses, channels and contact points at some instants. */
  | ({ kind: 'frames' } & Frames)
  /** A picture of a camera. */
  | ({ kind: 'photo' } & Photo)
  /** A scan of a lidar. */
  | ({ kind: 'scan' } & Scanned)
  /** Attempts at steps. */
  | ({ kind: 'steps' } & Steps)
  /** A live run: whether it goes on, and how fast. */
  | ({ kind: 'desk' } & DeskState)
  /** An act of a person on a live run. */
  | ({ kind: 'acted' } & Acted)
  /** An act that was refused, and why. */
  | ({ kind: 'refused' } & Refused)
  /** Which bodies of a model touch from here on. */
  | ({ kind: 'touching' } & Touching)
  /** The requirements of the run, as they stand. */
  | ({ kind: 'judged' } & Judged)
  /** Derivatives of the run, which a page asked for. */
  | ({ kind: 'sensitivity' } & Sensitivity)
  /** The force of the hand. */
  | ({ kind: 'hand' } & HandForce)
  /** The last: how the run ended. */
  | ({ kind: 'end' } & End);

/** Facts of a run, at its beginning. */
export interface Begin {
  /** Version of the format. */
  version: number;
  /** Scene to draw. */
  scene: Scene;
  /** How it is run. */
  run: RunFacts;
  /** Channels that are recorded. */
  channels: ChannelFacts[];
  /** Where to look from, if the diagram file says. */
  view: View | null;
  /** The block diagram. */
  blocks: Drawing | null;
  /** Bodies that are drawn a second time, where they should be. */
  ghosts: Ghost[];
  /** Indices of the channels that are to be plotted; empty: the page chooses. */
  plotted: number[];
  /** The cameras whose pictures are recorded. */
  cameras: CameraFacts[];
  /** The lidars whose scans are recorded. */
  scanners: Scanner[];
  /** Requirements of the diagram file. */
  requirements: RequirementFacts[];
  /** Controls of a live run. */
  controls?: Controls;
  /** The numbers of the diagram file, where the run can be done again with others. */
  numbers: NumberControl[];
  /** Measures and numbers of derivatives, where the program can find them. */
  gradient?: GradientControl;
}

/** Drawable parts of a diagram. */
export interface Scene {
  /** Version of the format. */
  kinegraph_scene: number;
  /** Name of the diagram. */
  diagram: string;
  /** The plants, in the order of the diagram. */
  plants: PlantScene[];
  /** Markers of other blocks on bodies, in the order of the diagram. */
  markers: SceneMarker[];
}

/** Scene of one plant. */
export interface PlantScene {
  /** Full name of the plant's block. */
  name: string;
  /** The bodies; body 0 is the world. */
  bodies: SceneBody[];
  /** Frames with names of their own: the bases of models. */
  frames: SceneFrame[];
  /** Height of the ground, the half-space below this z [m]; `null`: no ground. */
  ground: number | null;
  /** Surfaces that move. */
  belts: SceneBelt[];
  /** The constraints, active or not, in the order of their indices. */
  constraints: SceneConstraint[];
}

/** A body with its shapes. */
export interface SceneBody {
  /** Full name within the plant (`arm/link1`; `world`). */
  name: string;
  /** Index of its parent body; `null` for the world, and if the plant does not state it. */
  parent: number | null;
  /** Full name of the joint between it and its parent; `null` for a weld, and if the plant does not state it. */
  joint: string | null;
  /** True if it can move; a body that cannot stays at `start`. */
  moving: boolean;
  /** Its pose in the world at the initial state. */
  start: Pose;
  /** Collision shapes. */
  collisions: SceneShape[];
  /** Visual shapes. */
  visuals: SceneShape[];
}

/** Pose of a frame in another one. */
export interface Pose {
  /** Position of the origin [m]. */
  xyz: [number, number, number];
  /** Orientation as a unit quaternion (w, x, y, z). */
  quat: [number, number, number, number];
}

/** A shape on a body. */
export interface SceneShape {
  /** Name; may be empty. */
  name: string;
  /** Pose in the body's frame. */
  pose: Pose;
  /** Geometry of the shape. */
  geometry: Geometry;
  /** Appearance; `null` for collision shapes, and if the model file does not give it. */
  appearance: Appearance | null;
}

/** A shape in its own frame. Boxes, cylinders, capsules and cones are centred, all but boxes along z. */
export type Geometry =
  /** A ball. */
  | {
      type: 'sphere';
      /** Radius [m]. */
      radius: number;
    }
  /** A box. */
  | {
      type: 'box';
      /** Edge lengths along x, y, z [m]. */
      size: [number, number, number];
    }
  /** A cylinder. */
  | {
      type: 'cylinder';
      /** Radius [m]. */
      radius: number;
      /** Length [m]. */
      length: number;
    }
  /** A cylinder with a half-ball on either end. */
  | {
      type: 'capsule';
      /** Radius [m]. */
      radius: number;
      /** Length of the cylinder, without the caps [m]. */
      length: number;
    }
  /** An ellipsoid. */
  | {
      type: 'ellipsoid';
      /** Its semi-axes along x, y, z [m]. */
      semi_axes: [number, number, number];
    }
  /** A cone along z with its apex up, centred half way between apex and base. */
  | {
      type: 'cone';
      /** Radius of the base [m]. */
      radius: number;
      /** Height [m]. */
      length: number;
    }
  /** Triangles. */
  | {
      type: 'triangles';
      /** Their corners [m]. */
      vertices: [number, number, number][];
      /** The three corners of each, anticlockwise seen from outside. */
      triangles: [number, number, number][];
    }
  /** A mesh, which is not read: only its file, and the scale of its coordinates. */
  | {
      type: 'mesh';
      /** The file. */
      source: FileReference;
      /** Factors of its coordinates along x, y, z; negative: mirrored. */
      scale: [number, number, number];
    }
  /** A convex polyhedron. */
  | {
      type: 'hull';
      /** Its corners [m]. */
      vertices: [number, number, number][];
      /** The corners of each of its flat faces, anticlockwise seen from outside. */
      faces: number[][];
    }
  /** All points with z <= 0. */
  | { type: 'half_space' };

/** A file that a model names. */
export interface FileReference {
  /** Path as the model file states it (`package://arm/link.dae`). */
  uri: string;
  /** Its path; `null` if there is no such file. */
  file: string | null;
}

/** Appearance of a shape. Fields that are `null` are not given in the model file. */
export interface Appearance {
  /** Name of the material; may be empty. */
  name: string;
  /** Red, green, blue and opacity, each from 0 to 1. */
  rgba: [number, number, number, number] | null;
  /** An image on the surface. */
  textured: Texture | null;
}

/** An image on a surface. */
export interface Texture {
  /** The image. */
  image: Image;
  /** Mapping of the image to the surface. */
  mapping: Mapping;
}

/** Source of an image. */
export type Image =
  /** A file. */
  | { file: FileReference }
  /** Six files, the sides of a cube: +x, -x, +y, -y, +z, -z. */
  | { sides: FileReference[] }
  /** A rule by which it is drawn. */
  | { pattern: Pattern };

/** An image that is drawn by a rule, as in MJCF. */
export interface Pattern {
  /** The rule. */
  rule: PatternRule;
  /** True for six images, the sides of a cube. */
  cube: boolean;
  /** Pixels per row, and number of rows; each side of a cube has as many rows as pixels per row. */
  size: [number, number];
  /** Red, green and blue, each from 0 to 1. */
  rgb1: [number, number, number];
  /** The second colour. */
  rgb2: [number, number, number];
  /** Marks drawn over it. */
  mark: PatternMark;
  /** Colour of the marks. */
  mark_rgb: [number, number, number];
  /** For random dots, the fraction of pixels that have one. */
  density: number;
}

/** Rules by which an image is drawn. */
export type PatternRule =
  /** The first colour. */
  | 'flat'
  /** Two squares of the first and two of the second colour. */
  | 'checker'
  /** A gradient from one colour to the other: with the distance from the middle; for a cube, with the elevation. */
  | 'gradient';

/** Marks drawn over such an image. */
export type PatternMark =
  /** Nothing. */
  | 'none'
  /** Its edges. */
  | 'edge'
  /** A cross through the middle. */
  | 'cross'
  /** Dots in random places. */
  | 'dots';

/** Mapping of an image to a surface. */
export type Mapping =
  /** By the texture coordinates of the surface: those of its mesh file, or the usual ones of a primitive. */
  | { type: 'surface' }
  /** Projected along z of the shape, with its upper edge towards y; the middle of an image lies at the origin. */
  | {
      type: 'plane';
      /** Number of repeats per metre along x and y. */
      repeats: [number, number];
    }
  /** As the sides of a cube, seen from its middle in the direction of the point. */
  | {
      type: 'cube';
      /** Factors of the coordinates of the point that give the direction. */
      factors: [number, number, number];
    };

/** A frame on a body. */
export interface SceneFrame {
  /** Name within the plant. */
  name: string;
  /** The body that carries it. */
  body: number;
  /** Pose in the body's frame. */
  pose: Pose;
}

/** A surface that moves although its body may rest. */
export interface SceneBelt {
  /** Name; the plant's input `NAME.speed` drives it. */
  name: string;
  /** The body whose surface moves; the world for the ground. */
  body: number;
  /** Motion of the surface. */
  motion: BeltMotion;
  /** Speed while the input is not connected [m/s]. */
  speed: number;
}

/** The motion of a belt, a unit vector in body axes. */
export type BeltMotion =
  /** Around rollers with this axis. */
  | { axis: [number, number, number] }
  /** In this direction on every side. */
  | { direction: [number, number, number] };

/** A constraint and its anchors. */
export interface SceneConstraint {
  /** Name; for a mimic joint, the full name of that joint. */
  name: string;
  /** Kind of the constraint. */
  kind: ConstraintKind;
  /** The frames that it connects: two, or none for a coupler. */
  anchors: Anchor[];
}

/** Kind of a constraint, by the quantity that it constrains. */
export type ConstraintKind =
  /** The pose of one frame relative to another. */
  | 'weld'
  /** The position of one point relative to another frame. */
  | 'ball'
  /** The distance of two points. */
  | 'distance'
  /** The pose of one frame relative to another, by springs and dampers. */
  | 'bushing'
  /** The pose of one frame relative to another, by the energy of a beam between them. */
  | 'beam'
  /** A relation between joint positions: a weighted sum, or a polynomial. */
  | 'coupler';

/** A frame on a body on which a constraint acts. */
export interface Anchor {
  /** The body. */
  body: number;
  /** Pose in the body's frame. */
  pose: Pose;
}

/** Something that a block has on a body of a plant. */
export interface SceneMarker {
  /** Full name of the block. */
  block: string;
  /** Name within the block (`cups[0]`). */
  name: string;
  /** Its kind. */
  kind: MarkerKind;
  /** Index of the plant among `Scene::plants`. */
  plant: number;
  /** Index of the body among the plant's. */
  body: number;
  /** Where on the body. */
  pose: Pose;
}

/** Kinds of markers. */
export type MarkerKind =
  /** The tip of a suction cup. The output `force` of the block reports the forces of all its cups, in their order. */
  'suction_cup';

/** How a diagram is run. */
export interface RunFacts {
  /** Name of the diagram. */
  diagram: string;
  /** Name of the integrator. */
  integrator: string;
  /** Its accuracy, if it controls errors. */
  accuracy: number | null;
  /** Where the run begins [s]. */
  time: number;
  /** Where it is to end [s]. */
  end: number;
  /** Time between samples [s]. */
  every: number;
}

/** A recorded channel. */
export interface ChannelFacts {
  /** Its name. */
  name: string;
  /** Its unit; may be empty. */
  unit: string;
  /** True if it changes at sample times only. */
  discrete: boolean;
}

/** Where to look at a scene from. */
export interface View {
  /** The eye [m]. */
  eye: [number, number, number];
  /** Point that the eye looks at [m]. */
  target: [number, number, number];
  /** Direction that is up in the picture. */
  up: [number, number, number];
}

/** Blocks and wires in the plane, y downwards [px]. */
export interface Drawing {
  /** Its width. */
  width: number;
  /** Its height. */
  height: number;
  /** The blocks; nested diagrams come before what is in them. */
  blocks: DrawnBlock[];
  /** The wires. */
  wires: DrawnWire[];
}

/** A block, or the border of a nested diagram. */
export interface DrawnBlock {
  /** Full name. */
  name: string;
  /** Its type; empty for a nested diagram. */
  type: string;
  /** True for a nested diagram. */
  group: boolean;
  /** Left edge. */
  x: number;
  /** Upper edge. */
  y: number;
  /** Width. */
  w: number;
  /** Height. */
  h: number;
  /** Inputs on its left edge. */
  inputs: DrawnPort[];
  /** Outputs on its right edge. */
  outputs: DrawnPort[];
}

/** A port. */
export interface DrawnPort {
  /** Name within the block. */
  name: string;
  /** Where it is. */
  x: number;
  /** Where it is. */
  y: number;
  /** Indices of recorded channels that are numbers of it. */
  channels: number[];
  /** Names of the values 0, 1, … of an output that is a choice, such as the active state of a machine. */
  choices?: string[];
}

/** A wire; one that crosses the border of a nested diagram is several. */
export interface DrawnWire {
  /** The output (`controller.effort`). */
  from: string;
  /** The input. */
  to: string;
  /** Its corners. */
  points: [number, number][];
}

/** The desired motion of some bodies. */
export interface Ghost {
  /** Name of the source: an input of a block, or another recording. */
  name: string;
  /** Index of the plant in the scene. */
  plant: number;
  /** Indices of the bodies. */
  bodies: number[];
}

/** A camera whose pictures are recorded. */
export interface CameraFacts {
  /** The output that gives the pictures: `camera.depth`. */
  name: string;
  /** Pixels of a row. */
  columns: number;
  /** Rows. */
  rows: number;
  /** Names of the labels, from 1 on; `null` where pixels are distances [m]. */
  labels: string[] | null;
}

/** A lidar whose scans are recorded. */
export interface Scanner {
  /** The block that gives the scans. */
  name: string;
  /** Index of the plant in the scene. */
  plant: number;
  /** Index of the body that carries it. */
  body: number;
}

/** A requirement, as it is shown. */
export interface RequirementFacts {
  /** Its name. */
  name: string;
  /** Demand in words. */
  asks: string;
  /** Why it is asked; empty if the file does not say. */
  about: string;
  /** Its channel; empty for a condition. */
  channel: string;
  /** Unit of the channel; may be empty. */
  unit: string;
  /** Time from which it is asked [s]. */
  from: number;
  /** Time until which it is asked [s]; `null`: the end. */
  until: number | null;
  /** Limits that the channel stays above. */
  above: LimitFacts[];
  /** Limits that the channel stays below. */
  below: LimitFacts[];
  /** Level that the channel reaches once. */
  reaches: number | null;
  /** Target and largest part of the way there by which the channel goes beyond it. */
  overshoot: [number, number] | null;
}

/** A limit of a channel. */
export type LimitFacts =
  /** A number. */
  | {
      limit: 'number';
      /** The number, in the unit of the channel. */
      value: number;
    }
  /** Another channel. */
  | {
      limit: 'channel';
      /** Its name. */
      name: string;
    }
  /** A recording: its rows, joined by straight lines; the first and the last hold outside. */
  | {
      limit: 'rows';
      /** Times [s]. */
      times: number[];
      /** Values, in the unit of the channel. */
      values: number[];
    };

/** Controls of a live run. */
export interface Controls {
  /** Parameters of the diagram file. */
  of_file: ParameterControl[];
  /** Positions of single-axis joints. */
  joints: JointControl[];
  /** Parameters of blocks, but for those that a parameter of the file sets. */
  parameters: NumberControl[];
  /** Inputs that no block drives. */
  inputs: NumberControl[];
  /** Blocks that a person moves by gamepad and keys. */
  operators: OperatorControl[];
  /** Named states of models. */
  keyframes: KeyframeControl[];
}

/** A parameter of the diagram file, a number. */
export interface ParameterControl {
  /** Where it stands (`parameters.mass`). */
  path: string;
  /** Its meaning; empty if the file does not say. */
  about: string;
  /** Its unit; empty if the file states none. */
  unit: string;
  /** Its value, in this unit. */
  value: number;
  /** Its smallest and its largest value in this unit, if the file states them. */
  range: [number, number] | null;
  /** True if blocks use it. Others have their effect at the next start. */
  acts_at_once: boolean;
}

/** The position of a single-axis joint. */
export interface JointControl {
  /** Its channel (`plant.arm.joint1.q`). */
  channel: string;
  /** Its unit. */
  unit: string;
  /** Where it starts. */
  value: number;
  /** Its lower stop, or a value to slide to. */
  lower: number;
  /** Its upper stop, or a value to slide to. */
  upper: number;
}

/** A block that a person moves. */
export interface OperatorControl {
  /** Full name of the block. */
  block: string;
  /** Its signals. */
  signals: OperatorSignal[];
}

/** A signal that a person moves, from -1 to 1. */
export interface OperatorSignal {
  /** Its name. */
  name: string;
  /** Number of an axis of a gamepad, from 1. */
  axis: number | null;
  /** Number of a button of a gamepad, from 1. */
  button: number | null;
  /** The key of 1, or those of -1 and 1. */
  keys: string[];
}

/** A named state of a model. */
export interface KeyframeControl {
  /** Full name of the plant's block. */
  plant: string;
  /** Name of the model. */
  model: string;
  /** Name of the state. */
  name: string;
}

/** Numbers that can be changed. */
export interface NumberControl {
  /** Where they stand. */
  path: string;
  /** Meaning of the numbers. */
  about: string;
  /** Their values. */
  values: number[];
  /** Their names, where they have some. */
  names: string[];
}

/** Measures and numbers of which a page may ask derivatives. */
export interface GradientControl {
  /** Measures that the diagram file names. */
  of: string[];
  /** Numbers by which it differentiates. */
  by: string[];
  /** Channels that it differentiates over time. */
  over_time: string[];
  /** Numbers by which can be differentiated. */
  choices: string[];
}

/** An image on surfaces. */
export interface TextureImages {
  /** Its number. */
  id: number;
  /**
   * Addresses that hold the files (`data:image/png;base64,…`): one, or the sides of a cube, +x, -x, +y, -y, +z and
   * -z.
   */
  images: string[];
  /** The shapes whose appearance has it. */
  uses: MeshUse[];
}

/** A shape that is a mesh. */
export interface MeshUse {
  /** Index of the plant in the scene. */
  plant: number;
  /** Index of the body. */
  body: number;
  /** Which of its lists of shapes. */
  list: ShapeList;
  /** Index in the list. */
  shape: number;
}

/** A list of shapes of a body. */
export type ShapeList =
  /** Shapes to look at. */
  | 'visuals'
  /** Shapes that touch. */
  | 'collisions';

/** The triangles of a mesh, its scale applied. */
export interface Mesh {
  /** Its number. */
  id: number;
  /** Three coordinates of each corner [m]. */
  positions: Packed;
  /** Three corners of each triangle. */
  triangles: Packed;
  /** Where each corner is on an image: from its left edge and from its upper one, each in widths of the image. */
  uv?: Packed;
  /** Its colour, if the file has one. */
  rgba: [number, number, number, number] | null;
  /** The number of the image on it, if the file has one. */
  texture?: number;
  /** The shapes that it is. */
  uses: MeshUse[];
}

/** Array of one type. In JSON `{"f32": "…"}`, `{"f64": "…"}` or `{"u32": "…"}`. */
export type Packed =
  /** Of single precision. */
  | { f32: Base64 }
  /** Of double precision. */
  | { f64: Base64 }
  /** Counts and indices. */
  | { u32: Base64 }
  /** A table of numbers, coarsely: of long recordings. */
  | { q16: Quantized };

/** A table of numbers, coarsely. */
export interface Quantized {
  /** The least number of each column. */
  low: Base64;
  /** The distance between neighbours of each column. */
  step: Base64;
  /**
   * Column by column: the place of the first number, then differences of places, all modulo 65,536. First the lower
   * bytes of all of them, then the upper ones.
   */
  places: Base64;
}

/** Channels of a live run that are recorded from here on: those that were recorded before, and more. */
export interface Channels {
  /** All recorded channels. */
  channels: ChannelFacts[];
  /** The block diagram, whose ports name them. */
  blocks: Drawing;
}

/** Poses, channels and contact points at some instants. */
export interface Frames {
  /** The instants [s]. */
  times: Packed;
  /** At each, of every plant, of every body that moves: `x y z qw qx qy qz`. */
  poses: Packed;
  /** At each, of every channel. */
  values: Packed;
  /** Of every contact point: plant, where it is, and the force on the second body [N], in world axes. */
  contacts: Packed;
  /** How many contact points there are at each instant, or `AS_BEFORE`. */
  contact_counts: Packed;
  /** At each, of every body of every ghost: `x y z qw qx qy qz`. */
  ghosts?: Packed;
}

/** A picture of a camera. */
export interface Photo {
  /** Index of the camera. */
  camera: number;
  /** From when on it is seen [s]. */
  time: number;
  /** Distances that the bytes 0 and 255 stand for [m]; bytes of labels are the labels. */
  range: [number, number];
  /** A PNG file in base64; empty where there were too many pictures, from here on. */
  png: string;
}

/** A scan of a lidar. */
export interface Scanned {
  /** Index of the lidar. */
  scanner: number;
  /** From when on it is seen [s]. */
  time: number;
  /** When it was taken [s]. */
  taken: number;
  /** Three coordinates of each point that a ray met, in the frame of the body [m]. */
  points: Packed;
}

/** Attempts at steps. */
export interface Steps {
  /** Each is written as the list of its fields. */
  rows: RecordedAttempt[];
}

/** An attempt at a step: the message of `/kinegraph/steps`. */
export type RecordedAttempt = [
  /** Where it started [s]. */
  start: number,
  /** Its length [s]. */
  h: number,
  /** Its outcome. */
  outcome: string,
  /** The estimate of its error. */
  error: number | null,
  /** The coordinate with the largest error. */
  worst: string,
  /** Newton iterations. */
  iterations: number,
  /** Contact points of the step that was accepted. */
  contacts: number,
  /** The rule that asked for another attempt; empty if none did. */
  rule: string,
];

/** How a live run goes on. */
export interface DeskState {
  /** True if it stands still. */
  paused: boolean;
  /** Simulated time in a second of the clock; `null`: as fast as possible. */
  pace: number | null;
  /** True if it is at its end. */
  ended: boolean;
}

/** An entry of the journal of a session. */
export interface Acted {
  /** How many steps were taken before. */
  step: number;
  /** The time [s]. */
  time: number;
  /** The act. */
  act: Act;
}

/** Act of a person on a run. It takes effect at the end of a step, before the next. */
export type Act =
  /** The session begins: what is run. */
  | {
      act: 'open';
      /** The diagram file, or the model that is looked at. */
      file: string;
      /** Values in its place, as `--set` takes them. */
      set: string[];
    }
  /** A point of a body is taken hold of. */
  | {
      act: 'grab';
      /** Full name of the plant's block. */
      plant: string;
      /** Name of the body in the plant (`arm/link1`). */
      body: string;
      /** The point, from the body's origin in its axes [m]. */
      point: [number, number, number];
      /** Where the hand is [m]. */
      target: [number, number, number];
    }
  /** The hand moves. */
  | {
      act: 'drag';
      /** Where it is [m]. */
      target: [number, number, number];
    }
  /** The body that is held is released. */
  | { act: 'release' }
  /** A position of a single-axis joint is set, its velocity to zero. */
  | {
      act: 'place';
      /** The channel of the position (`plant.arm.joint1.q`). */
      channel: string;
      /** [rad, m]. */
      value: number;
    }
  /** A parameter of a block is changed. */
  | {
      act: 'tune';
      /** Where it stands in the diagram file (`systems.controller.kp`). */
      path: string;
      /** Its numbers. */
      values: number[];
    }
  /** An input that no block drives gets a value. */
  | {
      act: 'feed';
      /** Its path (`plant.arm.actuation`). */
      input: string;
      /** Its numbers. */
      values: number[];
    }
  /** A block that a person moves (`operator_input`) has its signals moved. */
  | {
      act: 'operate';
      /** Full name of the block. */
      block: string;
      /** Its signals, from -1 to 1. */
      values: number[];
    }
  /** A model is put into a named state of its file. */
  | {
      act: 'stand';
      /** Full name of the plant's block. */
      plant: string;
      /** Name of the model. */
      model: string;
      /** Name of the state. */
      keyframe: string;
    }
  /** An output is recorded from here on. */
  | {
      act: 'record';
      /** Its path (`controller.effort`). */
      output: string;
    }
  /** The session ends here. */
  | { act: 'close' };

/** An act that was refused. */
export interface Refused {
  /** Why. */
  reason: string;
}

/** The bodies that touch where a model stands. */
export interface Touching {
  /** Each two of them, the deepest first. */
  pairs: TouchingPair[];
}

/** Two bodies that touch. */
export interface TouchingPair {
  /** The one (`robot/forearm`). */
  a: string;
  /** The other. */
  b: string;
  /** How deep they are in each other [m]. */
  depth: number;
}

/** The requirements of a run, as they stand. */
export interface Judged {
  /** Each, in the order of the diagram file. */
  requirements: RequirementReport[];
}

/** Result of a requirement. */
export interface RequirementReport {
  /** Its name. */
  name: string;
  /** Verdict. */
  verdict: Verdict;
  /** Time at which it was first violated, or when it was certain that it is [s]. */
  violated_at?: number;
  /**
   * Distance from being violated, in `unit`: positive where it is met. The smallest one of the run; of something
   * that has to happen once, the largest one. `null` where nothing was seen, and where it is not a number.
   */
  margin: number | null;
  /** Time of that margin [s]; `null` for a measure of the whole run. */
  margin_at?: number;
  /** Unit of the margin; empty where it is not known. */
  unit: string;
  /** Value of a measure. */
  value?: number;
}

/** Verdict on a requirement. */
export type Verdict =
  /** The requirement is met. */
  | 'met'
  /** The requirement is violated. */
  | 'violated'
  /** The run ended before it was decided. */
  | 'undecided';

/** Derivatives of the run. */
export interface Sensitivity {
  /** The measures. */
  of: MeasuredNumber[];
  /** The numbers by which they are differentiated. */
  by: ByNumber[];
  /** The derivatives, measure by measure. */
  derivatives: Slope[];
  /** Where they are not what they seem. */
  notes: string[];
  /** Times of the derivatives over time [s]. */
  times: Packed;
  /** Derivatives over time. */
  over_time: SlopeOverTime[];
}

/** A measure of the run. */
export interface MeasuredNumber {
  /** Its name. */
  name: string;
  /** Its value, if the run has one. */
  value: number | null;
}

/** A number by which is differentiated. */
export interface ByNumber {
  /** Its name. */
  name: string;
  /** Its value. */
  value: number;
  /** Its smallest and its largest value, if the file states them. */
  range: [number, number] | null;
}

/** A derivative; numbers that are not finite are left out. */
export interface Slope {
  /** The derivative. */
  value: number | null;
  /** Estimate of its error. */
  error: number | null;
  /** Smallest value of the number for which it describes the run. */
  low: number | null;
  /** Largest value of the number for which it describes the run. */
  high: number | null;
}

/** A derivative of a channel over time. */
export interface SlopeOverTime {
  /** The channel. */
  channel: string;
  /** The number by which it is differentiated. */
  by: string;
  /** Unit of the derivative. */
  unit: string;
  /** Its values at the times. */
  values: Packed;
}

/** Force of the hand at an instant. */
export interface HandForce {
  /** Time [s]. */
  time: number;
  /** Index of the plant in the scene. */
  plant: number;
  /** Index of the body. */
  body: number;
  /** Point that is held, in world axes [m]. */
  point: [number, number, number];
  /** Position of the hand [m]. */
  target: [number, number, number];
  /** Force on the body [N]. */
  force: [number, number, number];
}

/** How a run ended. */
export interface End {
  /** Outcome of the run. */
  status: EndStatus;
  /** Why, if it did not reach its end. */
  message: string;
  /** Where it ended [s]. */
  time: number;
  /** Summary that the command line prints. */
  summary: string;
}

/** Outcome of a run. */
export type EndStatus =
  /** The run reached its end. */
  | 'done'
  /** The run could not go on. */
  | 'failed'
  /** The run was stopped. */
  | 'stopped';

/** Command of a page for a live run: one object of JSON, sent to `command`. */
export type Command =
  /** Stand still. */
  | { command: 'pause' }
  /** Go on. */
  | { command: 'go' }
  /** Take one step, and stand still. */
  | { command: 'step' }
  /** Start again, with the parameters as they are. */
  | { command: 'reset' }
  /** Go at this pace: simulated time in a second of the clock; `null`: as fast as possible. */
  | ({ command: 'pace' } & Pace)
  /** Do this. */
  | ({ command: 'do' } & Do)
  /** Run the diagram again, with other numbers. */
  | ({ command: 'again' } & Again)
  /** Differentiate the run. */
  | ({ command: 'differentiate' } & Differentiate);

/** How fast a live run is to go. */
export interface Pace {
  /** Simulated time in a second of the clock; `null`: as fast as possible. */
  pace: number | null;
}

/** Act to be done to a live run. */
export interface Do {
  /** The act. */
  do: Act;
}

/** Another run of the same diagram. */
export interface Again {
  /** The numbers that are others; all others are as in the run before. */
  numbers: ChangedNumber[];
  /** Outputs that are recorded besides, in this run and those that follow. */
  record: string[];
}

/** A number of a diagram file, or a list of numbers, and what it is to be. */
export interface ChangedNumber {
  /** Where it stands. */
  path: string;
  /** New values. */
  values: number[];
}

/** Wish for derivatives of the run, in the words of the command line. */
export interface Differentiate {
  /** Measures. */
  of: string[];
  /** Numbers by which they are differentiated. */
  by: string[];
  /** Channels that are differentiated over time. */
  over_time: string[];
}
