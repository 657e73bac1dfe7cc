/** The runs that the tests look at. */

import type { RecordedAttempt } from '../src/stream/schema.generated';
import { png } from './png';
import { ORIGIN, begin, body, end, frames, grid, plant, shape, steps, type Line } from './synthetic';

/** A ball on a parabola with a known camera: every pixel can be computed. */
export const BALL = {
  view: { eye: [0, -4, 1.5] as const, target: [0, 0, 1] as const, up: [0, 0, 1] as const },
  at: (t: number): [number, number, number] => [-0.8 + 0.8 * t, 0.1 * t, 0.3 + 2 * t - t * t],
  attempts: [
    [0, 0.1, 'inaccurate', 0.004, 'plant.ball.x', 5, 0, ''],
    [0, 0.05, 'accepted', 0.0004, 'plant.ball.x', 3, 0, ''],
    [0.05, 0.4, 'not_free', null, '', 0, 0, 'free_motion'],
    [0.05, 0.3, 'transition', 0.0001, 'plant.ball.z', 2, 1, 'transition'],
    [0.05, 0.25, 'accepted', 0.0002, 'plant.ball.z', 2, 0, ''],
    [0.3, 0.5, 'failed', null, '', 50, 2, ''],
    [0.3, 0.5, 'energy_gain', 0.0005, 'plant.ball.z', 4, 1, 'energy'],
    [0.3, 0.5, 'accepted', 0.0005, 'plant.ball.z', 4, 1, ''],
    [0.8, 1.2, 'accepted', 0.0001, 'plant.ball.z', 1, 1, ''],
  ] as RecordedAttempt[],
};

export function ball(): Line[] {
  const moving = body('ball/ball', { collisions: [shape({ type: 'sphere', radius: 0.05 }, [1, 0, 0, 1])] });
  const odd = body('post', {
    moving: false,
    start: { ...ORIGIN, xyz: [0.9, 0.6, 0.2] },
    collisions: [shape({ type: 'box', size: [0.1, 0.1, 0.4] }), shape({ type: 'klein_bottle' })],
  });
  const channels = [
    { name: 'plant.ball.x', unit: 'm', discrete: false },
    { name: 'plant.ball.z', unit: 'm', discrete: false },
    { name: 'controller.effort[0]', unit: 'N', discrete: false },
    { name: 'switch.on', unit: '', discrete: true },
  ];
  const blocks = {
    width: 460,
    height: 120,
    blocks: [
      {
        name: 'controller',
        type: 'pid',
        group: false,
        x: 0,
        y: 20,
        w: 150,
        h: 80,
        inputs: [{ name: 'measured', x: 0, y: 70, channels: [] }],
        outputs: [{ name: 'effort', x: 150, y: 70, channels: [2] }],
      },
      {
        name: 'plant',
        type: 'multibody_plant',
        group: false,
        x: 280,
        y: 20,
        w: 170,
        h: 80,
        inputs: [{ name: 'actuation', x: 280, y: 70, channels: [] }],
        outputs: [
          { name: 'state', x: 450, y: 70, channels: [0, 1] },
          { name: 'body_poses', x: 450, y: 88, channels: [] },
        ],
      },
    ],
    wires: [
      {
        from: 'controller.effort',
        to: 'plant.actuation',
        points: [
          [150, 70],
          [280, 70],
        ] as [number, number][],
      },
      {
        from: 'plant.state',
        to: 'controller.measured',
        points: [
          [450, 70],
          [470, 70],
          [470, 120],
          [-20, 120],
          [-20, 70],
          [0, 70],
        ] as [number, number][],
      },
    ],
  };
  const { eye, target, up } = BALL.view;
  const view = { eye: [...eye], target: [...target], up: [...up] } as never;
  return [
    begin({ name: 'ball', plants: [plant([moving, odd])], end: 2, every: 0.02, channels, view, blocks }),
    ...frames(grid(2, 0.02), (t) => {
      const [x, y, z] = BALL.at(t);
      return {
        poses: [x, y, z, Math.cos(t / 2), 0, 0, Math.sin(t / 2)],
        values: [x, z, 3 * Math.sin(5 * t), t < 1 ? 0 : 1],
        contacts: t > 1.9 ? [0, x, y, z - 0.05, 0, 0, 12] : [],
      };
    }),
    steps(BALL.attempts),
    end(2, 'done', '', 'ball: done\n  steps 4'),
  ];
}

/** A pendulum of a rod and a bob, with a ghost half a second ahead and a link that has no shape. */
export function pendulum(): Line[] {
  const angle = (t: number) => 0.8 * Math.cos(3 * t);
  const link = (a: number, r: number) => [
    r * Math.sin(a),
    0,
    1.5 - r * Math.cos(a),
    Math.cos(-a / 2),
    0,
    Math.sin(-a / 2),
    0,
  ];
  const arm = body('pendulum/arm', { joint: 'pendulum/pivot' });
  const bob = body('pendulum/bob', { parent: 1, visuals: [shape({ type: 'capsule', radius: 0.08, length: 0.2 })] });
  const channels = [{ name: 'plant.pendulum.pivot.q', unit: 'rad', discrete: false }];
  return [
    begin({
      name: 'pendulum',
      plants: [plant([arm, bob], { ground: null })],
      end: 3,
      every: 0.01,
      channels,
      ghosts: [{ name: 'desired', plant: 0, bodies: [1, 2] }],
    }),
    ...frames(grid(3, 0.01), (t) => ({
      poses: [...link(angle(t), 0.02), ...link(angle(t), 1)],
      values: [angle(t)],
      ghosts: [...link(angle(t + 0.5), 0.02), ...link(angle(t + 0.5), 1)],
    })),
    end(3),
  ];
}

/** Half a run, with the reason why there is no more. */
export function failed(): Line[] {
  const all = ball();
  const kept = all.filter((line, i) => line.kind !== 'end' && i <= 2);
  return [
    ...kept,
    steps(BALL.attempts),
    end(
      1.58,
      'failed',
      'no step from 1.58 s down to 1e-12 s has a solution: plant.ball.z is not finite',
      'ball: failed',
    ),
  ];
}

/** Balls that swing on a lattice, thirteen channels each. */
export function lattice(count: number, seconds: number, every: number, withChannels: boolean): Line[] {
  const side = Math.ceil(Math.cbrt(count));
  const place = (i: number) =>
    [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)].map((x) => x * 0.12);
  const kinds = ['sphere', 'box', 'cylinder', 'capsule'];
  const geometry = (i: number) => ({ type: kinds[i % 4], radius: 0.04, size: [0.06, 0.06, 0.06], length: 0.05 });
  const bodies = Array.from({ length: count }, (_, i) => body(`ball${i}/ball`, { collisions: [shape(geometry(i))] }));
  const names = ['qw', 'qx', 'qy', 'qz', 'x', 'y', 'z', 'wx', 'wy', 'wz', 'vx', 'vy', 'vz'];
  const units = ['', '', '', '', 'm', 'm', 'm', 'rad/s', 'rad/s', 'rad/s', 'm/s', 'm/s', 'm/s'];
  const channels = withChannels
    ? bodies.flatMap((_, i) =>
        names.map((name, k) => ({ name: `plant.ball${i}.ball.${name}`, unit: units[k], discrete: false })),
      )
    : [];
  const wave = (t: number, i: number) => 0.03 * Math.sin(2 * t + i);
  return [
    begin({ name: `${count} bodies`, plants: [plant(bodies)], end: seconds, every, channels }),
    ...frames(
      grid(seconds, every),
      (t) => {
        const poses: number[] = [];
        const values: number[] = [];
        for (let i = 0; i < count; i++) {
          const [x, y, z] = place(i);
          const pose = [Math.cos(t / 2), 0, 0, Math.sin(t / 2), x + wave(t, i), y, z + 0.1];
          poses.push(...pose.slice(4), ...pose.slice(0, 4));
          if (withChannels) values.push(...pose, 0, 0, 1, 0.06 * Math.cos(2 * t + i), 0, 0);
        }
        return { poses, values };
      },
      60,
    ),
    end(seconds),
  ];
}

/** The ball, seen by a camera of distances and one of labels: two rows of five pixels, at 0.2 s and at 1 s. */
export function cameras(): Line[] {
  const lines = ball();
  const facts = (name: string, labels: string[] | null) => ({ name, columns: 5, rows: 2, labels });
  const photo = (camera: number, time: number, bytes: number[]): Line => ({
    kind: 'photo',
    camera,
    time,
    range: [1, 3],
    png: png(5, 2, bytes),
  });
  const shown = [facts('eye.depth', null), facts('labels.bodies', ['post', 'ball'])];
  return [
    { ...lines[0], cameras: shown },
    photo(0, 0.2, [0, 255, 9, 9, 9, 9, 9, 9, 9, 9]),
    photo(0, 1, [255, 0, 9, 9, 9, 9, 9, 9, 9, 9]),
    photo(1, 0.2, [0, 0, 1, 2, 2, 0, 0, 1, 2, 2]),
    ...lines.slice(1),
  ];
}
