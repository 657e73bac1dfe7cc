/** The ground with a grid of known spacing, and the shadows on it. Where no plant has a ground there is only the grid. */

import * as THREE from 'three';
import type { Palette } from '../theme/theme';

const vertex = `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

// Lines one pixel wide at any distance; where the spacing is less than a few pixels they fade instead of flickering.
const fragment = `
  uniform vec3 line, fill;
  uniform vec2 centre;
  uniform float spacing, reach, fillOpacity;
  varying vec2 place;
  float lines(float every, float width) {
    vec2 at = place / every;
    vec2 wide = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, 1e-6);
    float strength = 1.0 - min(min(near.x, near.y) / width, 1.0);
    return strength * (1.0 - smoothstep(0.15, 0.5, max(wide.x, wide.y)));
  }
  void main() {
    float away = length(place - centre) / reach;
    float fade = 1.0 - smoothstep(0.25, 1.0, away);
    float drawn = max(lines(spacing, 1.0) * 0.28, lines(spacing * 10.0, 1.4) * 0.6) * fade;
    float filled = fillOpacity * (1.0 - smoothstep(0.45, 1.0, away));
    float alpha = drawn + filled * (1.0 - drawn);
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(mix(fill, line, drawn / max(alpha, 1e-4)), alpha);
    #include <colorspace_fragment>
  }`;

export class Ground {
  readonly group = new THREE.Group();
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  /** Distance of the lines [m]. */
  spacing = 0.1;

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      uniforms: {
        line: { value: new THREE.Color() },
        fill: { value: new THREE.Color() },
        centre: { value: new THREE.Vector2() },
        spacing: { value: 0.1 },
        reach: { value: 1 },
        fillOpacity: { value: 0 },
      },
    });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.22 }));
    this.shade.receiveShadow = true;
    this.grid.renderOrder = -2;
    this.shade.renderOrder = -1;
    // Just below what stands on it, so that the two do not flicker.
    material.polygonOffset = this.shade.material.polygonOffset = true;
    material.polygonOffsetFactor = this.shade.material.polygonOffsetFactor = 1;
    material.polygonOffsetUnits = this.shade.material.polygonOffsetUnits = 1;
    this.group.add(this.grid, this.shade);
  }

  color(palette: Palette): void {
    const { uniforms } = this.grid.material;
    uniforms.line.value.set(palette.gridLine);
    uniforms.fill.value.set(palette.gridFill);
    this.shade.material.opacity = palette.dark ? 0.42 : 0.2;
  }

  /** Around a sphere that holds the scene. */
  place(centre: THREE.Vector3, radius: number, height: number, solid: boolean): void {
    const { uniforms } = this.grid.material;
    const reach = radius * 9;
    this.spacing = 10 ** Math.floor(Math.log10(radius * 0.7));
    uniforms.spacing.value = this.spacing;
    uniforms.centre.value.set(centre.x, centre.y);
    uniforms.reach.value = reach;
    uniforms.fillOpacity.value = solid ? 0.92 : 0;
    for (const mesh of [this.grid, this.shade]) {
      mesh.position.set(centre.x, centre.y, height);
      mesh.scale.set(reach * 2, reach * 2, 1);
    }
    this.shade.scale.set(radius * 6, radius * 6, 1);
  }
}
