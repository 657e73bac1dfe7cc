/** Where bodies are meant to be: the same shapes, seen through. */

import * as THREE from 'three';
import type { Notes } from '../stream/notes';
import type { Recording } from '../stream/recording';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';
import { Bones } from './bones';
import type { Options } from './options';
import { Shapes, type ShapeSet } from './shapes';
import type { Textures } from './textures';

export class Ghost {
  readonly group = new THREE.Group();
  private readonly shapes: Shapes;
  private readonly bones: Bones;

  constructor(
    private readonly bodies: Bodies,
    notes: Notes,
    plain: boolean,
    textures: Textures,
  ) {
    this.shapes = new Shapes(bodies, notes, plain, textures);
    this.bones = new Bones(bodies, plain, true);
    this.group.add(this.shapes.group, this.bones.group);
  }

  build(set: ShapeSet, options: Options, palette: Palette, recording: Recording): void {
    this.shapes.build({ ...set, ghost: true }, options, palette, recording);
    this.bones.color(palette);
    this.bones.radius = set.radius * 0.02;
    this.bones.group.visible = options.bones.value;
    this.update();
  }

  update(): void {
    if (!this.group.visible) return;
    this.shapes.update(true, this.bodies.ghostTransforms);
    this.bones.update();
  }
}
