import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Begin } from '../../src/stream/schema.generated';
import { BALL, ball, cameras, failed } from '../scenarios';
import { frames, type Line } from '../synthetic';
import { close, done, leave, openRun } from './browser';

afterAll(close);
afterEach(leave);

describe('plots', () => {
  it('have the values of the run', async () => {
    const run = await openRun(ball());
    const values = await run.page.evaluate(() =>
      [0, 0.5, 1.24].map((t) => [
        window.kinegraph.value('plant.ball.z', t),
        window.kinegraph.value('controller.effort[0]', t),
      ]),
    );
    [0, 0.5, 1.24].forEach((t, i) => {
      expect(values[i][0]).toBeCloseTo(BALL.at(t)[2], 9);
      expect(values[i][1]).toBeCloseTo(3 * Math.sin(5 * t), 9);
    });
    await run.page.evaluate(() => window.kinegraph.setTime(0.5));
    const row = run.page.locator('.legend li', { hasText: 'plant.ball.z' });
    await expect.poll(() => row.locator('.value').innerText()).toBe('1.05');
    await done(run);
  });

  it('draw their lines, and a click sets the time of the scene', async () => {
    const run = await openRun(ball());
    const { page } = run;
    const colors = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas')!;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let drawn = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] > 200 && data[i] < 150) drawn++;
        return drawn;
      });
    await expect.poll(colors).toBeGreaterThan(100);
    const over = page.locator('.plot .u-over').first();
    const box = (await over.boundingBox())!;
    await over.click({ position: { x: box.width / 4, y: box.height / 2 } });
    expect(await page.evaluate(() => window.kinegraph.time)).toBeCloseTo(0.5, 2);
    await done(run);
  });

  it('zoom together, with the steps', async () => {
    const run = await openRun(ball());
    const { page } = run;
    const box = (await page.locator('.plot .u-over').first().boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    const steps = (await page.locator('.steps .u-over').first().boundingBox())!;
    // From 0.5 to 1 s: what begins at 0.3 s lies two fifths of the width to the left.
    const part = () =>
      page.evaluate(([x, width]) => (window.kinegraph.attemptPlace(7)[0] - x) / width, [steps.x, steps.width]);
    await expect.poll(part).toBeCloseTo(-0.4, 1);
    await page.keyboard.press('0');
    await expect.poll(part).toBeCloseTo(0.15, 2);
    await done(run);
  });

  it('are chosen from the tree by a search', async () => {
    const run = await openRun(ball());
    const { page } = run;
    await page.keyboard.press('/');
    await page.keyboard.type('switch');
    await page.getByRole('checkbox', { name: 'switch.on' }).check();
    await expect
      .poll(() => page.locator('.legend').allInnerTexts())
      .toContainEqual(expect.stringContaining('switch.on'));
    await page.getByRole('checkbox', { name: 'switch.on' }).uncheck();
    await expect.poll(() => page.locator('.legend', { hasText: 'switch.on' }).count()).toBe(0);
    await done(run);
  });
});

describe('pictures of cameras', () => {
  it('are those of the time shown, with what is at the pointer', async () => {
    const run = await openRun(cameras());
    const { page } = run;
    const colors = (name: string) =>
      page.evaluate((name) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`canvas[aria-label="picture of ${name}"]`)!;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 3)].join(' '));
      }, name);
    const caption = (name: string) => page.locator('.shot', { hasText: name }).locator('.value').innerText();
    await page.evaluate(() => window.kinegraph.setTime(0.1));
    await expect.poll(() => caption('eye.depth')).toBe('no picture yet');
    await page.evaluate(() => window.kinegraph.setTime(0.5));
    // Near is bright yellow, far is dark: bytes 0, 255 of the first picture.
    await expect.poll(() => caption('eye.depth')).toBe('1 to 3 m');
    await expect.poll(async () => (await colors('eye.depth')).slice(0, 2)).toEqual(['253 231 37', '68 1 84']);
    await page.evaluate(() => window.kinegraph.setTime(1.5));
    await expect.poll(async () => (await colors('eye.depth')).slice(0, 2)).toEqual(['68 1 84', '253 231 37']);
    await expect.poll(async () => new Set(await colors('labels.bodies')).size).toBe(3);
    const canvas = page.getByRole('img', { name: 'picture of labels.bodies' });
    const box = (await canvas.boundingBox())!;
    await canvas.hover({ position: { x: box.width * 0.7, y: box.height * 0.25 } });
    await expect.poll(() => caption('labels.bodies')).toBe('ball');
    await canvas.hover({ position: { x: box.width * 0.1, y: box.height * 0.25 } });
    await expect.poll(() => caption('labels.bodies')).toBe('nothing');
    await done(run);
  });
});

describe('channels that are asked for', () => {
  it('are plotted in place of those that move', async () => {
    const lines = ball();
    const run = await openRun([{ ...lines[0], plotted: [3, 1] }, ...lines.slice(1)]);
    await expect.poll(() => run.page.locator('.legend').allInnerTexts()).toHaveLength(2);
    const texts = (await run.page.locator('.legend').allInnerTexts()).join(' ');
    expect(texts).toContain('switch.on');
    expect(texts).toContain('plant.ball.z');
    expect(texts).not.toContain('plant.ball.x');
    await done(run);
  });

  it('in the middle of a run are not known before, and are plotted from there on', async () => {
    const lines = ball();
    const first = lines[0] as unknown as Begin;
    const at = lines.findIndex(({ kind }) => kind === 'frames') + 1;
    const channels = [...first.channels, { name: 'plant.ball.vz', unit: 'm/s', discrete: false }];
    const wider = frames([1.9, 1.95], () => ({ poses: [0, 0, 0, 1, 0, 0, 0], values: [1, 2, 3, 4, 5] }));
    const before = lines.slice(0, at);
    const more = { kind: 'channels', channels, blocks: first.blocks } as unknown as Line;
    const run = await openRun([...before, more, ...wider, ...lines.filter(({ kind }) => kind === 'end')]);
    const values = await run.page.evaluate(() => [
      window.kinegraph.value('plant.ball.vz', 0),
      window.kinegraph.value('plant.ball.vz', 1.95),
      window.kinegraph.value('plant.ball.z', 1.95),
      window.kinegraph.value('plant.ball.z', 0.5),
    ]);
    expect(values.slice(0, 3)).toEqual([null, 5, 2].map((x) => x ?? NaN));
    expect(values[3]).toBeCloseTo(BALL.at(0.5)[2], 9);
    await done(run);
  });
});

describe('the diagram', () => {
  it('plots a port that is clicked, shows values at outputs, and how to record the others', async () => {
    const run = await openRun(ball());
    const { page } = run;
    await page.getByRole('button', { name: 'Diagram' }).click();
    await page.evaluate(() => window.kinegraph.setTime(0.5));
    await expect
      .poll(() => page.locator('.live').allTextContents())
      .toEqual([expect.stringMatching(/^1\.8 N$/), '[−0.4, 1.05]']);
    const before = await page.locator('.legend li', { hasText: 'effort' }).count();
    await page.locator('[data-port="controller.effort"][data-side="output"]').click();
    await expect.poll(() => page.locator('.legend li', { hasText: 'effort' }).count()).toBe(1 - before);
    await page.locator('[data-port="plant.body_poses"]').click();
    await expect.poll(() => page.locator('.toast').innerText()).toContain('record: {channels: [plant.body_poses]}');
    await done(run);
  });
});

describe('the steps', () => {
  it('say why an attempt was rejected, where the pointer is', async () => {
    const run = await openRun(ball());
    const { page } = run;
    const words = [
      /too inaccurate.*0\.004 is 4 times the accuracy 0\.001.*worst coordinate is plant\.ball\.x/s,
      null,
      /met a contact/,
      /not smooth/,
      null,
      /no solution/,
      /gained energy/,
    ];
    for (const [index, expected] of words.entries()) {
      if (!expected) continue;
      const [x, y] = await page.evaluate((i) => window.kinegraph.attemptPlace(i), index);
      await page.mouse.move(x + 1, y);
      // Marks at one place cover each other: the last of them is described.
      const covered = index === 5;
      await expect.poll(() => page.locator('.tooltip').innerText()).toMatch(covered ? /rejected/ : expected);
    }
    const [x, y] = await page.evaluate(() => window.kinegraph.attemptPlace(4));
    await page.mouse.move(x + 12, y + 20);
    await expect.poll(() => page.locator('.tooltip').innerText()).toMatch(/accepted.*0\.2 times the accuracy/s);
    await page.mouse.move(10, 300);
    await expect.poll(() => page.locator('.tooltip').isHidden()).toBe(true);
    expect(await page.locator('.counts').innerText()).toMatch(
      /4 accepted\s+1 too inaccurate\s+1 no solution\s+1 met a contact\s+1 not smooth\s+1 gained energy/,
    );
    await done(run);
  });

  it('are gone through by keys', async () => {
    const run = await openRun(failed());
    const { page } = run;
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.tooltip').innerText()).toMatch(/Attempt 3: rejected, met a contact/);
    expect(await page.evaluate(() => window.kinegraph.time)).toBeCloseTo(0.05, 9);
    await page.locator('.steps .upper').focus();
    await page.keyboard.press('ArrowRight');
    await done(run);
  });
});
