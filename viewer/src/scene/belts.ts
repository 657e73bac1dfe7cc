/** Chevrons on surfaces that move, in the direction in which they carry what lies on them. */

import * as THREE from 'three';
import type { Recording } from '../stream/recording';
import type { Palette } from '../theme/theme';
import type { Bodies } from './bodies';
import { affine, apply } from './pose_math';

function chevrons(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext('2d')!;
  pen.strokeStyle = '#fff';
  pen.lineWidth = 13;
  pen.lineJoin = 'round';
  pen.beginPath();
  pen.moveTo(36, 24);
  pen.lineTo(82, 64);
  pen.lineTo(36, 104);
  pen.stroke();
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 4;
  return texture;
}

interface Belt {
  body: number;
  mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
  tile: number;
  travel: (t: number) => number;
}

export class Belts {
  readonly group = new THREE.Group();
  private readonly belts: Belt[] = [];

  constructor(
    private readonly bodies: Bodies,
    private readonly recording: Recording,
  ) {
    bodies.plants.forEach((plant, p) => {
      for (const belt of plant.belts) {
        const body = bodies.index(p, belt.body);
        if (body < 0) continue;
        const speed = speedChannel(recording, `${plant.name}.${belt.name}.speed`);
        this.add(body, belt.motion, travelOf(recording, speed, belt.speed));
      }
    });
  }

  private add(body: number, motion: { axis: number[] } | { direction: number[] }, travel: (t: number) => number): void {
    const box = boxOf(this.bodies, body);
    if (!box) return;
    const up = new THREE.Vector3(0, 0, 1);
    // Around rollers along the axis: what is on top moves along axis x up.
    const along =
      'axis' in motion
        ? new THREE.Vector3(...(motion.axis as [number, number, number])).cross(up)
        : new THREE.Vector3(...(motion.direction as [number, number, number]));
    along.z = 0;
    if (along.lengthSq() < 1e-6) return;
    along.normalize();
    const across = up.clone().cross(along);
    const size = box.getSize(new THREE.Vector3());
    const length = Math.abs(along.x) * size.x + Math.abs(along.y) * size.y;
    const width = Math.abs(across.x) * size.x + Math.abs(across.y) * size.y;
    const tile = Math.min(width, length) * 0.5;
    const map = chevrons();
    map.repeat.set(length / tile, 1);
    const material = new THREE.MeshBasicMaterial({ map, transparent: true, opacity: 0.4, depthWrite: false });
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = -2;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(length, Math.min(width, tile * 1.2)), material);
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = 1;
    const centre = box.getCenter(new THREE.Vector3()).setZ(box.max.z + size.length() * 2e-4);
    const local = new THREE.Matrix4().makeBasis(along, across, up).setPosition(centre);
    mesh.userData.local = local;
    this.group.add(mesh);
    this.belts.push({ body, mesh, tile, travel });
  }

  color(palette: Palette): void {
    for (const belt of this.belts) belt.mesh.material.color.set(palette.belt);
  }

  update(t: number): void {
    const m = this.bodies.transforms;
    for (const { body, mesh, tile, travel } of this.belts) {
      const o = body * 12;
      mesh.matrix.set(
        m[o],
        m[o + 1],
        m[o + 2],
        m[o + 3],
        m[o + 4],
        m[o + 5],
        m[o + 6],
        m[o + 7],
        m[o + 8],
        m[o + 9],
        m[o + 10],
        m[o + 11],
        0,
        0,
        0,
        1,
      );
      mesh.matrix.multiply(mesh.userData.local as THREE.Matrix4);
      mesh.material.map!.offset.x = -((travel(t) / tile) % 1);
    }
    void this.recording;
  }
}

/** The box around the shapes of a body, in its axes. */
function boxOf(bodies: Bodies, index: number): THREE.Box3 | null {
  const { collisions, visuals } = bodies.list[index].data;
  const box = new THREE.Box3();
  for (const { geometry: g, pose } of collisions.length > 0 ? collisions : visuals) {
    const half =
      g.type === 'box' ? g.size.map((x) => x / 2) : g.type === 'cylinder' ? [g.radius, g.radius, g.length / 2] : null;
    if (!half) continue;
    const m = affine(pose);
    for (let c = 0; c < 8; c++) {
      const sign = (bit: number) => (c & bit ? 1 : -1);
      box.expandByPoint(new THREE.Vector3(...apply(m, 0, half[0] * sign(1), half[1] * sign(2), half[2] * sign(4))));
    }
  }
  return box.isEmpty() ? null : box;
}

/** The channel of what is wired to an input; -1 where it is not recorded. */
function speedChannel(recording: Recording, input: string): number {
  const blocks = recording.begin.value?.blocks;
  const from = blocks?.wires.find((wire) => wire.to === input)?.from;
  for (const block of blocks?.blocks ?? []) {
    for (const port of block.outputs)
      if (`${block.name}.${port.name}` === from && port.channels?.length === 1) return port.channels[0];
  }
  return recording.channels.findIndex((channel) => channel.name === input || channel.name === from);
}

/** How far a belt has moved: the sum of its recorded speed, or of the constant one. */
function travelOf(recording: Recording, channel: number, speed: number): (t: number) => number {
  if (channel < 0) return (t) => speed * t;
  const sums: number[] = [0];
  return (t) => {
    const { times, values, channels, length } = recording;
    const at = recording.sampleAt(t);
    if (at < 0) return 0;
    const v = (i: number) => values.data[i * channels.length + channel];
    for (let i = sums.length; i < length; i++)
      sums.push(sums[i - 1] + ((v(i) + v(i - 1)) / 2) * (times.data[i] - times.data[i - 1]));
    return sums[at] + v(at) * (t - times.data[at]);
  };
}
