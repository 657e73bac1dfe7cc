import { createServer, type Server, type ServerResponse } from 'node:http';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ball, pendulum } from '../scenarios';
import { text } from '../synthetic';
import { VERSION } from '../../src/stream/schema.generated';
import { BUILT, close, done, drawn, leave, open, openRecording, openRun } from './browser';

afterAll(close);
afterEach(leave);

const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

describe('the file', () => {
  it('has one empty place for a recording, and names no other file', () => {
    expect(BUILT.split('<script id="kinegraph-recording" type="text/plain"></script>')).toHaveLength(2);
    expect(BUILT).not.toMatch(/(src|href)="(?!data:)/);
    expect(BUILT.length).toBeLessThan(1_200_000);
    for (const holder of ['three.js authors', 'Leon Sorokin']) expect(BUILT).toContain(holder);
  });

  it('works without network and server', async () => {
    const run = await openRun(ball(), { offline: true });
    expect(await run.page.evaluate(() => window.kinegraph.frames)).toBe(101);
    await done(run);
  });

  it('says what to do where there is no run', async () => {
    const run = await open(new URL('../../dist/index.html', import.meta.url).href);
    await expect.poll(() => run.page.locator('.empty').innerText()).toMatch(/No run to show.*kinegraph view FILE/s);
    await done(run);
  });

  it('says that it does not read a recording of another version', async () => {
    const [first, ...others] = ball();
    const run = await openRecording([{ ...first, version: VERSION + 1 }, ...others]);
    const said = new RegExp(`No run to show.*version ${VERSION + 1}; this page reads version ${VERSION} only`, 's');
    await expect.poll(() => run.page.locator('.empty').innerText()).toMatch(said);
    await done(run);
  });
});

describe('keys', () => {
  it('play, step, go to the ends and set the speed', async () => {
    const run = await openRun(ball());
    const { page } = run;
    const time = () => page.evaluate(() => window.kinegraph.time);
    await page.keyboard.press('ArrowRight');
    expect(await time()).toBeCloseTo(0.02, 9);
    await page.keyboard.press('Shift+ArrowRight');
    expect(await time()).toBeCloseTo(0.22, 9);
    await page.keyboard.press('ArrowLeft');
    expect(await time()).toBeCloseTo(0.2, 9);
    await page.keyboard.press('End');
    expect(await time()).toBe(2);
    await page.keyboard.press('Home');
    expect(await time()).toBe(0);
    // So slow that it does not come to its end before it is stopped.
    for (const speed of ['0.5', '0.2', '0.1']) {
      await page.keyboard.press('[');
      expect(await page.getByLabel('speed').inputValue()).toBe(speed);
    }
    await page.keyboard.press(' ');
    await expect.poll(time).toBeGreaterThan(0.05);
    await page.keyboard.press(' ');
    const stopped = await time();
    await drawn(page);
    expect(await time()).toBe(stopped);
    await page.keyboard.press('?');
    expect(await page.locator('dialog.sheet').innerText()).toContain('one sample back');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.sheet').isVisible()).toBe(false);
    await done(run);
  });

  it('reach every control, which all have names', async () => {
    const run = await openRun(ball());
    const nameless = await run.page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, [role=button]')]
        .filter((element) => {
          const text =
            element.getAttribute('aria-label') ||
            element.textContent?.trim() ||
            element.closest('label')?.textContent?.trim();
          return !text;
        })
        .map((element) => element.outerHTML),
    );
    expect(nameless).toEqual([]);
    await done(run);
  });
});

describe('light', () => {
  it('is as the system prefers, and changes by a key', async () => {
    for (const [scheme, other] of [
      ['dark', 'light'],
      ['light', 'dark'],
    ] as const) {
      const run = await openRun(pendulum(), { colorScheme: scheme });
      const now = () => run.page.evaluate(() => document.documentElement.dataset.theme);
      expect(await now()).toBe(scheme);
      await run.page.screenshot({ path: `${PICTURES}${scheme}.png` });
      await run.page.keyboard.press('d');
      expect(await now()).toBe(other);
      await done(run);
    }
  });
});

describe('a narrow screen', () => {
  it('has everything within its width', async () => {
    const run = await openRun(ball(), { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const { page } = run;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('header *, .transport *, .right-head *')]
        .filter((element) => element.getClientRects().length > 0 && element.getBoundingClientRect().right > 398)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(beyond).toEqual([]);
    await page.screenshot({ path: `${PICTURES}narrow.png` });
    await page.getByRole('button', { name: 'Steps' }).click();
    await expect.poll(() => page.locator('.steps .u-over').first().isVisible()).toBe(true);
    await page.screenshot({ path: `${PICTURES}narrow-steps.png` });
    await done(run);
  });
});

describe('a run that goes on', () => {
  it('grows, is followed to its end until somebody scrubs, and ends', async () => {
    const lines = text(ball()).split('\n').filter(Boolean);
    let client: ServerResponse | null = null;
    const server: Server = createServer((request, response) => {
      if (request.url === '/t0ken/') return void response.setHeader('content-type', 'text/html').end(BUILT);
      if (request.url !== '/t0ken/stream') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      client = response;
      response.write(`${lines[0]}\n${lines[1]}\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t0ken/`;
    const run = await open(address, {}, false);
    const { page } = run;
    const state = () => page.evaluate(() => [window.kinegraph.frames, window.kinegraph.time]);
    await page.evaluate(() => window.kinegraph.ready);
    expect(await state()).toEqual([40, 0.78]);
    expect(await page.locator('.status').innerText()).toContain('running');
    client!.write(`${lines[2]}\n`);
    await expect.poll(async () => (await state())[0]).toBe(80);
    expect((await state())[1]).toBeCloseTo(1.58, 9);
    await page.evaluate(() => window.kinegraph.setTime(0.3));
    client!.write(`${lines.slice(3).join('\n')}\n`);
    client!.end();
    await page.evaluate(() => window.kinegraph.finished);
    expect(await state()).toEqual([101, 0.3]);
    await expect.poll(() => page.locator('.status').innerText()).toContain('done');
    expect(run.asked).toEqual([`${address}stream`]);
    run.asked.length = 0;
    await done(run);
    server.close();
  });
});
