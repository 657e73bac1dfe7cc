/**
 * Random clicks on pages of the real program: no error in the console, no dead run, no memory that grows.
 * `KINEGRAPH_CLICKS=10x60 npm --prefix viewer run test:clicks` does ten sessions of 60 s, and prints what they took.
 */

import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, leave, open } from '../page/browser';
import { clicks, pageMemory, programMemory } from './clicks';
import { PROGRAM } from './franka';
import { view } from './program';
import { stick } from './stick';

const [SESSIONS, SECONDS] = (process.env.KINEGRAPH_CLICKS ?? '2x6').split('x').map(Number);
/** The first seed. */
const SEED = Number(process.env.KINEGRAPH_SEED ?? 1);
/** How much memory may grow [MB]. */
const GROWTH = 50;
const folder = mkdtempSync(join(tmpdir(), 'kinegraph-clicks-'));

/** Targets of the clicks, in turn. */
const PAGES: (() => string[])[] = [
  () => [stick(folder), '--live'],
  () => [stick(folder), '--set', 'simulation.duration=5'],
  () => ['examples/hands/arm.urdf'],
  () => ['examples/clutter/clutter.yaml', '--live'],
];

describe.runIf(existsSync(PROGRAM))('random clicks', () => {
  afterEach(leave);
  afterAll(close);

  for (let i = 0; i < SESSIONS; i++) {
    const seed = SEED + i;
    it(
      `of seed ${seed} leave the page and the run alive`,
      async () => {
        const args = PAGES[(seed - 1) % PAGES.length]();
        const { child, address, said } = await view(...args);
        try {
          const opened = await open(address, {}, false);
          const { page, faults } = opened;
          await page.evaluate(() => window.kinegraph.ready);
          const cdp = await page.context().newCDPSession(page);
          const memory = async () => [await pageMemory(cdp), programMemory(child.pid!)];
          // Objects that are built on first use are not growth.
          await clicks(page, seed + 1000, SECONDS / 6);
          const before = await memory();
          const count = await clicks(page, seed, SECONDS);
          const after = await memory();
          expect(faults, said()).toEqual([]);
          expect(child.exitCode, said()).toBe(null);
          for (const [k, what] of ['the page', 'the program'].entries())
            expect(after[k] - before[k], `MB more in ${what}`).toBeLessThan(GROWTH);
          const grown = after.map((x, k) => (x - before[k]).toFixed(1));
          console.log(`seed ${seed}, ${args[0]}: ${count} acts, page ${grown[0]} MB, program ${grown[1]} MB more`);

          // The run goes on, or begins anew.
          await page.reload();
          await page.evaluate(() => window.kinegraph.ready);
          const bar = page.locator('.live-bar');
          if ((await bar.count()) > 0) {
            // A run that goes on does so after the reset, too: the page that is loaded then has no mark.
            await page.evaluate(() => document.body.setAttribute('data-before', ''));
            await bar.getByRole('button', { name: 'Reset', exact: true }).click();
            await page.waitForFunction(
              () => !document.body.hasAttribute('data-before') && window.kinegraph?.frames > 0,
            );
            await page.waitForSelector('.live-bar');
            await bar.getByRole('combobox').selectOption('1');
            const run = bar.getByRole('button', { name: 'Run', exact: true });
            if (await run.isVisible()) await run.click();
            const reached = () => page.evaluate(() => window.kinegraph.end);
            // One whose parameters let it fail says so: that is no dead run either.
            const failed = () => page.locator('.banner:visible').count();
            await expect.poll(async () => (await reached()) > 0.05 || (await failed()) > 0).toBe(true);
          } else expect(await page.evaluate(() => window.kinegraph.frames)).toBeGreaterThan(1);
          expect(faults, said()).toEqual([]);
        } finally {
          child.kill('SIGKILL');
        }
      },
      600_000 + SECONDS * 2000,
    );
  }
});
