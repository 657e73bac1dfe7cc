/**
 * Triangles of shapes. Primitives are unit shapes with a scale, so that all balls of a scene, of whatever size, are
 * instances of one; z is the axis of what has one.
 */

import * as THREE from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { MeshData } from '../stream/recording';
import type { Geometry } from '../stream/schema.generated';

type Vector = [number, number, number];

export interface Drawn {
  /** Shapes of one key share their triangles. */
  key: string;
  triangles: (fine: Fineness) => THREE.BufferGeometry;
  scale: Vector;
  /** The largest distance from the origin of the shape; Infinity for what has no end. */
  reach: number;
}

/** How many sides round shapes have: around the axis, and from pole to pole. */
export interface Fineness {
  around: number;
  along: number;
}

/** A shape is small up to this part of the size of the scene: twelve sides are off by a pixel there. */
const COARSE_RATIO = 0.1;

/** Without a graphics processor each corner counts. `size` is that of the shape, in sizes of the scene. */
export function fineness(plain: boolean, size: number): Fineness {
  if (!plain) return { around: 32, along: 20 };
  return size <= COARSE_RATIO ? { around: 12, along: 8 } : { around: 24, along: 16 };
}

/** Corners sharper than this stay corners [rad]. */
const CREASE = 0.6;

const alongZ = (geometry: THREE.BufferGeometry) => geometry.rotateX(Math.PI / 2);
const positive = (...numbers: number[]) => numbers.every((x) => Number.isFinite(x) && x > 0);

/** How a shape is drawn; a text if it cannot be; `null` for a mesh, whose triangles follow in lines of their own. */
export function drawn(geometry: Geometry): Drawn | string | null {
  let how = known.get(geometry);
  if (how === undefined) known.set(geometry, (how = find(geometry)));
  return how;
}

/** The results for shapes that were drawn before: large ones are expensive to compare. */
const known = new WeakMap<Geometry, Drawn | string | null>();

function find(geometry: Geometry): Drawn | string | null {
  switch (geometry.type) {
    case 'sphere': {
      const r = geometry.radius;
      if (!positive(r)) return 'a sphere without a radius';
      return { key: 'sphere', triangles: unitSphere, scale: [r, r, r], reach: r };
    }
    case 'ellipsoid': {
      const radii = geometry.semi_axes;
      if (!radii || !positive(...radii)) return 'an ellipsoid without radii';
      return { key: 'sphere', triangles: unitSphere, scale: radii, reach: Math.max(...radii) };
    }
    case 'box': {
      if (!geometry.size || !positive(...geometry.size)) return 'a box without a size';
      const reach = Math.hypot(...geometry.size) / 2;
      return { key: 'box', triangles: () => new THREE.BoxGeometry(1, 1, 1), scale: geometry.size, reach };
    }
    case 'cylinder': {
      const { radius: r, length: l } = geometry;
      if (!positive(r, l)) return 'a cylinder without radius or length';
      const triangles = ({ around }: Fineness) => alongZ(new THREE.CylinderGeometry(1, 1, 1, 1.25 * around));
      return { key: 'cylinder', triangles, scale: [r, r, l], reach: Math.hypot(r, l / 2) };
    }
    case 'cone': {
      const { radius: r, length: l } = geometry;
      if (!positive(r, l)) return 'a cone without radius or length';
      const triangles = ({ around }: Fineness) => alongZ(new THREE.ConeGeometry(1, 1, 1.25 * around));
      return { key: 'cone', triangles, scale: [r, r, l], reach: Math.hypot(r, l / 2) };
    }
    case 'capsule': {
      const { radius: r, length: l } = geometry;
      if (!positive(r) || !(l >= 0)) return 'a capsule without radius or length';
      // Its caps must stay round: one geometry for each slenderness.
      const ratio = l / r;
      const triangles = ({ around, along }: Fineness) =>
        alongZ(new THREE.CapsuleGeometry(1, ratio, Math.ceil(0.6 * along), around));
      return { key: `capsule ${ratio.toPrecision(6)}`, triangles, scale: [r, r, r], reach: l / 2 + r };
    }
    case 'hull': {
      const { vertices, faces } = geometry;
      if (!vertices?.length || !faces?.length) return 'a hull without faces';
      const reach = vertices.reduce((most, v) => Math.max(most, Math.hypot(...v)), 0);
      const key = `hull ${hash(JSON.stringify([vertices, faces]))}`;
      return { key, triangles: () => hullTriangles(vertices, faces), scale: [1, 1, 1], reach };
    }
    case 'triangles': {
      const { vertices, triangles: corners } = geometry;
      if (!vertices?.length || !corners?.length) return 'triangles without corners';
      const key = `triangles ${hash(JSON.stringify([vertices, corners]))}`;
      const reach = vertices.reduce((most, v) => Math.max(most, Math.hypot(...v)), 0);
      return { key, triangles: () => hullTriangles(vertices, corners), scale: [1, 1, 1], reach };
    }
    case 'half_space':
      return { key: 'half_space', triangles: () => new THREE.PlaneGeometry(1, 1), scale: [1, 1, 1], reach: Infinity };
    case 'mesh':
      return null;
    default:
      return `a shape of type ${JSON.stringify((geometry as { type?: unknown }).type ?? null)}`;
  }
}

function unitSphere({ around, along }: Fineness): THREE.BufferGeometry {
  return new THREE.SphereGeometry(1, around, along);
}

/** Flat faces, each a fan. */
function hullTriangles(vertices: Vector[], faces: number[][]): THREE.BufferGeometry {
  const positions: number[] = [];
  for (const face of faces) {
    for (let i = 1; i + 1 < face.length; i++) {
      for (const corner of [face[0], face[i], face[i + 1]]) positions.push(...(vertices[corner] ?? [0, 0, 0]));
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Triangles of a mesh, smooth but at creases. */
export function meshTriangles(mesh: MeshData): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(mesh.positions, 3));
  if (mesh.uv) geometry.setAttribute('uv', new THREE.BufferAttribute(mesh.uv, 2));
  geometry.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  // Creases cost time by the triangle; beyond this a mesh is fine enough to look right without.
  if (mesh.triangles.length <= 3 * 40_000) return toCreasedNormals(geometry, CREASE);
  geometry.computeVertexNormals();
  return geometry;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
