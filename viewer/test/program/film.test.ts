/** Films and transparent pictures that the program makes of a run, as a browser plays them. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { close, launch } from '../page/browser';
import { PROGRAM, ROOT } from './franka';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-film-'));
const FILE = 'examples/hands/hands.yaml';
const RUN_ARGS = ['--until', '0.4', '--size', '160x100'];

function view(args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; stderr: string } {
  return spawnSync(PROGRAM, ['view', FILE, ...args], { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' });
}

const source = (file: string, type: string) => `data:${type};base64,${readFileSync(file).toString('base64')}`;

describe.runIf(existsSync(PROGRAM))('a film by the program', () => {
  afterAll(close);

  it('is a WebM that plays, of the length of the run at its speed', async () => {
    const film = join(folder, 'run.webm');
    expect(view([...RUN_ARGS, '--video', film, '--fps', '20', '--speed', '0.5'])).toMatchObject({
      status: 0,
      stderr: '',
    });
    const page = await (await launch()).newPage();
    const found = await page.evaluate(
      async (source) => {
        const video = document.createElement('video');
        video.muted = true;
        video.src = source;
        await new Promise((done, failed) => {
          video.onloadeddata = done;
          video.onerror = () => failed(new Error(video.error?.message));
        });
        // Its last frame can be shown.
        video.currentTime = 0.8;
        await new Promise((done) => (video.onseeked = done));
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d')!;
        const colors = new Set<number>();
        // A busy browser says that it has sought before it has a frame to draw.
        for (let attempt = 0; attempt < 1000 && colors.size < 2; attempt++) {
          await new Promise((done) => setTimeout(done, 50));
          context.drawImage(video, 0, 0);
          const { data } = context.getImageData(0, 0, 160, 100);
          for (let i = 0; i < data.length; i += 4) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        }
        return [video.videoWidth, video.videoHeight, video.duration, colors.size];
      },
      source(film, 'video/webm'),
    );
    await page.close();
    expect(found.slice(0, 2)).toEqual([160, 100]);
    // Seventeen frames of a twentieth of a second.
    expect(found[2]).toBeCloseTo(0.85, 2);
    expect(found[3]).toBeGreaterThan(50);
  });

  it('is a GIF with a frame for each time', () => {
    const film = join(folder, 'run.gif');
    expect(view([...RUN_ARGS, '--video', film, '--fps', '10', '--follow', 'left/box'])).toMatchObject({
      status: 0,
      stderr: '',
    });
    const bytes = readFileSync(film);
    expect(bytes.subarray(0, 6).toString('latin1')).toBe('GIF89a');
    expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([160, 100]);
    // Graphic control extensions: five frames of ten hundredths of a second.
    let delays = 0;
    for (let at = 0; (at = bytes.indexOf(Buffer.of(0x21, 0xf9, 4), at)) >= 0; at++)
      delays += bytes.readUInt16LE(at + 4);
    expect(delays).toBe(50);
  });

  it('is refused with what to do about it', () => {
    const film = join(folder, 'run.mp4');
    // Without ffmpeg on the path, but with the browser.
    const browser = process.env.CHROMIUM ?? '/usr/bin/chromium';
    const missing = view([...RUN_ARGS, '--video', film], { PATH: folder, CHROMIUM: browser, FFMPEG: '' });
    expect(missing).toMatchObject({ status: 1 });
    expect(missing.stderr).toContain('an .mp4 needs ffmpeg');
    expect(missing.stderr).toContain('.webm');
    expect(existsSync(film)).toBe(false);
    const strange = view([...RUN_ARGS, '--video', join(folder, 'a.gif'), '--follow', 'nobody']);
    expect(strange).toMatchObject({ status: 1 });
    expect(strange.stderr).toContain('there is no body nobody; those that move: arm/upper');
    for (const args of [
      ['--video', 'run.avi'],
      ['--video', 'run.gif', '--fps', '0'],
      ['--video', 'run.gif', '--eye', '1,2'],
      ['--video', 'run.gif', '--screenshot', 'run.png'],
    ])
      expect(view([...args])).toMatchObject({ status: 2 });
  });

  it('is a picture with nothing behind the bodies', async () => {
    const file = join(folder, 'clear.png');
    const args = ['--until', '0.1', '--screenshot', file, '--transparent', '--size', '320x200', '--eye', '2,-2,1.5'];
    expect(view(args)).toMatchObject({ status: 0, stderr: '' });
    const page = await (await launch()).newPage();
    const [clear, full, all] = await page.evaluate(
      async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let [clear, full] = [0, 0];
        for (let i = 3; i < data.length; i += 4) {
          if (data[i] === 0) clear++;
          if (data[i] === 255) full++;
        }
        return [clear, full, data.length / 4];
      },
      source(file, 'image/png'),
    );
    await page.close();
    expect(all).toBe(320 * 200);
    expect(clear).toBeGreaterThan(0.5 * all);
    expect(full).toBeGreaterThan(0.01 * all);
  });
});
