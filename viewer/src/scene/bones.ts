/**
 * Rods from body to body where bodies have no shapes of their own: an arm that is only inertia and joints is still to
 * be seen. Balls mark their origins.
 */

import * as THREE from 'three';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';
import { lit, type Lit } from './materials';
import { Instances, rod } from './rods';

export class Bones {
  readonly group = new THREE.Group();
  /** Pairs of body and parent. */
  private readonly pairs: [number, number][] = [];
  private readonly joints: number[] = [];
  private readonly rods: Instances;
  private readonly balls: Instances;
  private readonly rodBodies: number[] = [];
  private readonly ballBodies: number[] = [];
  radius = 0.01;

  constructor(
    private readonly bodies: Bodies,
    plain: boolean,
    private readonly ghost = false,
  ) {
    const bare = (i: number) => bodies.list[i].data.visuals.length + bodies.list[i].data.collisions.length === 0;
    bodies.list.forEach((entry, i) => {
      if (entry.body === 0 || (ghost && !bodies.isGhost(i))) return;
      const parent = bodies.index(entry.plant, entry.data.parent ?? -1);
      const hangs = parent >= 0 && entry.data.parent !== 0;
      // A floating body is attached to a root that stands for the world: a visible body gets no rod to it.
      const moves = parent >= 0 && bodies.list[parent].data.moving;
      if (hangs && (bare(i) || (bare(parent) && moves))) this.pairs.push([i, parent]);
    });
    // A fixed base is drawn only where a body without shapes is attached to it.
    const ends = new Set(this.pairs.flat());
    bodies.list.forEach((entry, i) => {
      if (entry.body === 0 || (ghost && !bodies.isGhost(i)) || !bare(i)) return;
      if (entry.data.moving || ends.has(i)) this.joints.push(i);
    });
    const material = () => lit(plain, ghost ? 0.35 : 1);
    this.rods = new Instances(this.group, rod(0.8, 1), material(), this.pairs.length, ghost ? 2 : 0);
    this.balls = new Instances(
      this.group,
      new THREE.SphereGeometry(1, 24, 16),
      material(),
      this.joints.length,
      ghost ? 2 : 0,
    );
    this.rods.mesh.castShadow = this.balls.mesh.castShadow = !ghost;
  }

  get any(): boolean {
    return this.joints.length > 0;
  }

  color(palette: Palette): void {
    const bone = this.ghost ? palette.ghost : palette.bone;
    (this.rods.material as Lit).color.set(bone);
    (this.balls.material as Lit).color.set(this.ghost ? palette.ghost : palette.accent);
  }

  update(): void {
    if (!this.group.visible) return;
    const own = this.ghost ? this.bodies.ghostTransforms : this.bodies.transforms;
    const at = (m: Float64Array, i: number): [number, number, number] => [m[i * 12 + 3], m[i * 12 + 7], m[i * 12 + 11]];
    this.rods.begin();
    for (const [child, parent] of this.pairs) {
      const a = at(own, child);
      let b = at(own, parent);
      if (Number.isNaN(b[0])) b = at(this.bodies.transforms, parent);
      if (Number.isNaN(a[0] + b[0])) continue;
      const index = this.rods.between(...b, ...a, this.radius);
      if (index >= 0) this.rodBodies[index] = child;
    }
    this.rods.end();
    this.balls.begin();
    for (const body of this.joints) {
      const index = this.balls.at(...at(own, body), this.radius * 1.45);
      if (index >= 0) this.ballBodies[index] = body;
    }
    this.balls.end();
  }

  pick(ray: THREE.Raycaster): { body: number; distance: number } | null {
    if (!this.group.visible) return null;
    let best: { body: number; distance: number } | null = null;
    for (const [set, owners] of [
      [this.rods, this.rodBodies],
      [this.balls, this.ballBodies],
    ] as const) {
      set.mesh.boundingSphere = null;
      for (const hit of ray.intersectObject(set.mesh, false)) {
        if (hit.instanceId === undefined || (best && hit.distance >= best.distance)) continue;
        best = { body: owners[hit.instanceId], distance: hit.distance };
      }
    }
    return best;
  }
}
