/** The real program in a real browser: what is seen of the franka example is what its table says. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { close, done, leave, open, pixels, type Opened } from '../page/browser';
import { FILE, PROGRAM, ROOT, seen, table, type Row } from './franka';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-view-'));
function run(...args: string[]): void {
  execFileSync(PROGRAM, args, { cwd: ROOT, stdio: 'pipe' });
}

/** Starts the server; its address is the first line that it prints. */
function serve(...args: string[]): Promise<[ChildProcess, string]> {
  const child = spawn(PROGRAM, ['view', ...args, '--no-browser'], { cwd: ROOT });
  return new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      if (text.includes('\n')) done([child, text.split('\n')[0]]);
    });
    child.on('error', failed);
    child.on('exit', () => failed(new Error(`the program ended: ${text}`)));
  });
}

describe.runIf(existsSync(PROGRAM))('the franka example', () => {
  const csv = join(folder, 'franka.csv');
  let rows: Row[] = [];

  beforeAll(() => {
    run('run', FILE, '--quiet', '--record', csv, '--record', join(folder, 'franka.mcap'));
    run('view', FILE, '--html', join(folder, 'franka.html'));
    rows = table(csv);
  });
  afterEach(leave);
  afterAll(close);

  /** The crate is drawn where the table has it, and plots have its values. */
  async function agrees({ page }: Opened, row: Row): Promise<void> {
    const crate = ['x', 'y', 'z'].map((axis) => row[`plant.crate.crate.${axis}`]);
    const [place, size, value] = await page.evaluate((t) => {
      window.kinegraph.setTime(t);
      window.kinegraph.draw();
      const canvas = document.querySelector('.scene-host canvas')!;
      return [
        window.kinegraph.project('plant', 'crate/crate'),
        [canvas.clientWidth, canvas.clientHeight] as [number, number],
        window.kinegraph.value('plant.crate.crate.z', t),
      ] as const;
    }, row.time);
    const expected = seen(crate, size);
    expect(Math.hypot(place[0] - expected[0], place[1] - expected[1])).toBeLessThan(2);
    expect(value).toBe(row['plant.crate.crate.z']);
  }

  it('is served: the canvas is not empty, play moves the crate, scrubbing shows the state', async () => {
    const [child, address] = await serve(FILE);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      expect((await pixels(page, 'true')).colors).toBeGreaterThan(50);
      expect(await page.evaluate(() => window.kinegraph.frames)).toBe(rows.length);
      for (const row of [rows[0], rows[120], rows[200], rows[rows.length - 1]]) await agrees(opened, row);
      await page.evaluate(() => window.kinegraph.setTime(0.9));
      const before = await page.evaluate(() => window.kinegraph.project('plant', 'crate/crate'));
      await page.evaluate(() => window.kinegraph.play());
      await expect.poll(() => page.evaluate(() => window.kinegraph.time)).toBeGreaterThan(1.1);
      await page.evaluate(() => window.kinegraph.pause());
      const [now, after] = await page.evaluate(
        () => [window.kinegraph.time, window.kinegraph.project('plant', 'crate/crate')] as const,
      );
      expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(5);
      await agrees(opened, rows[Math.round(now * 100)]);
      expect(opened.faults).toEqual([]);
      expect(opened.asked.map((url) => new URL(url).pathname.split('/').pop())).toEqual(['stream']);
    } finally {
      child.kill();
    }
  });

  it('is a file that needs neither program nor network, of the run and of its recording', async () => {
    run('view', join(folder, 'franka.mcap'), '--html', join(folder, 'recording.html'));
    for (const name of ['franka.html', 'recording.html']) {
      const opened = await open(pathToFileURL(join(folder, name)).href);
      await opened.page.evaluate(() => window.kinegraph.ready);
      await agrees(opened, rows[150]);
      await done(opened);
    }
  });

  it('says why an attempt was rejected, where the pointer is', async () => {
    const opened = await open(pathToFileURL(join(folder, 'franka.html')).href);
    const { page } = opened;
    await page.evaluate(() => window.kinegraph.ready);
    const rejected = await page.evaluate(() => {
      const all = Array.from({ length: window.kinegraph.attempts }, (_, i) => window.kinegraph.attempt(i));
      return all.findIndex((attempt) => attempt.outcome === 'inaccurate');
    });
    const [x, y] = await page.evaluate((i) => window.kinegraph.attemptPlace(i), rejected);
    await page.mouse.move(x + 1, y);
    await expect
      .poll(() => page.locator('.tooltip').innerText())
      .toMatch(/rejected.*too inaccurate.*worst coordinate is plant\./s);
    await done(opened);
  });
});
