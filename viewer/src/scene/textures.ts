/** Images on surfaces: decoded once, and laid on a surface as the scene says. */

import * as THREE from 'three';
import type { MeshData, TextureData } from '../stream/recording';
import type { Mapping } from '../stream/schema.generated';
import type { Lit } from './materials';

/** How an image lies on a surface. */
export interface Painted {
  /** Number of the image. */
  id: number;
  mapping: Mapping;
  /** Factors from the triangles of the shape to metres. */
  scale: [number, number, number];
}

/** Where a plane image of a mesh without coordinates lies: once over its extent. */
export function planeOver(mesh: MeshData): Mapping {
  const extent = [0, 1].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < mesh.positions.length; i += 3) {
      low = Math.min(low, mesh.positions[i]);
      high = Math.max(high, mesh.positions[i]);
    }
    return high > low ? 1 / (high - low) : 1;
  });
  return { type: 'plane', repeats: [extent[0], extent[1]] };
}

export class Textures {
  private readonly made = new Map<number, THREE.Texture>();
  private waiting: Promise<unknown> = Promise.resolve();

  /** `changed` is called when an image is there to be drawn. */
  constructor(private readonly changed: () => void) {}

  /** Resolves when all images asked for are decoded. */
  get settled(): Promise<unknown> {
    return this.waiting;
  }

  /** The image; before it is decoded it shows nothing. */
  of(data: TextureData): THREE.Texture {
    let texture = this.made.get(data.id);
    if (!texture) this.made.set(data.id, (texture = this.make(data)));
    return texture;
  }

  private make({ images, cube }: TextureData): THREE.Texture {
    const texture = cube ? new THREE.CubeTexture() : new THREE.Texture();
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 8;
    texture.flipY = false;
    const sides = cube && images.length === 1 ? Array<string>(6).fill(images[0]) : images;
    const decoded = Promise.all(
      sides.map(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image;
      }),
    ).then(
      (decoded) => {
        texture.image = cube ? decoded : decoded[0];
        texture.needsUpdate = true;
        this.changed();
      },
      // An image that the browser cannot decode stays white.
      () => undefined,
    );
    this.waiting = Promise.all([this.waiting, decoded]);
    return texture;
  }
}

const PLACE = {
  surface: 'texture2D(surfaceImage, vPlace.xy)',
  plane: 'texture2D(surfaceImage, vec2(vPlace.x, -vPlace.y) * surfaceFactors.xy - 0.5)',
  cube: 'textureCube(surfaceImage, vPlace * surfaceFactors)',
};

/** Lays an image on a surface: its colour is multiplied by that of the image. */
export function paint(material: Lit, image: THREE.Texture, { mapping, scale }: Painted): void {
  const factors =
    mapping.type === 'plane' ? [...mapping.repeats, 1] : mapping.type === 'cube' ? mapping.factors : [1, 1, 1];
  const kind = mapping.type;
  material.customProgramCacheKey = () => `painted ${kind}`;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.surfaceImage = { value: image };
    shader.uniforms.surfaceFactors = { value: new THREE.Vector3(...(factors as [number, number, number])) };
    shader.uniforms.surfaceScale = { value: new THREE.Vector3(...scale) };
    const place = kind === 'surface' ? 'vec3(uv, 0.0)' : 'position * surfaceScale';
    shader.vertexShader =
      `varying vec3 vPlace;\nuniform vec3 surfaceScale;\n` +
      shader.vertexShader.replace('#include <begin_vertex>', `#include <begin_vertex>\nvPlace = ${place};`);
    const sampler = kind === 'cube' ? 'samplerCube' : 'sampler2D';
    shader.fragmentShader =
      `varying vec3 vPlace;\nuniform vec3 surfaceFactors;\nuniform ${sampler} surfaceImage;\n` +
      shader.fragmentShader.replace(
        '#include <map_fragment>',
        `#include <map_fragment>\ndiffuseColor.rgb *= ${PLACE[kind]}.rgb;`,
      );
  };
}
