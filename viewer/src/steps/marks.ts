/** A mark of its own form for each kind of rejection, so that they can be distinguished without colour. */

import type { Outcome } from '../stream/attempts';

type Pen = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'arc' | 'closePath'>;

interface Mark {
  /** True if the form is filled, false for its outline. */
  filled: boolean;
  trace: (pen: Pen, x: number, y: number, r: number) => void;
  path: string;
}

const poly = (points: [number, number][], close: boolean): Pick<Mark, 'trace' | 'path'> => ({
  trace: (pen, x, y, r) => {
    points.forEach(([px, py], i) =>
      i === 0 ? pen.moveTo(x + px * r, y + py * r) : pen.lineTo(x + px * r, y + py * r),
    );
    if (close) pen.closePath();
  },
  path: points.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px * 4.5} ${py * 4.5}`).join('') + (close ? 'Z' : ''),
});

const several = (...parts: Pick<Mark, 'trace' | 'path'>[]): Pick<Mark, 'trace' | 'path'> => ({
  trace: (pen, x, y, r) => parts.forEach((one) => one.trace(pen, x, y, r)),
  path: parts.map((one) => one.path).join(''),
});

const cross = several(
  poly(
    [
      [-0.8, -0.8],
      [0.8, 0.8],
    ],
    false,
  ),
  poly(
    [
      [-0.8, 0.8],
      [0.8, -0.8],
    ],
    false,
  ),
);
const plus = several(
  poly(
    [
      [-1, 0],
      [1, 0],
    ],
    false,
  ),
  poly(
    [
      [0, -1],
      [0, 1],
    ],
    false,
  ),
);

export const MARKS: Record<Outcome, Mark> = {
  accepted: {
    filled: true,
    ...poly(
      [
        [-1, -0.7],
        [1, -0.7],
        [1, 1],
        [-1, 1],
      ],
      true,
    ),
  },
  /** × */
  inaccurate: { filled: false, ...cross },
  /** ▲ */
  failed: {
    filled: true,
    ...poly(
      [
        [0, -1],
        [1, 0.85],
        [-1, 0.85],
      ],
      true,
    ),
  },
  /** □ */
  not_free: {
    filled: false,
    ...poly(
      [
        [-0.8, -0.8],
        [0.8, -0.8],
        [0.8, 0.8],
        [-0.8, 0.8],
      ],
      true,
    ),
  },
  /** ◇ */
  transition: {
    filled: false,
    ...poly(
      [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ],
      true,
    ),
  },
  /** + */
  energy_gain: { filled: false, ...plus },
  /** ▽ */
  unknown: {
    filled: false,
    ...poly(
      [
        [-1, -0.8],
        [1, -0.8],
        [0, 1],
      ],
      true,
    ),
  },
};
