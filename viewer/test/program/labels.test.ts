/** Labels of the block diagrams of all examples: readable at any size of the page, and none over another. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { close, drawn, leave, openRun } from '../page/browser';
import { PROGRAM, ROOT } from './franka';

const folder = mkdtempSync(join(tmpdir(), 'kinegraph-labels-'));
const PICTURES = new URL('../screenshots/', import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });
/** Size of letters on the screen, at least, and what rounding takes of it [pixels]. */
const [LEAST, ROUNDING] = [11, 0.05];
/** So many titles have room in the smaller window: a row of copies is read closer. */
const MAX_TITLES = 40;
const SIZES = [
  { width: 400, height: 800 },
  { width: 1280, height: 800 },
];

/** The diagram files of the examples. */
function examples(): string[] {
  const names = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.flatMap(({ name }) => {
    const file = `examples/${name}/${name}.yaml`;
    return existsSync(join(ROOT, file)) ? [file] : [];
  });
}

/** The lines of a run that is hardly begun. */
function stream(file: string): string {
  const html = join(folder, 'page.html');
  const short = ['--set', 'simulation.duration=1e-4', '--html', html];
  execFileSync(PROGRAM, ['view', file, ...short], { cwd: ROOT, stdio: 'pipe' });
  const packed = /<script id="kinegraph-recording" type="text\/plain">([^<]+)</.exec(readFileSync(html, 'utf8'))![1];
  return gunzipSync(Buffer.from(packed, 'base64')).toString();
}

describe.runIf(existsSync(PROGRAM))('labels of the diagram', () => {
  afterEach(leave);
  afterAll(close);

  it.each(examples())('of %s are readable and apart', async (file) => {
    // One page, whose window changes: opening it costs most of the time.
    const { page } = await openRun(stream(file), { viewport: SIZES[0] });
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      if (!(await page.locator('.diagram-host').isVisible()))
        await page.getByRole('button', { name: 'Diagram', exact: true }).click();
      await page.waitForFunction((width) => window.innerWidth === width, viewport.width);
      // As a whole, and closer.
      for (const presses of [0, 3]) {
        for (let i = 0; i < presses; i++) await page.getByRole('button', { name: 'closer', exact: true }).click();
        await drawn(page);
        const labels = await page.evaluate(() => {
          const drawing = document.querySelector<SVGSVGElement>('svg.drawing')!;
          const scale = drawing.getScreenCTM()!.a;
          return [...drawing.querySelectorAll<SVGTextElement>('text')].flatMap((text) => {
            const style = getComputedStyle(text);
            if (style.visibility === 'hidden' || !text.textContent) return [];
            const { left, right, top, bottom } = text.getBoundingClientRect();
            const size = parseFloat(style.fontSize) * scale;
            return [{ text: text.textContent, kind: text.getAttribute('class')!, size, left, right, top, bottom }];
          });
        });
        const bare = await page.evaluate(() => {
          const titles = [...document.querySelectorAll<SVGTextElement>('svg.drawing .block > text.title')];
          const seen = ({ textContent }: Element, visibility: string) =>
            visibility !== 'hidden' && /^[^…]{2}/.test(textContent ?? '');
          const unseen = titles.filter((title) => !seen(title, getComputedStyle(title).visibility));
          const names = unseen.map((title) => title.parentElement!.querySelector('title')!.textContent);
          return { names, all: titles.length };
        });
        if (bare.all <= MAX_TITLES) expect(bare.names, `blocks without a title at ${viewport.width}`).toEqual([]);
        for (const [i, a] of labels.entries()) {
          expect(a.size, a.text).toBeGreaterThan(LEAST - ROUNDING);
          for (const b of labels.slice(i + 1)) {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            // Boxes of lines reach beyond the letters.
            expect(Math.min(wide, high - 2), `${a.text} and ${b.text} at ${viewport.width}`).toBeLessThan(1);
          }
        }
      }
      const name = file.replace(/.*\//, '').replace('.yaml', '');
      await page.getByRole('button', { name: 'whole diagram', exact: true }).click();
      await page.screenshot({ path: join(PICTURES, `diagram-${name}-${viewport.width}.png`) });
    }
  });
});
