/** Hands on a run of the real program in a real browser, and the same session again without one. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, leave, open } from '../page/browser';
import { PROGRAM, ROOT } from './franka';
import { ended, stands, view } from './program';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-live-'));
const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

describe.runIf(existsSync(PROGRAM))('a live run', () => {
  afterEach(leave);
  afterAll(close);

  it('is pulled at, tuned, paused, reset and recorded, and its journal gives it again', async () => {
    const recording = join(folder, 'session.mcap');
    const table = join(folder, 'session.csv');
    const { child, address } = await view(
      'examples/hands/hands.yaml',
      '--live',
      '--record',
      recording,
      '--record',
      table,
    );
    const end = ended(child);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      const time = () => page.evaluate(() => window.kinegraph.end);
      const value = (channel: string) => page.evaluate((name) => window.kinegraph.value(name, 1e9), channel);
      const button = (name: string) => page.locator('.live-bar').getByRole('button', { name, exact: true });
      // It waits for its start; joints are moved before.
      expect(await time()).toBe(0);
      const shoulder = page.getByLabel('arm.shoulder, number');
      await shoulder.fill('-0.9');
      await shoulder.press('Enter');
      await expect.poll(() => value('plant.arm.shoulder.q')).toBe(-0.9);
      await button('Run').click();
      await expect.poll(time).toBeGreaterThan(0.3);
      expect(await shoulder.isDisabled()).toBe(true);

      // The box is pulled up: Shift and drag.
      const box = (await page.locator('.scene-host canvas').boundingBox())!;
      const [x, y] = await page.evaluate(() => window.kinegraph.project('plant', 'right/box'));
      await page.keyboard.down('Shift');
      await page.mouse.move(box.x + x, box.y + y);
      await page.mouse.down();
      for (let i = 1; i <= 8; i++) await page.mouse.move(box.x + x - 4 * i, box.y + y - 25 * i);
      await expect.poll(() => value('plant.right.box.z')).toBeGreaterThan(0.2);
      await expect.poll(() => page.locator('.hand-label').innerText()).toMatch(/^[\d.]+ N$/);
      await page.screenshot({ path: join(PICTURES, 'live.png') });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await expect.poll(() => page.locator('.hand-label').isVisible()).toBe(false);

      // A gain and a goal are moved while it runs.
      const kp = page.getByLabel('controller.kp', { exact: true });
      await kp.focus();
      for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
      const goal = page.getByLabel('goal.value [0], number');
      await goal.fill('-0.2');
      await goal.press('Enter');
      await expect.poll(() => value('plant.arm.shoulder.q')).toBeGreaterThan(-0.5);

      // It stands still while it is paused.
      await button('Pause').click();
      await expect.poll(() => button('Run').isVisible()).toBe(true);
      await stands(page);
      await button('Step').click();

      // A reset begins anew, with the gain and the goal as they are.
      await button('Reset').click();
      await page.waitForFunction(() => window.kinegraph?.frames > 0 && window.kinegraph.end === 0);
      await page.waitForSelector('.live-bar');
      await button('Run').click();
      await expect.poll(time).toBeGreaterThan(0.4);
      expect(opened.faults).toEqual([]);
      const asked = opened.asked.map((url) => new URL(url).pathname.split('/').pop());
      expect(new Set(asked)).toEqual(new Set(['stream', 'command']));
    } finally {
      child.kill('SIGINT');
    }
    await end;
    for (const take of ['session', 'session-2']) {
      const again = join(folder, `${take}-again.csv`);
      const args = ['run', '--replay', join(folder, `${take}.mcap`), '--record', again, '--quiet'];
      execFileSync(PROGRAM, args, { cwd: ROOT, stdio: 'pipe' });
      const [first, second] = [readFileSync(join(folder, `${take}.csv`), 'utf8'), readFileSync(again, 'utf8')];
      expect(first.split('\n').length).toBeGreaterThan(20);
      expect(second === first).toBe(true);
    }
  });

  it('has the parameters of the file on the first sliders, and judges as it goes on', async () => {
    const { child, address } = await view('examples/step_response/step_response.yaml', '--live');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      const first = page.locator('.hands section.sliders').first();
      expect(await first.locator('h3').innerText()).toBe('Parameters of the file');
      expect(await first.locator('.slider-name').allInnerTexts()).toEqual(['kp', 'kd']);
      // Gains that a parameter sets have no slider of their own.
      expect(await page.getByLabel('position_gain.gain', { exact: true }).count()).toBe(0);
      // From 1 to 200 in 400 steps.
      const bar = page.getByLabel('kp', { exact: true });
      expect(Number(await bar.inputValue())).toBe(Math.round((400 * 29) / 199));
      const kp = page.getByLabel('kp, number', { exact: true });
      await kp.fill('300');
      await kp.press('Enter');
      await expect.poll(() => page.locator('.toast').innerText()).toContain('a number from 1 to 200');
      await kp.fill('120');
      await kp.press('Enter');
      const button = (name: string) => page.locator('.live-bar').getByRole('button', { name, exact: true });
      await page.getByLabel('pace of the run').selectOption('max');
      await button('Run').click();
      const rows = page.locator('.requirement');
      const overshoot = rows.filter({ hasText: 'overshoot' });
      // Four times the gain with the same damping goes far beyond the target.
      await expect.poll(() => overshoot.innerText()).toMatch(/violated at 0\.[5-9]/);
      await expect.poll(() => page.locator('.requirements-host .count').innerText()).not.toContain('undecided');
      await page.screenshot({ path: join(PICTURES, 'requirements.png') });
      // A reset begins with the parameter as it is, and judges anew: slowly, so that its start is seen.
      await page.getByLabel('pace of the run').selectOption('0.1');
      await button('Reset').click();
      await page.waitForFunction(() => window.kinegraph?.frames > 0 && window.kinegraph.end < 1);
      await page.waitForSelector('.live-bar');
      expect(await page.getByLabel('kp, number', { exact: true }).inputValue()).toBe('120');
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });

  it('shows a model, its joints on sliders', async () => {
    const { child, address } = await view('examples/hands/arm.urdf');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      const elbow = page.getByLabel('arm.elbow', { exact: true });
      expect(Number(await elbow.inputValue())).toBe(200);
      await elbow.fill('300');
      const value = () => page.evaluate(() => window.kinegraph.value('plant.arm.elbow.q', 1e9));
      await expect.poll(value).toBeCloseTo(1.25, 9);
      // The run stands still, and the scene follows the slider all the same.
      const place = () => page.evaluate(() => window.kinegraph.project('plant', 'arm/lower'));
      const [x, y] = await place();
      const shoulder = page.getByLabel('arm.shoulder, number', { exact: true });
      await shoulder.fill('1');
      await shoulder.press('Enter');
      const moved = async () => Math.hypot((await place())[0] - x, (await place())[1] - y);
      await expect.poll(moved).toBeGreaterThan(20);
      await expect.poll(() => page.locator('.status').innerText()).toContain('paused');
      await page.keyboard.press('a');
      await page.screenshot({ path: join(PICTURES, 'model.png') });
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });
});
