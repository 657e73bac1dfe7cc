import type { Mesh } from 'three';
import { describe, expect, it } from 'vitest';
import { chains, onCurve, stationsAt, Tubes } from '../../src/scene/tubes';
import { Bodies } from '../../src/scene/bodies';
import type { Recording } from '../../src/stream/recording';
import { body, plant, ORIGIN, shape } from '../synthetic';

const about = (angle: number): [number, number, number, number] => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** Nodes of an arc of radius 1 about z, `turn` from each to the next. */
function arc(count: number, turn: number, closed: boolean, capsule = true): Bodies {
  const nodes = Array.from({ length: count }, (_, i) => {
    const xyz: [number, number, number] = [Math.sin(i * turn), -Math.cos(i * turn), 0];
    // Nodes at open ends have half a piece.
    const half = closed || (i > 0 && i + 1 < count) ? 0 : i === 0 ? 1 : -1;
    const length = half === 0 ? turn : turn / 2;
    const geometry = capsule ? { type: 'capsule', radius: 0.01, length } : { type: 'box', size: [length, 0.1, 0.01] };
    const piece = shape(geometry);
    piece.pose = { xyz: [(half * turn) / 4, 0, 0], quat: [1, 0, 0, 0] };
    return body(`rope/n${i}`, { start: { xyz, quat: about(i * turn) }, collisions: [piece] });
  });
  const beams = Array.from({ length: closed ? count : count - 1 }, (_, i) => ({
    name: `rope.e${i}`,
    kind: 'beam' as const,
    anchors: [i + 1, ((i + 1) % count) + 1].map((b) => ({ body: b, pose: ORIGIN })),
  }));
  return new Bodies({ length: 0 } as unknown as Recording, [plant(nodes, { constraints: beams })], []);
}

describe('tubes', () => {
  it('follow beams from node to node, and close where these do', () => {
    const open = chains(arc(5, 0.3, false));
    expect(open.map((c) => [c.stations.length, c.closed, c.radius])).toEqual([[5, false, 0.01]]);
    const ring = chains(arc(6, Math.PI / 3, true));
    expect(ring.map((c) => [c.stations.length, c.closed])).toEqual([[6, true]]);
    // A cross-section that is not round is drawn as it is.
    expect(chains(arc(5, 0.3, false, false))).toEqual([]);
  });

  it('stay on a circle between its nodes', () => {
    const bodies = arc(5, 0.3, false);
    const [chain] = chains(bodies);
    const stations = new Float64Array(chain.stations.length * 6);
    stationsAt(chain, bodies.transforms, stations);
    const point = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 4; i++) {
      for (const s of [0, 0.25, 0.5, 0.9]) {
        onCurve(stations, i, i + 1, s, point);
        expect(Math.hypot(point[0], point[1])).toBeCloseTo(1, 3);
        // The direction is that of the circle.
        expect((point[0] * point[3] + point[1] * point[4]) / Math.hypot(point[3], point[4])).toBeCloseTo(0, 3);
      }
    }
  });

  it('have every vertex at its radius, with normals of length one that point outwards', () => {
    for (const bodies of [arc(5, 0.3, false), arc(8, Math.PI / 4, true)]) {
      const tubes = new Tubes(bodies, true);
      tubes.update();
      const [mesh] = tubes.group.children as Mesh[];
      const [p, n] = ['position', 'normal'].map((name) => mesh.geometry.getAttribute(name));
      for (let v = 0; v < p.count; v++) {
        expect(Math.hypot(n.getX(v), n.getY(v), n.getZ(v))).toBeCloseTo(1, 5);
        // Towards the axis by the radius, the point is on the circle or at an end of the arc.
        const [x, y, z] = [p.getX(v) - 0.01 * n.getX(v), p.getY(v) - 0.01 * n.getY(v), p.getZ(v) - 0.01 * n.getZ(v)];
        expect(Math.hypot(Math.hypot(x, y) - 1, z)).toBeLessThan(2e-3);
      }
    }
  });

  it('leave bodies that are nowhere', () => {
    const bodies = arc(5, 0.3, false);
    bodies.transforms.fill(NaN);
    const tubes = new Tubes(bodies, true);
    tubes.update();
    expect(tubes.group.children[0].visible).toBe(false);
    expect([...tubes.members]).toEqual([1, 2, 3, 4, 5]);
  });
});
