import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { BALL, ball, failed } from '../scenarios';
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
    const colors = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let drawn = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] > 200 && data[i] < 150) drawn++;
      return drawn;
    });
    expect(colors).toBeGreaterThan(100);
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
