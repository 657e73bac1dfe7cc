/**
 * Fibres as smooth tubes: a curve of class C1 through the frames that beams join, with a round section.
 *
 * A curve runs from frame to frame as a cubic of Hermite, whose tangents are the x axes of the frames, as
 * long as those of a circle through both. The rings of the tube turn least from one to the next.
 */

import * as THREE from 'three';
import type { SceneConstraint, SceneShape } from '../stream/schema.generated';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';
import { lit, type Lit } from './materials';
import { affine, multiply } from './pose_math';
import { modelColors } from './shapes';

/** Corners of a ring, and rings from frame to frame. */
const CORNERS = 14;
const RINGS = 5;
/** Rings of a round end. */
const CAP = 5;

/** A frame on a body. */
export interface Station {
  body: number;
  local: Float64Array;
}

/** The frames that beams join, one after another, and the radius of the tube through them. */
export interface Chain {
  stations: Station[];
  closed: boolean;
  radius: number;
}

/** The chains of the beams of all plants. What is not round is no tube. */
export function chains(bodies: Bodies): Chain[] {
  const found: Chain[] = [];
  bodies.plants.forEach((plant, p) => {
    let chain: Chain | null = null;
    const beams = plant.constraints.filter((c) => c.kind === 'beam' && c.anchors.length === 2);
    for (const beam of beams) {
      const [a, b] = ends(bodies, p, beam);
      if (a.body < 0 || b.body < 0) continue;
      const last: Station | undefined = chain?.stations.at(-1);
      if (!chain || !last || last.body !== a.body || chain.closed) {
        const radius = round(bodies, [b.body, a.body]);
        chain = null;
        if (radius === null) continue;
        found.push((chain = { stations: [a], closed: false, radius }));
      }
      if (chain.stations.length > 2 && chain.stations[0].body === b.body) chain.closed = true;
      else chain.stations.push(b);
    }
  });
  for (const chain of found) lengthen(bodies, chain);
  return found;
}

function ends(bodies: Bodies, plant: number, beam: SceneConstraint): Station[] {
  return beam.anchors.map((anchor) => ({ body: bodies.index(plant, anchor.body), local: affine(anchor.pose) }));
}

const roundShape = (shape: SceneShape) => shape.geometry.type === 'capsule' || shape.geometry.type === 'cylinder';

/** The radius of the first of the bodies that is a round piece of a fibre: one that moves and is one capsule. */
function round(bodies: Bodies, candidates: number[]): number | null {
  for (const index of candidates) {
    const { data } = bodies.list[index];
    const shapes = data.visuals.length > 0 ? data.visuals : data.collisions;
    if (!data.moving || shapes.length !== 1 || !roundShape(shapes[0])) continue;
    const radius = (shapes[0].geometry as { radius: number }).radius;
    if (radius > 0 && Number.isFinite(radius)) return radius;
  }
  return null;
}

/** Bodies that reach beyond their frame, as those of cables do, have a further one where their shape ends. */
function lengthen(bodies: Bodies, chain: Chain): void {
  if (chain.closed) return;
  const reach = (station: Station, sense: number) => {
    const { data } = bodies.list[station.body];
    const [shape] = data.visuals.length > 0 ? data.visuals : data.collisions;
    if (!data.moving || !shape || !roundShape(shape)) return;
    const middle = shape.pose.xyz[0] - station.local[3];
    const end = middle * sense + (shape.geometry as { length: number }).length / 2;
    if (!(end > chain.radius)) return;
    const local = station.local.slice();
    local[3] += end * sense;
    return { body: station.body, local };
  };
  const [before, after] = [reach(chain.stations[0], -1), reach(chain.stations.at(-1)!, 1)];
  if (before) chain.stations.unshift(before);
  if (after) chain.stations.push(after);
}

/** Places and directions of the stations: six numbers each. */
export function stationsAt(chain: Chain, transforms: Float64Array, out: Float64Array): void {
  const m = new Float64Array(12);
  chain.stations.forEach(({ body, local }, i) => {
    multiply(transforms, body * 12, local, 0, m, 0);
    out.set([m[3], m[7], m[11], m[0], m[4], m[8]], i * 6);
  });
}

/** A place on the cubic from station i to j, and its direction (not of unit length). */
export function onCurve(stations: Float64Array, i: number, j: number, s: number, out: number[]): void {
  let [square, along] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const chord = stations[j * 6 + k] - stations[i * 6 + k];
    square += chord * chord;
    along += chord * (stations[i * 6 + 3 + k] + stations[j * 6 + 3 + k]);
  }
  // The speed that a circle through both has: its chord over cos²(φ/4), cos(φ/2) between chord and tangent.
  const cosine = square > 0 ? Math.max(0, along / (2 * Math.sqrt(square))) : 1;
  const length = (2 * Math.sqrt(square)) / (1 + cosine);
  const [a, b] = [(1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2 * length];
  const [c, d] = [s * s * (3 - 2 * s), s * s * (s - 1) * length];
  const [da, db] = [6 * s * (s - 1), (1 - s) * (1 - 3 * s) * length];
  const dd = s * (3 * s - 2) * length;
  for (let k = 0; k < 3; k++) {
    const [p, t, q, u] = [i * 6 + k, i * 6 + 3 + k, j * 6 + k, j * 6 + 3 + k];
    out[k] = a * stations[p] + b * stations[t] + c * stations[q] + d * stations[u];
    out[3 + k] = da * (stations[p] - stations[q]) + db * stations[t] + dd * stations[u];
  }
}

interface Tube {
  chain: Chain;
  mesh: THREE.Mesh<THREE.BufferGeometry, Lit>;
  stations: Float64Array;
}

export class Tubes {
  readonly group = new THREE.Group();
  /** The bodies that are drawn as tubes. */
  readonly members = new Set<number>();
  private readonly tubes: Tube[] = [];

  constructor(
    private readonly bodies: Bodies,
    private readonly plain: boolean,
  ) {
    for (const chain of chains(bodies)) {
      const mesh = new THREE.Mesh(geometry(rings(chain), chain.closed), lit(plain, 1));
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      this.group.add(mesh);
      this.tubes.push({ chain, mesh, stations: new Float64Array(chain.stations.length * 6) });
      for (const { body } of chain.stations) if (bodies.list[body].data.moving) this.members.add(body);
    }
  }

  /** Colours; the fibre of a body that is selected is tinted. */
  color(palette: Palette, opacity: number, selected: number): void {
    const colors = modelColors(this.bodies, palette);
    for (const { chain, mesh } of this.tubes) {
      const member = chain.stations.find(({ body }) => this.members.has(body))?.body ?? 0;
      const { visuals } = this.bodies.list[member].data;
      const rgba = visuals[0]?.appearance?.rgba;
      if (mesh.material.opacity !== opacity) mesh.material = lit(this.plain, opacity);
      if (rgba) mesh.material.color.setRGB(rgba[0], rgba[1], rgba[2], THREE.SRGBColorSpace);
      else mesh.material.color.set(colors[member]);
      if (selected >= 0 && chain.stations.some(({ body }) => body === selected && this.members.has(body)))
        mesh.material.color.lerp(new THREE.Color(palette.accent), 0.45);
      mesh.renderOrder = opacity < 1 ? 2 : 0;
    }
  }

  update(): void {
    for (const { chain, mesh, stations } of this.tubes) {
      stationsAt(chain, this.bodies.transforms, stations);
      // A fibre without a pose is not drawn.
      mesh.visible = stations.every((x) => !Number.isNaN(x));
      if (!mesh.visible) continue;
      const positions = mesh.geometry.getAttribute('position') as THREE.BufferAttribute;
      const normals = mesh.geometry.getAttribute('normal') as THREE.BufferAttribute;
      fill(chain, stations, positions.array as Float32Array, normals.array as Float32Array);
      positions.needsUpdate = normals.needsUpdate = true;
    }
  }
}

/** How many rings a chain has, with those of its ends. */
function rings({ stations, closed }: Chain): number {
  return closed ? stations.length * RINGS + 1 : (stations.length - 1) * RINGS + 1 + 2 * CAP;
}

function geometry(count: number, closed: boolean): THREE.BufferGeometry {
  const made = new THREE.BufferGeometry();
  const vertices = count * CORNERS;
  for (const name of ['position', 'normal']) {
    const attribute = new THREE.Float32BufferAttribute(new Float32Array(vertices * 3), 3);
    made.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
  }
  const index: number[] = [];
  for (let r = 0; r + 1 < count; r++) {
    for (let c = 0; c < CORNERS; c++) {
      const [a, b] = [r * CORNERS + c, r * CORNERS + ((c + 1) % CORNERS)];
      index.push(a, b, b + CORNERS, a, b + CORNERS, a + CORNERS);
    }
  }
  made.setIndex(index);
  made.userData.closed = closed;
  return made;
}

const [tangent, before, normal, binormal] = [0, 1, 2, 3].map(() => new THREE.Vector3());
const turn = new THREE.Quaternion();

function fill(chain: Chain, stations: Float64Array, positions: Float32Array, normals: Float32Array): void {
  const { radius, closed } = chain;
  const spans = closed ? chain.stations.length : chain.stations.length - 1;
  const point = [0, 0, 0, 0, 0, 0];
  let ring = 0;
  // A ring around the point, moved along the tangent, narrower, with its normals leaning along the tangent.
  const put = (along: number, wide: number, lean: number) => {
    for (let c = 0; c < CORNERS; c++) {
      const angle = (2 * Math.PI * c) / CORNERS;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const at = (ring * CORNERS + c) * 3;
      for (let k = 0; k < 3; k++) {
        const out = normal.getComponent(k) * cos + binormal.getComponent(k) * sin;
        normals[at + k] = out * Math.sqrt(1 - lean * lean) + tangent.getComponent(k) * lean;
        positions[at + k] = point[k] + tangent.getComponent(k) * along + out * wide;
      }
    }
    ring++;
  };
  const end = (sense: number) => {
    for (let i = 0; i < CAP; i++) {
      const angle = (Math.PI / 2) * (sense < 0 ? 1 - i / CAP : (i + 1) / CAP);
      put(sense * radius * Math.sin(angle), radius * Math.cos(angle), sense * Math.sin(angle));
    }
  };
  for (let i = 0; i < spans; i++) {
    const j = (i + 1) % chain.stations.length;
    for (let r = i === 0 ? 0 : 1; r <= RINGS; r++) {
      onCurve(stations, i, j, r / RINGS, point);
      tangent.set(point[3], point[4], point[5]);
      // Where both ends are at one place the curve has no direction: that of the frame.
      if (!(tangent.lengthSq() > 0)) tangent.set(stations[i * 6 + 3], stations[i * 6 + 4], stations[i * 6 + 5]);
      tangent.normalize();
      if (ring === 0) {
        // Some direction across: of the axis that is farthest from the tangent.
        const [x, y, z] = tangent.toArray().map(Math.abs);
        normal.set(x <= y && x <= z ? 1 : 0, y < x && y <= z ? 1 : 0, z < x && z < y ? 1 : 0);
      } else {
        normal.applyQuaternion(turn.setFromUnitVectors(before, tangent));
      }
      normal.addScaledVector(tangent, -normal.dot(tangent)).normalize();
      binormal.crossVectors(tangent, normal);
      before.copy(tangent);
      if (ring === 0 && !closed) end(-1);
      put(0, radius, 0);
    }
  }
  if (!closed) end(1);
}
