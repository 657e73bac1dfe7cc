/** A headless browser with pages of recordings in it, no network, and every fault of a page noticed. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { fill, type Line } from '../synthetic';

export const BUILT = readFileSync(new URL('../../dist/index.html', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'kinegraph-page-'));
let browser: Browser | null = null;

/** Software rendering, and none of the browser's own errands. */
const FLAGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Only the scene is drawn as if there were a graphics processor: with text and plots a frame costs 80 ms more.
  '--disable-gpu-rasterization',
  '--disable-accelerated-2d-canvas',
  // A busy machine is slow, and what draws is not to be ended for it.
  '--disable-gpu-watchdog',
];

/** How long the browser may take for anything [ms]. */
const TIMEOUT = 120_000;

export async function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser ??= await chromium.launch({ executablePath, args: FLAGS, timeout: TIMEOUT });
  return browser;
}

export async function close(): Promise<void> {
  await browser?.close();
  browser = null;
  rmSync(folder, { recursive: true, force: true });
}

/** Closes what a test that failed left open: it would slow the next. */
export async function leave(): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}

export interface Opened {
  page: Page;
  /** Addresses that the page asked for, besides itself. */
  asked: string[];
  faults: string[];
}

/**
 * A page at an address; what it asks of the network is noted, and refused if it is not to be. `first` is a script that
 * runs before those of the page.
 */
export async function open(
  address: string,
  options: BrowserContextOptions = {},
  offline = true,
  first = '',
): Promise<Opened> {
  const context = await (
    await launch()
  ).newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', ...options });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  if (first) await page.addInitScript(first);
  const [asked, faults]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.route('**/*', (route) => {
    const url = route.request().url();
    // The page as it was built last, in place of the one that the program was built with.
    if (url === address && process.env.KINEGRAPH_PAGE === 'dist' && url.startsWith('http'))
      return route.fulfill({ body: BUILT, contentType: 'text/html' });
    if (url === address) return route.continue();
    if (!url.startsWith('data:')) asked.push(url);
    return offline ? route.abort() : route.continue();
  });
  await page.goto(address);
  return { page, asked, faults };
}

/**
 * Waits for frames of the page: what a change of it sets going is done with the second, what that does with the third.
 */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  });
}

let files = 0;

/** The file of a finished run, opened from disk. */
export async function openRun(lines: Line[] | string, options: BrowserContextOptions = {}): Promise<Opened> {
  const opened = await openRecording(lines, options);
  await opened.page.evaluate(() => window.kinegraph.ready);
  return opened;
}

/** A page with a recording that it may refuse. */
export async function openRecording(lines: Line[] | string, options: BrowserContextOptions = {}): Promise<Opened> {
  const file = join(folder, `run${files++}.html`);
  writeFileSync(file, fill(BUILT, lines));
  return open(pathToFileURL(file).href, options);
}

/** Closes a page that has to have been without faults. */
export async function done({ page, asked, faults }: Opened): Promise<void> {
  expect(faults).toEqual([]);
  expect(asked).toEqual([]);
  await page.context().close();
}

/** Where the pixels of the scene are that a test of colours picks: count and centre, in CSS pixels. */
export function pixels(page: Page, test: string): Promise<{ count: number; x: number; y: number; colors: number }> {
  return page.evaluate((source) => {
    const matches = new Function('r', 'g', 'b', 'a', `return ${source}`) as (
      r: number,
      g: number,
      b: number,
      a: number,
    ) => boolean;
    const canvas = document.querySelector<HTMLCanvasElement>('.scene-host canvas')!;
    window.kinegraph.draw();
    // In the same task: afterwards the browser may clear what was drawn.
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext('2d')!;
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    const scale = canvas.clientWidth / canvas.width;
    const colors = new Set<number>();
    let [count, x, y] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      if (!matches(data[i], data[i + 1], data[i + 2], data[i + 3])) continue;
      const at = i / 4;
      count++;
      x += (at % copy.width) + 0.5;
      y += Math.floor(at / copy.width) + 0.5;
    }
    return { count, x: (x / count) * scale, y: (y / count) * scale, colors: colors.size };
  }, test);
}
