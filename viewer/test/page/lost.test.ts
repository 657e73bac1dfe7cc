/** A browser that loses what it draws with, as one on a busy machine does: scene and film are drawn all the same. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ball } from '../scenarios';
import { text } from '../synthetic';
import { BUILT, close, done, leave, open, openRun, pixels } from './browser';

afterAll(close);
afterEach(leave);

/** Loses it, and gets it back a moment after the page has noticed. */
const LOSE = `window.lose = () => {
  const canvas = document.querySelector('.scene-host canvas');
  const lost = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
  canvas.addEventListener('webglcontextlost', () => setTimeout(() => lost.restoreContext(), 200), { once: true });
  lost.loseContext();
};`;

/** In the middle of a film: with its third frame. */
const LOSE_AT_FRAME = `${LOSE}
const fetched = window.fetch;
let frames = 0;
window.fetch = (...args) => {
  if (String(args[0]).endsWith('/picture') && ++frames === 3) window.lose();
  return fetched(...args);
};`;

describe('graphics that are lost', () => {
  it('return with the scene', async () => {
    const run = await openRun(ball());
    const { page } = run;
    await page.evaluate(LOSE);
    expect((await pixels(page, 'a > 0')).colors).toBeGreaterThan(20);
    const frames = await page.evaluate(() => window.kinegraph.frameTimes().length);
    await page.evaluate('window.lose()');
    // Nobody asks for this frame.
    await expect.poll(() => page.evaluate(() => window.kinegraph.frameTimes().length)).toBeGreaterThan(frames);
    expect((await pixels(page, 'a > 0')).colors).toBeGreaterThan(20);
    await done(run);
  });

  it('leave no frame of a film empty', async () => {
    const pictures: Buffer[] = [];
    let last = '';
    const server: Server = createServer((request, response) => {
      const type = request.headers['content-type'] ?? '';
      if (request.url === '/t0ken/') return void response.setHeader('content-type', 'text/html').end(BUILT);
      if (request.url === '/t0ken/stream') return void response.end(text(ball()));
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        if (type === 'image/png') pictures.push(Buffer.concat(parts));
        else last = `${type} ${Buffer.concat(parts)}`;
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const wish = '#picture=scene&size=160x100&film=frames&fps=5';
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t0ken/`;
    const { page } = await open(`${address}${wish}`, {}, false, LOSE_AT_FRAME);
    await expect.poll(() => last).toBe('application/x-film-end ');
    expect(pictures).toHaveLength(11);
    const colors = await page.evaluate(
      (sources) =>
        Promise.all(
          sources.map(async (source) => {
            const image = new Image();
            image.src = `data:image/png;base64,${source}`;
            await image.decode();
            const context = document.createElement('canvas').getContext('2d')!;
            context.drawImage(image, 0, 0);
            return new Set(new Uint32Array(context.getImageData(0, 0, 160, 100).data.buffer)).size;
          }),
        ),
      pictures.map((picture) => picture.toString('base64')),
    );
    expect(Math.min(...colors)).toBeGreaterThan(20);
    server.close();
  });
});
