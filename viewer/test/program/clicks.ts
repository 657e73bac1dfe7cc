/** Random clicks, drags and keys on a page, by a seed. */

import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';

/** Mulberry32: random numbers from 0 to below 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KEYS = 'abcdfghijklnopstuvx/?[]0+-'.split('');
const NAMED = ['Space', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Escape', 'Enter', 'Tab', 'PageDown'];
const TEXTS = ['0', '-1', '1e3', '1e-9', 'x', '', '0.5', '1e308', 'plant', '-0', '90'];

interface Target {
  x: number;
  y: number;
  kind: 'click' | 'slide' | 'write';
}

/** Visible elements that can be clicked, slid or written into. */
function targets(page: Page): Promise<Target[]> {
  return page.evaluate(() => {
    const seen = 'button, select, summary, input, [role=button], .channel, .body-row, canvas, svg';
    return [...document.querySelectorAll<HTMLElement>(seen)].flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const inside =
        width > 0 && height > 0 && left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0;
      if (!inside || (element as HTMLInputElement).disabled) return [];
      const type = element.getAttribute('type');
      const kind = type === 'range' ? 'slide' : type === 'text' || type === 'search' ? 'write' : 'click';
      return [{ x: left + width / 2, y: top + height / 2, kind } as Target];
    });
  });
}

/** Does random things for so many seconds. */
export async function clicks(page: Page, seed: number, seconds: number): Promise<number> {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const { width, height } = page.viewportSize()!;
  const anywhere = (): [number, number] => [next() * width, next() * height];
  const end = Date.now() + 1000 * seconds;
  let done = 0;
  while (Date.now() < end) {
    done++;
    // A page that loads anew has no elements for a moment.
    const all = await targets(page).catch(() => []);
    const what = next();
    try {
      if (what < 0.5 && all.length > 0) {
        const target = pick(all);
        if (target.kind === 'slide') {
          await page.mouse.move(target.x, target.y);
          await page.mouse.down();
          await page.mouse.move(target.x + (next() - 0.5) * 120, target.y, { steps: 3 });
          await page.mouse.up();
        } else {
          await page.mouse.click(target.x, target.y, { button: next() < 0.9 ? 'left' : 'right' });
          if (target.kind === 'write') {
            await page.keyboard.press('Control+a');
            await page.keyboard.type(pick(TEXTS));
            await page.keyboard.press(pick(['Enter', 'Escape', 'Tab']));
          }
        }
      } else if (what < 0.7) {
        const shift = next() < 0.5;
        if (shift) await page.keyboard.down('Shift');
        await page.mouse.move(...anywhere());
        await page.mouse.down();
        await page.mouse.move(...anywhere(), { steps: 5 });
        await page.mouse.up();
        if (shift) await page.keyboard.up('Shift');
      } else if (what < 0.8) {
        await page.mouse.move(...anywhere());
        await page.mouse.wheel(0, (next() - 0.5) * 800);
      } else if (what < 0.83) {
        await page.mouse.dblclick(...anywhere());
      } else await page.keyboard.press(next() < 0.7 ? pick(KEYS) : pick(NAMED));
    } catch (fault) {
      // Between two loads of the page there is nothing to do things to.
      if (!/navigat|destroyed|detached/i.test(String(fault))) throw fault;
    }
  }
  return done;
}

/** Memory that a page keeps after garbage collection, arrays included [MB]. */
export async function pageMemory(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const usage = (await cdp.send('Runtime.getHeapUsage')) as unknown as Record<string, number>;
  return ((usage.usedSize ?? 0) + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0)) / 2 ** 20;
}

/** Memory of a program [MB]. */
export function programMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}
