import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RequirementFacts, RequirementReport } from '../../src/stream/schema.generated';
import { begin, end, frames, grid, type Line } from '../synthetic';
import { close, done, drawn, leave, openRun } from './browser';

afterAll(close);
afterEach(leave);

const LIGHT = { colorScheme: 'light' as const };

const asked = (name: string, more: Partial<RequirementFacts>): RequirementFacts => ({
  name,
  asks: 'at most 0.5 m',
  about: '',
  channel: 'lag.output',
  unit: 'm',
  from: 0,
  until: null,
  above: [],
  below: [],
  reaches: null,
  overshoot: null,
  ...more,
});

const report = (name: string, more: Partial<RequirementReport>): RequirementReport => ({
  name,
  verdict: 'met',
  margin: 0.1,
  unit: 'm',
  ...more,
});

/** A channel that rises from 0 to 1 in two seconds. */
function ramp(requirements: RequirementFacts[], reports: RequirementReport[]): Line[] {
  const channels = [
    { name: 'lag.output', unit: 'm', discrete: false },
    { name: 'other.output', unit: 'N', discrete: false },
  ];
  return [
    begin({ name: 'ramp', plants: [], end: 2, every: 0.01, channels, requirements }),
    ...frames(grid(2, 0.01), (t) => ({ poses: [], values: [t / 2, 3] })),
    { kind: 'judged', requirements: reports },
    end(2),
  ];
}

/** The colours of the plot in a column of pixels at a time, from top to bottom, without those of the background. */
const column = (t: number) => {
  const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas')!;
  const over = document.querySelector<HTMLElement>('.plot .u-over')!;
  const scale = canvas.width / canvas.clientWidth;
  const box = canvas.getBoundingClientRect();
  const area = over.getBoundingClientRect();
  const x = Math.round((area.left - box.left + (area.width * t) / 2) * scale);
  const [top, height] = [Math.round((area.top - box.top) * scale), Math.round(area.height * scale)];
  const { data } = canvas.getContext('2d')!.getImageData(x, top, 1, height);
  return Array.from({ length: height }, (_, i) => (data[4 * i + 3] > 0 ? 1 : 0));
};

describe('requirements', () => {
  it('are listed with verdict and margin, and shade what is not to be entered', async () => {
    const limits = asked('limit', { below: [{ limit: 'number', value: 0.5 }], from: 1, about: 'a reason' });
    const late = { verdict: 'violated' as const, violated_at: 1.02, margin: -0.5, margin_at: 2 };
    const lines = ramp(
      [limits, asked('once', { channel: '', asks: 'once: t > 3' })],
      [report('limit', late), report('once', { verdict: 'undecided', margin: null })],
    );
    const run = await openRun(lines, LIGHT);
    const { page } = run;
    const rows = page.locator('.requirement');
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(2);
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts[0]).toContain('limit at most 0.5 m violated at 1.02 s margin −0.5 m');
    expect(texts[1]).toContain('once once: t > 3 undecided');
    expect(await page.locator('.requirements-host .count').innerText()).toBe('0 of 2 met, 1 violated, 1 undecided');
    expect(await rows.first().getAttribute('title')).toContain('a reason');

    // Before its window nothing is shaded, within it all above the limit.
    await drawn(page);
    const filled = (t: number) =>
      page.evaluate(column, t).then((pixels) => pixels.filter(Boolean).length / pixels.length);
    expect(await filled(0.53)).toBeLessThan(0.2);
    expect(await filled(1.53)).toBeGreaterThan(0.4);
    expect(await filled(1.53)).toBeLessThan(0.75);

    // A click goes to the time of the violation.
    await rows.first().click();
    await expect.poll(() => page.evaluate(() => window.kinegraph.time)).toBeCloseTo(1.02, 9);
    await done(run);
  });

  it('have their channels plotted, and a limit that is not reached yet is seen', async () => {
    const lines = ramp([asked('far', { below: [{ limit: 'number', value: 2.5 }] })], [report('far', {})]);
    const run = await openRun(lines, LIGHT);
    await expect
      .poll(async () => (await run.page.locator('.legend').allInnerTexts()).join(' '))
      .toContain('lag.output');
    await drawn(run.page);
    const pixels = await run.page.evaluate(column, 1.03);
    const share = pixels.filter(Boolean).length / pixels.length;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.5);
    expect(await run.page.locator('.requirements-host .count').innerText()).toBe('1 of 1 met');
    await done(run);
  });

  it('are not there where nothing is asked', async () => {
    const run = await openRun(ramp([], []));
    expect(await run.page.locator('.requirements-host').count()).toBe(0);
    await done(run);
  });
});
