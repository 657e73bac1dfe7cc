/** A whole session by hand, and the same again without a browser. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, leave, open } from '../page/browser';
import { PROGRAM, ROOT } from './franka';
import { ended, stands, view } from './program';
import { stick } from './stick';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-session-'));
const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

/** Plugs in a gamepad with these axes and buttons, in place of the one before. */
function plug(page: Page, axes: number[], buttons: number[]): Promise<void> {
  return page.evaluate(
    ([axes, buttons]) => {
      const pad = { connected: true, id: 'Pad of a test', axes, buttons: buttons.map((value) => ({ value })) };
      Object.defineProperty(navigator, 'getGamepads', { value: () => [null, pad], configurable: true });
    },
    [axes, buttons] as const,
  );
}

describe.runIf(existsSync(PROGRAM))('a session', () => {
  afterEach(leave);
  afterAll(close);

  it('has a box dragged, gains moved, a gamepad, pauses and a reset, and its journal gives the same bits', async () => {
    const file = stick(folder);
    const record = ['mcap', 'csv'].flatMap((kind) => ['--record', join(folder, `session.${kind}`)]);
    const { child, address } = await view(file, '--live', ...record);
    const end = ended(child);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.ready);
      const time = () => page.evaluate(() => window.kinegraph.end);
      const value = (channel: string) => page.evaluate((name) => window.kinegraph.value(name, 1e9), channel);
      const button = (name: string) => page.locator('.live-bar').getByRole('button', { name, exact: true });
      const set = async (label: string, text: string) => {
        const field = page.getByLabel(label, { exact: true });
        await field.fill(text);
        await field.press('Enter');
      };
      await button('Run').click();
      await expect.poll(time).toBeGreaterThan(0.2);

      // The gamepad: half of the way beyond the dead zone of a tenth is 0.444 of the scale, and the second axis back.
      await plug(page, [0.5, -1], [0]);
      await expect.poll(() => value('stick.shoulder')).toBeCloseTo((0.5 * (0.5 - 0.1)) / 0.9, 3);
      expect(await value('stick.elbow')).toBe(-0.5);
      await expect.poll(() => page.locator('.hands').innerText()).toContain('Pad of a test');
      await expect.poll(() => value('plant.arm.shoulder.q')).toBeGreaterThan(-0.5);
      await page.screenshot({ path: join(PICTURES, 'session.png') });
      // Its button is farther than its axis; unplugged, it moves nothing.
      await plug(page, [0, -0.3], [1]);
      await expect.poll(() => value('stick.elbow')).toBe(0.5);
      await plug(page, [0, 0], [0]);
      await expect.poll(() => value('stick.elbow')).toBe(0);
      // Keys of the block do nothing else: L does not loop.
      await page.locator('.scene-host canvas').click({ position: { x: 5, y: 5 } });
      await page.keyboard.down('l');
      await expect.poll(() => value('stick.shoulder')).toBe(0.5);
      await page.keyboard.up('l');
      await expect.poll(() => value('stick.shoulder')).toBe(0);
      expect(await page.getByRole('button', { name: /loop/i }).getAttribute('aria-pressed')).toBe('false');

      // A box is pulled, on ground with less friction, and with another gain.
      await set('plant.contact.static_friction, number', '0.1');
      await set('controller.kp, number', '45');
      const box = (await page.locator('.scene-host canvas').boundingBox())!;
      const [x, y] = await page.evaluate(() => window.kinegraph.project('plant', 'right/box'));
      const before = await value('plant.right.box.z');
      await page.keyboard.down('Shift');
      await page.mouse.move(box.x + x, box.y + y);
      await page.mouse.down();
      for (let i = 1; i <= 6; i++) await page.mouse.move(box.x + x - 4 * i, box.y + y - 25 * i);
      await expect.poll(() => value('plant.right.box.z')).toBeGreaterThan(before + 0.05);
      await page.mouse.up();
      await page.keyboard.up('Shift');

      // It stands still while it is paused; a stick that is moved then acts with the next step.
      await button('Pause').click();
      await expect.poll(() => button('Run').isVisible()).toBe(true);
      const stood = await stands(page);
      await plug(page, [1, 0], [0]);
      expect(await stands(page)).toBe(stood);
      // A step may be shorter than the time between two samples.
      const stepped = async () => {
        await button('Step').click();
        return time();
      };
      await expect.poll(stepped).toBeGreaterThan(stood);

      await button('Reset').click();
      await page.waitForFunction(() => window.kinegraph?.frames > 0 && window.kinegraph.end === 0);
      await page.waitForSelector('.live-bar');
      await plug(page, [-1, 0], [0]);
      await button('Run').click();
      await expect.poll(time).toBeGreaterThan(0.4);
      expect(await value('stick.shoulder')).toBe(-0.5);
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
    await end;
    for (const take of ['session', 'session-2']) {
      const again = join(folder, `${take}-again.csv`);
      const args = ['run', '--replay', join(folder, `${take}.mcap`), '--record', again, '--quiet'];
      execFileSync(PROGRAM, args, { cwd: ROOT, stdio: 'pipe' });
      const [first, second] = [readFileSync(join(folder, `${take}.csv`), 'utf8'), readFileSync(again, 'utf8')];
      expect(first.split('\n').length).toBeGreaterThan(15);
      expect(second === first).toBe(true);
    }
  });

  it('is run again with another number, over the run before', async () => {
    const { child, address } = await view(stick(folder), '--set', 'simulation.duration=1');
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      const value = (channel: string, t: number) =>
        page.evaluate(([name, t]) => window.kinegraph.value(name as string, t as number), [channel, t]);
      const q = await value('plant.arm.shoulder.q', 0.5);
      await page.getByRole('button', { name: 'Run again', exact: true }).click();
      const field = page.getByLabel('systems.rest.value');
      // Input that is not a pair of numbers is not sent.
      await field.fill('-0.2');
      await page.locator('.again button[type=submit]').click();
      expect(await field.getAttribute('class')).toContain('wrong');
      await field.fill('-0.2, 1.2');
      await page.locator('.again button[type=submit]').click();
      await page.waitForFunction(() => window.kinegraph?.channels?.some((name) => name.startsWith('before: ')));
      await page.evaluate(() => window.kinegraph.finished);
      expect(await value('before: plant.arm.shoulder.q', 0.5)).toBeCloseTo(q, 12);
      const now = await value('plant.arm.shoulder.q', 0.5);
      expect(now).toBeGreaterThan(q + 0.05);
      expect(await value('difference: plant.arm.shoulder.q', 0.5)).toBeCloseTo(q - now, 12);
      // The panel is open again, with the numbers of this run; what the loader refuses is said, and the page stays.
      await expect.poll(() => page.getByLabel('systems.rest.value').inputValue()).toBe('-0.2, 1.2');
      await page.screenshot({ path: join(PICTURES, 'again.png') });
      await page.getByLabel('simulation.accuracy').fill('7');
      await page.locator('.again button[type=submit]').click();
      await expect.poll(() => page.locator('.toast').innerText()).toContain('accuracy');
      expect(await value('plant.arm.shoulder.q', 0.5)).toBe(now);
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });
});
