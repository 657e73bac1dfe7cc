/** Pulling at bodies with the mouse: Shift and drag. */

import * as THREE from 'three';
import type { SceneView } from '../scene/view';
import type { Link } from '../stream/link';

/** Lets the left button pull at the body under it while Shift is held. */
export function pullByMouse(view: SceneView, link: Link, say: (text: string) => void): void {
  const { stage } = view;
  const { canvas } = stage;
  const plane = new THREE.Plane();
  let pointer = -1;

  const target = (event: PointerEvent): [number, number, number] | null => {
    const box = canvas.getBoundingClientRect();
    const at = new THREE.Vector3();
    const ray = stage.ray(event.clientX - box.left, event.clientY - box.top).ray;
    return ray.intersectPlane(plane, at) ? [at.x, at.y, at.z] : null;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.shiftKey) return;
    const box = canvas.getBoundingClientRect();
    const hit = view.pickPoint(event.clientX - box.left, event.clientY - box.top);
    if (!hit) return;
    // Before the camera takes it.
    event.stopImmediatePropagation();
    event.preventDefault();
    const entry = view.bodies.list[hit.body];
    if (!entry.data.moving) {
      say(`${entry.label} does not move.`);
      return;
    }
    const facing = stage.camera.getWorldDirection(new THREE.Vector3());
    plane.setFromNormalAndCoplanarPoint(facing, new THREE.Vector3(...hit.point));
    pointer = event.pointerId;
    canvas.setPointerCapture(pointer);
    const plant = view.bodies.plants[entry.plant].name;
    link.do({ act: 'grab', plant, body: entry.data.name, point: hit.local, target: hit.point });
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    event.stopImmediatePropagation();
    const at = target(event);
    if (!at) return;
    view.hand.moves(at);
    link.do({ act: 'drag', target: at });
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    event.stopImmediatePropagation();
    pointer = -1;
    link.do({ act: 'release' });
  };
  canvas.addEventListener('pointerdown', down, { capture: true });
  canvas.addEventListener('pointermove', move, { capture: true });
  canvas.addEventListener('pointerup', up, { capture: true });
  canvas.addEventListener('pointercancel', up, { capture: true });
}
