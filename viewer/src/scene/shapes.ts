/** The shapes of the bodies, drawn as instances: a call for each kind of shape, not for each shape. */

import * as THREE from 'three';
import type { Palette } from '../theme/theme';
import type { MeshData, Recording, TextureData } from '../stream/recording';
import type { Notes } from '../stream/notes';
import type { MeshUse, SceneShape } from '../stream/schema.generated';
import type { Bodies } from './bodies';
import { drawn, fineness, meshTriangles } from './geometry';
import { lit, type Lit } from './materials';
import type { Options } from './options';
import { affine, multiplyInto } from './pose_math';
import { paint, planeOver, type Painted, type Textures } from './textures';

interface Instance {
  body: number;
  local: Float64Array;
  color: THREE.Color;
}

interface Batch {
  mesh: THREE.InstancedMesh;
  instances: Instance[];
  moving: boolean;
}

interface Group {
  instances: Instance[];
  key: string;
  opacity: number;
  moving: boolean;
  hidden: boolean;
  painted: Painted | null;
}

export interface ShapeSet {
  /** Which of the shapes of a body are drawn. */
  list: 'visual' | 'collision';
  /** True for ghosts: bodies have the poses of their ghosts. */
  ghost: boolean;
  containers: ReadonlySet<number>;
  /** Bodies that are drawn in another way: their shapes are there to be picked. */
  hidden: ReadonlySet<number>;
  /** Size of the scene [m], for what has no end. */
  radius: number;
}

export const OPACITY = { container: 0.22, all: 0.4, ghost: 0.32 };

export class Shapes {
  readonly group = new THREE.Group();
  private batches: Batch[] = [];
  private images = new Map<number, TextureData>();
  private readonly geometries = new Map<string, THREE.BufferGeometry>();

  constructor(
    private readonly bodies: Bodies,
    private readonly notes: Notes,
    private readonly plain: boolean,
    private readonly textures: Textures,
  ) {}

  /** Makes all batches again; cheap beside the triangles, which are kept. */
  build(set: ShapeSet, options: Options, palette: Palette, recording: Recording): void {
    const meshes = recording.meshes.value;
    this.images = new Map(recording.textures.value.map((texture) => [texture.id, texture]));
    for (const batch of this.batches) batch.mesh.dispose();
    this.group.clear();
    this.batches = [];
    const groups = new Map<string, Group>();
    const triangles = new Map<string, () => THREE.BufferGeometry>();
    const add = (
      key: string,
      make: () => THREE.BufferGeometry,
      opacity: number,
      moving: boolean,
      hidden: boolean,
      painted: Painted | null,
      one: Instance,
    ) => {
      const name = `${key} ${opacity} ${moving} ${hidden} ${painted ? JSON.stringify(painted) : ''}`;
      const group = groups.get(name) ?? { instances: [], key, opacity, moving, hidden, painted };
      group.instances.push(one);
      groups.set(name, group);
      triangles.set(key, make);
    };
    const meshOf = useIndex(meshes);
    const imageOf = useIndex(recording.textures.value);
    const colors = modelColors(this.bodies, palette);
    this.bodies.list.forEach((entry, index) => {
      if (set.ghost && !this.bodies.isGhost(index)) return;
      const { list, shapes } = shapesToDraw(entry.plant, entry.body, entry.data, set.list, meshOf);
      shapes.forEach((shape, s) => {
        const given = shape.appearance?.rgba;
        const [image] = imageOf.get(useKey(entry.plant, entry.body, list, s)) ?? [];
        const mapping = shape.appearance?.textured?.mapping;
        const received = meshOf.get(useKey(entry.plant, entry.body, list, s)) ?? [];
        const put = (
          rgba: readonly number[] | null | undefined,
          key: string,
          make: () => THREE.BufferGeometry,
          scale: any,
          painted: Painted | null,
        ) => {
          const opacity = this.opacity(set, options, index, rgba, entry.data.moving);
          const shown = set.ghost ? null : painted;
          const color = new THREE.Color(set.ghost ? palette.ghost : shown ? '#ffffff' : colors[index]);
          if (rgba && !set.ghost) color.setRGB(rgba[0], rgba[1], rgba[2], THREE.SRGBColorSpace);
          const hidden = !set.ghost && set.hidden.has(index);
          add(key, make, opacity, entry.data.moving || set.ghost, hidden, shown, {
            body: index,
            local: affine(shape.pose, scale),
            color,
          });
        };
        for (const mesh of received) {
          const own = this.images.has(mesh.texture) && mesh.uv ? mesh.texture : -1;
          const lies = mapping?.type === 'surface' && !mesh.uv ? planeOver(mesh) : (mapping ?? { type: 'surface' });
          const id = image && mapping ? image.id : own;
          const painted: Painted | null = id < 0 ? null : { id, mapping: lies, scale: [1, 1, 1] };
          // The colour of a material stands before that of the file where it has an image.
          const rgba = image ? (given ?? mesh.rgba) : (mesh.rgba ?? given);
          put(rgba, `mesh ${mesh.id}`, () => meshTriangles(mesh), undefined, painted);
        }
        const how = drawn(shape.geometry);
        if (typeof how === 'string') this.notes.add(`${how} of ${entry.label} is not drawn`);
        else if (how) {
          const wide = how.reach === Infinity ? set.radius * 8 : 1;
          const scale = how.scale.map((x) => x * wide) as [number, number, number];
          const painted = image && mapping ? { id: image.id, mapping, scale } : null;
          const fine = fineness(this.plain, how.reach / set.radius);
          const key = isRound(how.key) ? `${how.key} of ${fine.around}` : how.key;
          put(given, key, () => how.triangles(fine), scale, painted);
        }
        if (mapping && !image) this.notes.add(`the image on ${entry.label} cannot be shown`);
      });
    });
    for (const group of groups.values()) this.batches.push(this.batch(group, triangles.get(group.key)!, set.ghost));
    this.update(true);
    this.outline(palette);
  }

  /** Edges of boxes that stay and are seen through: without them the walls are hard to see. */
  private outline(palette: Palette): void {
    const corners: number[] = [];
    const unit = new THREE.EdgesGeometry(new THREE.BoxGeometry(1, 1, 1)).getAttribute('position');
    for (const { mesh, moving } of this.batches) {
      const material = mesh.material as Lit;
      if (moving || material.opacity > 0.3 || mesh.geometry !== this.geometries.get('box')) continue;
      const [matrix, point] = [new THREE.Matrix4(), new THREE.Vector3()];
      for (let i = 0; i < mesh.count; i++) {
        mesh.getMatrixAt(i, matrix);
        for (let c = 0; c < unit.count; c++)
          corners.push(...point.fromBufferAttribute(unit, c).applyMatrix4(matrix).toArray());
      }
    }
    if (corners.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    const lines = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ color: palette.gridLine, transparent: true, opacity: 0.45 }),
    );
    lines.renderOrder = 3;
    this.group.add(lines);
  }

  private opacity(
    set: ShapeSet,
    options: Options,
    body: number,
    rgba: readonly number[] | null | undefined,
    moving: boolean,
  ) {
    if (set.ghost) return OPACITY.ghost;
    const own = Math.min(1, Math.max(0.05, rgba?.[3] ?? 1));
    if (options.seeThrough.value === 'all') return Math.min(own, OPACITY.all);
    if (options.seeThrough.value === 'containers' && !moving && set.containers.has(body))
      return Math.min(own, OPACITY.container);
    return own;
  }

  private batch(group: Group, make: () => THREE.BufferGeometry, ghost: boolean): Batch {
    let geometry = this.geometries.get(group.key);
    if (!geometry) this.geometries.set(group.key, (geometry = make()));
    const transparent = group.opacity < 1;
    // Planes are drawn on both sides, and meshes, whose triangles may be turned inside out.
    const side = group.key === 'half_space' || group.key.startsWith('mesh') ? THREE.DoubleSide : THREE.FrontSide;
    const material = lit(this.plain, group.opacity, side);
    material.visible = !group.hidden;
    const image = group.painted && this.images.get(group.painted.id);
    if (group.painted && image) paint(material, this.textures.of(image), group.painted);
    if (ghost) {
      // Where a body is where it is meant to be, its ghost lies behind its surface.
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = 8;
    }
    const mesh = new THREE.InstancedMesh(geometry, material, group.instances.length);
    mesh.frustumCulled = false;
    mesh.castShadow = !ghost && (!transparent || group.opacity > 0.5) && group.key !== 'half_space';
    mesh.receiveShadow = !ghost;
    mesh.renderOrder = transparent ? 2 : 0;
    if (group.moving) mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    group.instances.forEach((instance, i) => mesh.setColorAt(i, instance.color));
    this.group.add(mesh);
    return { mesh, instances: group.instances, moving: group.moving };
  }

  /** Places the shapes where their bodies are. */
  update(all = false, transforms = this.bodies.transforms): void {
    for (const batch of this.batches) {
      if (!batch.moving && !all) continue;
      const matrices = batch.mesh.instanceMatrix.array as Float32Array;
      batch.instances.forEach((instance, i) => {
        // A body without a pose is not drawn: its scale is zero.
        if (Number.isNaN(transforms[instance.body * 12 + 3] + transforms[instance.body * 12]))
          matrices.fill(0, i * 16, i * 16 + 16);
        else multiplyInto(transforms, instance.body * 12, instance.local, 0, matrices, i * 16);
      });
      batch.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Tints one body; -1: none. */
  highlight(body: number, tint: string): void {
    const mixed = new THREE.Color();
    for (const batch of this.batches) {
      batch.instances.forEach((instance, i) => {
        mixed.copy(instance.color);
        if (instance.body === body) mixed.lerp(new THREE.Color(tint), 0.45);
        batch.mesh.setColorAt(i, mixed);
      });
      if (batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
    }
  }

  /** The nearest body on a ray, with its distance. */
  pick(ray: THREE.Raycaster): { body: number; distance: number } | null {
    let best: { body: number; distance: number } | null = null;
    for (const batch of this.batches) {
      // Kept from an earlier time otherwise.
      batch.mesh.boundingSphere = null;
      for (const hit of ray.intersectObject(batch.mesh, false)) {
        // A transparent shape is picked only if no opaque one is hit.
        const distance = hit.distance + (batch.mesh.renderOrder > 0 ? 1e6 : 0);
        if (hit.instanceId !== undefined && (!best || distance < best.distance)) {
          best = { body: batch.instances[hit.instanceId].body, distance };
        }
      }
    }
    return best;
  }
}

/** True if a shape is approximated by corners, more of them at a finer level. */
const isRound = (key: string) => /^(sphere|cylinder|cone|capsule)/.test(key);

const useKey = (plant: number, body: number, list: string, shape: number) => `${plant} ${body} ${list} ${shape}`;

/** Index of the meshes or images that each shape uses. */
function useIndex<T extends { uses: MeshUse[] }>(all: readonly T[]): Map<string, T[]> {
  const index = new Map<string, T[]>();
  for (const one of all) {
    for (const use of one.uses) {
      const key = useKey(use.plant, use.body, use.list, use.shape);
      index.set(key, [...(index.get(key) ?? []), one]);
    }
  }
  return index;
}

/** Visual shapes where a body has some that can be drawn, else those that touch. */
export function shapesToDraw(
  plant: number,
  body: number,
  data: { visuals: SceneShape[]; collisions: SceneShape[] },
  list: 'visual' | 'collision',
  meshes: Map<string, MeshData[]> = new Map(),
): { list: 'visuals' | 'collisions'; shapes: SceneShape[] } {
  const shows = (shape: SceneShape, s: number) =>
    shape.geometry.type !== 'mesh' || meshes.has(useKey(plant, body, 'visuals', s));
  if (list === 'visual' && data.visuals.some(shows)) return { list: 'visuals', shapes: data.visuals };
  return { list: 'collisions', shapes: data.collisions };
}

/** A colour a body: those of one model share one, what stays is grey. */
export function modelColors(bodies: Bodies, palette: Palette): string[] {
  const models = new Map<string, number>();
  return bodies.list.map(({ plant, data }) => {
    if (!data.moving) return palette.staticBody;
    const model = `${plant} ${data.name.split('/')[0]}`;
    if (!models.has(model)) models.set(model, models.size);
    return palette.bodies[models.get(model)! % palette.bodies.length];
  });
}
