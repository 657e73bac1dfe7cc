/** Pictures that the program takes of a run: the crate of the franka example is where the table of the run has it. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { close, launch } from '../page/browser';
import { FILE, PROGRAM, ROOT, seen, table, type Row } from './franka';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-picture-'));
const SIZE: [number, number] = [640, 400];

/** Output and exit code of the program. */
function view(args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; stderr: string } {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return spawnSync(PROGRAM, ['view', ...args], options);
}

interface Seen {
  size: [number, number];
  colors: number;
  /** Where the green of the crate is: how many pixels, and the box around them (left, top, right, bottom). */
  crate: { count: number; box: [number, number, number, number] };
}

/** Content of a picture, as a browser decodes it. */
async function look(file: string): Promise<Seen> {
  const page = await (await launch()).newPage();
  const found = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const colors = new Set<number>();
      let count = 0;
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.subarray(i, i + 3);
        colors.add((r << 16) | (g << 8) | b);
        if (g < 1.2 * Math.max(r, b)) continue;
        count++;
        const [x, y] = [(i / 4) % image.width, Math.floor(i / 4 / image.width)];
        [box[0], box[1]] = [Math.min(box[0], x), Math.min(box[1], y)];
        [box[2], box[3]] = [Math.max(box[2], x + 1), Math.max(box[3], y + 1)];
      }
      return { size: [image.width, image.height], colors: colors.size, crate: { count, box } };
    },
    `data:image/png;base64,${readFileSync(file).toString('base64')}`,
  );
  await page.close();
  return found as unknown as Seen;
}

/** The box around the crate's corners, as the camera sees them. */
function outline(row: Row): number[] {
  const text = readFileSync(join(ROOT, 'examples/franka/crate.urdf'), 'utf8');
  const size = text
    .match(/<box size="([^"]*)"/)![1]
    .split(' ')
    .map(Number);
  const [w, x, y, z] = ['qw', 'qx', 'qy', 'qz'].map((name) => row[`plant.crate.crate.${name}`]);
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const corners = Array.from({ length: 8 }, (_, c) => {
    const own = size.map((length, i) => (c & (1 << i) ? length / 2 : -length / 2));
    const place = ['x', 'y', 'z'].map((name) => row[`plant.crate.crate.${name}`]);
    return seen(
      place.map((p, i) => p + turn[i][0] * own[0] + turn[i][1] * own[1] + turn[i][2] * own[2]),
      SIZE,
    );
  });
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

describe.runIf(existsSync(PROGRAM))('a picture by the program', () => {
  let rows: Row[] = [];

  beforeAll(() => {
    const options = { cwd: ROOT };
    spawnSync(PROGRAM, ['run', FILE, '--quiet', '--record', join(folder, 'franka.csv')], options);
    spawnSync(PROGRAM, ['run', FILE, '--quiet', '--record', join(folder, 'franka.mcap')], options);
    rows = table(join(folder, 'franka.csv'));
  });
  afterAll(close);

  it('shows the crate where it is at that time, of a diagram and of a recording', async () => {
    for (const [source, t] of [
      [FILE, 0],
      [FILE, 1.5],
      [join(folder, 'franka.mcap'), 2.2],
    ] as const) {
      const file = join(folder, `scene${t}.png`);
      const args = [source, '--screenshot', file, '--at', String(t), '--size', SIZE.join('x')];
      expect(view(args)).toMatchObject({ status: 0, stderr: '' });
      const { size, colors, crate } = await look(file);
      expect(size).toEqual(SIZE);
      expect(colors).toBeGreaterThan(50);
      expect(readFileSync(file).length).toBeLessThan(80_000);
      const row = rows[Math.round(t * 100)];
      expect(crate.count).toBeGreaterThan(200);
      // Fingers and arrows hide some of it, but no side.
      outline(row).forEach((edge, i) => expect(Math.abs(crate.box[i] - edge)).toBeLessThan(3));
    }
  });

  it('shows the block diagram', async () => {
    const file = join(folder, 'diagram.png');
    const args = [FILE, '--screenshot', file, '--show', 'diagram', '--size', '700x300'];
    expect(view(args)).toMatchObject({ status: 0, stderr: '' });
    const { size, colors, crate } = await look(file);
    expect(size).toEqual([700, 300]);
    expect(colors).toBeGreaterThan(20);
    expect(crate.count).toBe(0);
  });

  it('is refused with what to do about it', () => {
    const file = join(folder, 'none.png');
    const late = view([FILE, '--screenshot', file, '--at', '9']);
    expect(late).toMatchObject({ status: 1 });
    expect(late.stderr).toContain('there is nothing at t = 9 s: the run goes from 0 s to 3.5 s');
    expect(existsSync(file)).toBe(false);
    const missing = view([FILE, '--screenshot', file], { PATH: folder, CHROMIUM: '' });
    expect(missing.stderr).toContain('apt install chromium');
    const other = view([FILE, '--screenshot', join(folder, 'picture.jpg')]);
    expect(other).toMatchObject({ status: 2 });
    expect(other.stderr).toContain('.png');
  });
});
