/** Outputs that are recorded after a click, pictures of cameras, and the channels of `--channels`. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, leave, open } from '../page/browser';
import { PROGRAM, ROOT } from './franka';
import { ended, view } from './program';
import { stick } from './stick';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-record-'));
const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

/** The names of all channels that are plotted. */
function plotted(page: Page): Promise<string> {
  return page.locator('.plot').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')).join(' '));
}

describe.runIf(existsSync(PROGRAM))('what is recorded', () => {
  afterEach(leave);
  afterAll(close);

  it('grows by a click in a live run, from then on, and its replay has it', async () => {
    const recording = join(folder, 'session.mcap');
    const { child, address } = await view('examples/hands/hands.yaml', '--live', '--record', recording);
    const end = ended(child);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      await page.locator('.live-bar').getByRole('button', { name: 'Run', exact: true }).click();
      await expect.poll(() => page.evaluate(() => window.kinegraph.end)).toBeGreaterThan(0.2);
      await page.getByRole('button', { name: 'Diagram', exact: true }).click();
      expect(await page.evaluate(() => window.kinegraph.channels)).not.toContain('goal.output[0]');
      await page.locator('g.port.output[data-port="goal.output"]').click();
      await expect.poll(() => page.evaluate(() => window.kinegraph.channels)).toContain('goal.output[0]');
      await expect.poll(() => page.evaluate(() => window.kinegraph.value('goal.output[0]', 1e9))).toBeLessThan(10);
      expect(await page.evaluate(() => window.kinegraph.value('goal.output[0]', 0))).toBeNaN();
      await expect.poll(() => plotted(page)).toContain('goal.output');
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
    await end;
    const again = join(folder, 'again.mcap');
    const replay = ['run', '--replay', recording, '--record', again, '--quiet'];
    execFileSync(PROGRAM, replay, { cwd: ROOT, stdio: 'pipe' });
    const topic = Buffer.from('/goal/output');
    for (const file of [recording, again]) expect(readFileSync(file).includes(topic)).toBe(true);
  });

  it('grows by a click at a run that is over, which begins anew', async () => {
    const { child, address } = await view(stick(folder), '--set', 'simulation.duration=0.3');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      const known = await page.evaluate(() => window.kinegraph.channels);
      await page.getByRole('button', { name: 'Diagram', exact: true }).click();
      const dot = page.locator('g.port.output:has(.dot:not(.recorded))').first();
      const output = (await dot.getAttribute('data-port'))!;
      await dot.click();
      await page.waitForFunction(
        (output) => window.kinegraph?.channels?.some((name) => name.startsWith(output)),
        output,
      );
      await page.evaluate(() => window.kinegraph.finished);
      const names = await page.evaluate(() => window.kinegraph.channels);
      expect(names.filter((name) => !name.includes(': ')).length).toBeGreaterThan(known.length);
      await expect.poll(() => plotted(page)).toContain(output);
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });

  it('has the pictures of cameras, while it runs', async () => {
    const { child, address } = await view('examples/rover/rover.yaml', '--until', '0.5');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      await page.evaluate(() => window.kinegraph.setTime(0.45));
      await expect.poll(() => page.locator('.shot').allInnerTexts()).toHaveLength(3);
      await expect.poll(() => page.locator('.shot', { hasText: 'eye.depth' }).innerText()).toMatch(/ to [\d.]+ m/);
      await page.screenshot({ path: join(PICTURES, 'cameras.png') });
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });

  it('is plotted as `--channels` says, and recorded for it', async () => {
    const file = stick(folder);
    const wrong = spawnSync(PROGRAM, ['view', file, '--channels', 'plant.arm.sholder', '--no-browser'], { cwd: ROOT });
    expect([wrong.status, String(wrong.stderr)]).toEqual([
      2,
      expect.stringMatching(/did you mean plant\.arm\.shoulder/),
    ]);
    const wanted = ['--set', 'simulation.duration=0.2', '--channels', 'plant.body_poses,plant.arm.shoulder.q'];
    const { child, address } = await view(file, ...wanted);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      await expect.poll(() => plotted(page)).toContain('plant.arm.shoulder.q');
      expect(await plotted(page)).toContain('plant.arm.upper.pose.px');
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });
});
