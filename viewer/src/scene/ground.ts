/**
 * The ground with a grid of known spacing, and the shadows on it. Where no plant has a ground there is only the grid.
 */

import * as THREE from 'three';
import type { Palette } from '../theme/theme';

/** How far lines reach, in radii of the scene: those of the spacing, and the stronger ones. */
const [NEAR, FAR] = [4.5, 9];
/** Pieces of a line, each fainter the farther out. */
const PIECES = 24;

export class Ground {
  readonly group = new THREE.Group();
  private readonly lines = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
  private readonly fill = new THREE.Mesh(
    disc(),
    new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
  private readonly shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.22 }));
  /** Distance of the lines [m]. */
  spacing = 0.1;

  constructor() {
    this.shade.receiveShadow = true;
    this.fill.renderOrder = -3;
    this.lines.renderOrder = -2;
    this.shade.renderOrder = -1;
    // Just below what stands on it, so that the two do not flicker.
    for (const material of [this.fill.material, this.shade.material]) {
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
    }
    this.group.add(this.fill, this.lines, this.shade);
  }

  set shadows(on: boolean) {
    this.shade.visible = on;
  }

  color(palette: Palette): void {
    this.lines.material.color.set(palette.gridLine);
    this.fill.material.color.set(palette.gridFill);
    this.shade.material.opacity = palette.dark ? 0.42 : 0.2;
  }

  /** Around a sphere that holds the scene. */
  place(centre: THREE.Vector3, radius: number, height: number, solid: boolean): void {
    const [spacing, tenth] = round(radius / 4);
    this.spacing = spacing;
    const points: number[] = [];
    const colors: number[] = [];
    const draw = (every: number, reach: number, strength: number, skip: number) => {
      const count = Math.ceil(reach / every);
      for (const along of [0, 1]) {
        const middle = Math.round((along === 0 ? centre.y : centre.x) / every);
        for (let i = middle - count; i <= middle + count; i++) {
          if (skip && i % skip === 0) continue;
          line(points, colors, along, i * every, centre, height, reach, strength);
        }
      }
    };
    draw(spacing, radius * NEAR, 0.26, tenth);
    draw(spacing * tenth, radius * FAR, 0.55, 0);
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry();
    this.lines.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    this.lines.geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
    this.fill.visible = solid;
    this.fill.position.set(centre.x, centre.y, height);
    this.fill.scale.setScalar(radius * FAR);
    this.shade.position.copy(this.fill.position);
    this.shade.scale.setScalar(radius * 4.5);
  }
}

/** The round number below a length, 1, 2 or 5 times a power of ten, and after how many of it a round number comes. */
function round(length: number): [number, number] {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1;
  return [digit * power, digit === 2 ? 5 : 10];
}

/** A line along x (0) or y (1), which fades with the distance from the middle of the scene. */
function line(
  points: number[],
  colors: number[],
  along: number,
  at: number,
  centre: THREE.Vector3,
  z: number,
  reach: number,
  strength: number,
): void {
  const off = at - (along === 0 ? centre.y : centre.x);
  const middle = along === 0 ? centre.x : centre.y;
  const half = Math.sqrt(Math.max(0, reach * reach - off * off));
  if (half === 0) return;
  for (let i = 0; i < PIECES; i++) {
    for (const end of [i, i + 1]) {
      const s = ((2 * end) / PIECES - 1) * half;
      const away = Math.hypot(s, off) / reach;
      points.push(...(along === 0 ? [middle + s, at, z] : [at, middle + s, z]));
      colors.push(1, 1, 1, strength * Math.max(0, 1 - away) ** 1.3);
    }
  }
}

/** A disc of radius 1 that fades to its rim. */
function disc(): THREE.BufferGeometry {
  const geometry = new THREE.RingGeometry(0, 1, 64, 12);
  const place = geometry.getAttribute('position');
  const colors: number[] = [];
  for (let i = 0; i < place.count; i++) {
    const away = Math.hypot(place.getX(i), place.getY(i));
    colors.push(1, 1, 1, 0.92 * (1 - THREE.MathUtils.smoothstep(away, 0.4, 1)));
  }
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
  return geometry;
}
