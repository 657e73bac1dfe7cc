/** Instances placed by two ends or by a point: bones, arrows, balls. */

import * as THREE from 'three';

const direction = new THREE.Vector3();
const turn = new THREE.Quaternion();
const Z = new THREE.Vector3(0, 0, 1);
const matrix = new THREE.Matrix4();
const place = new THREE.Vector3();
const size = new THREE.Vector3();

export class Instances {
  mesh: THREE.InstancedMesh;
  private used = 0;

  constructor(
    private readonly parent: THREE.Group,
    private readonly geometry: THREE.BufferGeometry,
    readonly material: THREE.Material,
    capacity: number,
    private readonly order = 0,
  ) {
    this.mesh = this.make(Math.max(1, capacity));
  }

  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    mesh.count = 0;
    this.parent.add(mesh);
    return mesh;
  }

  begin(): void {
    this.used = 0;
  }

  private next(): number {
    if (this.used === this.mesh.instanceMatrix.count) {
      const old = this.mesh;
      this.mesh = this.make(this.used * 2);
      this.mesh.castShadow = old.castShadow;
      (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array);
      this.parent.remove(old);
      old.dispose();
    }
    return this.used++;
  }

  /** From one point to another: the unit shape along z is stretched between them. */
  between(ax: number, ay: number, az: number, bx: number, by: number, bz: number, radius: number): number {
    direction.set(bx - ax, by - ay, bz - az);
    const length = direction.length();
    if (!(length > 0)) return -1;
    turn.setFromUnitVectors(Z, direction.divideScalar(length));
    place.set((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2);
    return this.put(place, turn, size.set(radius, radius, length));
  }

  at(x: number, y: number, z: number, radius: number): number {
    if (Number.isNaN(x)) return -1;
    return this.put(place.set(x, y, z), turn.identity(), size.set(radius, radius, radius));
  }

  private put(p: THREE.Vector3, q: THREE.Quaternion, s: THREE.Vector3): number {
    const index = this.next();
    this.mesh.setMatrixAt(index, matrix.compose(p, q, s));
    return index;
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** A unit cylinder along z, with lids if it is not open. */
export function rod(radiusTop = 1, radiusBottom = 1, sides = 20, open = false): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(radiusTop, radiusBottom, 1, sides, 1, open).rotateX(Math.PI / 2);
}
