/**
 * From the hand to the picture, with 160 balls in contact: `KINEGRAPH_LATENCY=yes npm run test:latency` on a machine
 * that does nothing else. The program and the browser share what `taskset` gives them.
 */

import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { close, open } from '../page/browser';
import { PROGRAM, ROOT } from './franka';
import { view } from './program';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-latency-'));
/** Of this many balls of a heap the top one is pulled. */
const BALLS = 160;
/** How often the hand moves, and how far it is from one move to the next [ms]. */
const [MOVES, PAUSE] = [60, 100];

/** Balls of the example in layers of five by five in a bin of 0.6 m, each off its place by a little. */
function heap(): string {
  copyFileSync(join(ROOT, 'examples/clutter/ball.urdf'), join(folder, 'ball.urdf'));
  const walls = [
    ['0 0 -0.025', '0.7 0.7 0.05'],
    ...['0.325 0', '-0.325 0'].map((xy) => [`${xy} 0.4`, '0.05 0.7 0.8']),
    ...['0 0.325', '0 -0.325'].map((xy) => [`${xy} 0.4`, '0.6 0.05 0.8']),
  ];
  const shape = ([xyz, size]: string[]) =>
    `<collision><origin xyz="${xyz}"/><geometry><box size="${size}"/></geometry></collision>`;
  writeFileSync(
    join(folder, 'bin.urdf'),
    `<robot name="bin"><link name="bin">${walls.map(shape).join('')}</link></robot>`,
  );
  const balls = Array.from({ length: BALLS }, (_, i) => {
    const [layer, k] = [Math.floor(i / 25), i % 25];
    const off = (seed: number) => 0.004 * Math.sin(12.9 * i + seed);
    const xyz = [0.112 * ((k % 5) - 2) + off(1), 0.112 * (Math.floor(k / 5) - 2) + off(2), 0.06 + 0.105 * layer];
    return `      - {name: ball${i}, file: ball.urdf, base: floating, pose: {xyz: [${xyz.map((x) => x.toFixed(4))}]}}`;
  });
  const file = join(folder, 'heap.yaml');
  writeFileSync(
    file,
    `kinegraph: 1
name: heap
systems:
  plant:
    type: multibody_plant
    contact: {model: point, points: deepest, stiffness: 1.0e5, dissipation: 10, static_friction: 0.5}
    models:
      - {name: bin, file: bin.urdf, base: fixed}
${balls.join('\n')}
simulation: {integrator: cenic, accuracy: 1.0e-2, duration: 600}
record: {every: 0.02, channels: [plant.state]}
view: {eye: [1.6, -2.2, 2.2], target: [0, 0, 0.8]}
`,
  );
  return file;
}

/** CPU time that a process has taken [s]. */
function seconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

describe.runIf(existsSync(PROGRAM) && process.env.KINEGRAPH_LATENCY)('the hand', () => {
  afterAll(close);

  it('is in the picture soon, with 160 balls in contact', async () => {
    const { child, address } = await view(heap(), '--live');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      await page.locator('.live-bar').getByRole('button', { name: 'Run', exact: true }).click();
      // The heap has come to rest.
      await expect.poll(() => page.evaluate(() => window.kinegraph.end), { timeout: 600_000 }).toBeGreaterThan(2.5);
      const box = (await page.locator('.scene-host canvas').boundingBox())!;
      const [x, y] = await page.evaluate((last) => window.kinegraph.project('plant', `ball${last}/ball`), BALLS - 1);
      const [cpu, attempts] = [seconds(child.pid!), await page.evaluate(() => window.kinegraph.attempts)];
      await page.keyboard.down('Shift');
      await page.mouse.move(box.x + x, box.y + y);
      await page.mouse.down();
      for (let i = 1; i <= MOVES; i++) {
        await page.mouse.move(box.x + x + 12 * Math.sin(i), box.y + y - 0.5 * i);
        await page.waitForTimeout(PAUSE);
      }
      await page.mouse.up();
      await page.keyboard.up('Shift');
      const figures = (all: number[]) => {
        all.sort((x, y) => x - y);
        const part = (p: number) => all[Math.floor(p * (all.length - 1))].toFixed(0);
        return `median ${part(0.5)} ms, 90 % ${part(0.9)} ms, most ${part(1)} ms`;
      };
      const answers = await page.evaluate(() => window.kinegraph.handAnswers());
      const delays = await page.evaluate(() => window.kinegraph.handDelays());
      // Independent of the load of the machine: a move waits for the present step and its own.
      const steps = (await page.evaluate(() => window.kinegraph.attempts)) - attempts;
      const each = ((seconds(child.pid!) - cpu) / steps) * 1000;
      const frames = (await page.evaluate(() => window.kinegraph.frameTimes())).sort((a, b) => a - b);
      const frame = frames[frames.length >> 1];
      console.log(`${steps} attempts of ${each.toFixed(1)} ms of CPU time each; ${frame.toFixed(1)} ms a frame`);
      // Between the two the browser draws: without a graphics processor that is most of it.
      console.log(`${answers.length} moves: the page has the answer after: ${figures(answers)}`);
      console.log(`${delays.length} moves: it is in the picture after: ${figures(delays)}`);
      expect(delays.length).toBeGreaterThan(10);
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  }, 900_000);
});
