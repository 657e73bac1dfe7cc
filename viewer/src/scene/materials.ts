/** Surfaces: one kind for everything that is lit. */

import * as THREE from 'three';

export type Lit = THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;

/** A surface; opaque at opacity 1. Plain light where the machine has to draw without a graphics processor. */
export function lit(plain: boolean, opacity: number, side: THREE.Side = THREE.FrontSide): Lit {
  const transparent = opacity < 1;
  const common = { transparent, opacity, depthWrite: !transparent, side };
  if (plain) return new THREE.MeshLambertMaterial(common);
  return new THREE.MeshStandardMaterial({ ...common, roughness: 0.62, metalness: 0.05 });
}
