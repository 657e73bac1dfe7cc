/** Derivatives of a run that a page asks for: bars with errors, channels over time, ranges at the numbers. */

import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, leave, open } from '../page/browser';
import { PROGRAM } from './franka';
import { view } from './program';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-sensitivity-'));
const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

/** A lag from 3 to 0: x = 3 exp(-t/tau). */
const LAG = `kinegraph: 1
parameters: {tau: {default: 0.5, range: [0.1, 2]}}
systems:
  lag: {type: first_order_lag, time_constant: $tau, initial: 3}
  zero: {type: constant, value: 0}
connections: [zero.output -> lag.input]
simulation: {integrator: dopri5, accuracy: 1e-8, duration: 1}
record: {every: 0.05, channels: [lag.output]}
gradient: {of: [end(lag.output)], by: [parameters.tau, systems.lag.initial], over_time: [lag.output]}
`;

describe.runIf(existsSync(PROGRAM))('derivatives of a run', () => {
  afterEach(leave);
  afterAll(close);

  it('are bars with their errors, and channels over time', async () => {
    const file = join(folder, 'lag.yaml');
    writeFileSync(file, LAG);
    const { child, address } = await view(file);
    try {
      const opened = await open(address, {}, false);
      const { page } = opened;
      await page.evaluate(() => window.kinegraph.finished);
      await page.getByRole('button', { name: 'Sensitivity', exact: true }).click();
      const field = (name: string) => page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name }));
      expect(await field('measure').evaluateAll((all: HTMLInputElement[]) => all.map(({ value }) => value))).toEqual([
        'end(lag.output)',
      ]);
      await page.getByRole('button', { name: 'Differentiate' }).click();
      await expect.poll(() => page.locator('.bar-row').count()).toBe(2);
      const rows = (await page.locator('.bar-row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      // d / d ln tau is 3 exp(-t/tau) t/tau = 0.812, d / d ln x0 half of it.
      expect(rows[0]).toContain('parameters.tau 0.812');
      expect(rows[1]).toContain('lag.initial 0.406');
      const widths = await page.locator('.bar-row .fill').evaluateAll((all) => all.map((one) => one.clientWidth));
      expect(widths[0] / widths[1]).toBeGreaterThan(1.9);
      expect(widths[0] / widths[1]).toBeLessThan(2.1);
      await page.getByLabel('scale of the bars').selectOption('range');
      await expect.poll(async () => (await page.locator('.bar-row').first().innerText()).includes('3.086')).toBe(true);
      const slope = () => page.evaluate(() => window.kinegraph.value('d lag.output / d parameters.tau', 0.5));
      expect(await slope()).toBeCloseTo(3 * Math.exp(-1) * 2, 5);
      const plots = await page.locator('.plot').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(plots[0]).toBe('plot of lag.output');
      expect(plots.slice(1)).toContain('plot of d lag.output / d parameters.tau');
      await page.screenshot({ path: `${PICTURES}sensitivity.png` });

      // What the program refuses is said, and the panel goes on.
      await field('number').first().fill('parameters.tua');
      await page.getByRole('button', { name: 'Differentiate' }).click();
      await expect.poll(() => page.locator('.sensitivity [role=status]').innerText()).toContain('parameters.tau');
      expect(opened.faults).toEqual([]);
    } finally {
      child.kill('SIGINT');
    }
  });
});
