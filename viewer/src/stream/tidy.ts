/** Requirements on a scene before it is drawn; invalid parts are left out with a note. */

import type { Notes } from './notes';
import type { Geometry, SceneBody, Pose, Scene, SceneShape } from './schema.generated';

const finite = (numbers: unknown, length: number) =>
  Array.isArray(numbers) &&
  numbers.length === length &&
  numbers.every((x) => typeof x === 'number' && Number.isFinite(x));

const isPose = (pose: Pose | undefined) =>
  finite(pose?.xyz, 3) && finite(pose?.quat, 4) && Math.hypot(...pose!.quat) > 0;

/** A shape that is not drawn. */
const NOTHING: Geometry = { type: 'mesh', source: { uri: '', file: null }, scale: [1, 1, 1] };
const ORIGIN: Pose = { xyz: [0, 0, 0], quat: [1, 0, 0, 0] };

function isShape(shape: SceneShape): boolean {
  const { geometry } = shape;
  if (!geometry || !isPose(shape.pose)) return false;
  if (geometry.type !== 'hull' && geometry.type !== 'triangles') return true;
  const corners = geometry.vertices?.length ?? 0;
  const faces = (geometry.type === 'hull' ? geometry.faces : geometry.triangles) ?? [];
  return (
    faces.flat().every((corner) => corner >= 0 && corner < corners) && geometry.vertices.every((v) => finite(v, 3))
  );
}

/** Gives the scene every list that the page goes through, and only shapes that can be placed. */
export function tidy(scene: Scene | undefined, notes: Notes): Scene {
  const tidied = {
    kinegraph_scene: 1,
    ...scene,
    diagram: scene?.diagram ?? '',
    plants: scene?.plants ?? [],
    markers: scene?.markers ?? [],
  };
  tidied.markers = tidied.markers.filter((marker) => isPose(marker.pose));
  for (const plant of tidied.plants) {
    plant.frames = (plant.frames ?? []).filter((frame) => isPose(frame.pose));
    plant.belts ??= [];
    plant.constraints ??= [];
    for (const constraint of plant.constraints)
      constraint.anchors = (constraint.anchors ?? []).filter((anchor) => isPose(anchor.pose));
    for (const body of plant.bodies) tidyBody(body, notes);
  }
  return tidied;
}

function tidyBody(body: SceneBody, notes: Notes): void {
  if (!isPose(body.start)) {
    if (body.start) notes.add(`the start pose of ${body.name} is none`);
    body.start = ORIGIN;
  }
  for (const list of ['collisions', 'visuals'] as const) {
    const shapes = body[list] ?? [];
    // Meshes name shapes by their places: one that is broken keeps its own.
    body[list] = shapes.map((shape) => {
      if (isShape(shape)) return shape;
      notes.add(`a shape of ${body.name} has no place or no form`);
      return { name: '', pose: ORIGIN, geometry: NOTHING, appearance: null };
    });
  }
}
