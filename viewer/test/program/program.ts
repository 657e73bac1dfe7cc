/** The program, started with a page that a browser can open. */

import { spawn, type ChildProcess } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PROGRAM, ROOT } from './franka';

/** Starts `kinegraph view`; its address is the line that is one. What it says on the way is kept. */
export function view(...args: string[]): Promise<{ child: ChildProcess; address: string; said: () => string }> {
  const child = spawn(PROGRAM, ['view', ...args, '--no-browser'], { cwd: ROOT });
  return new Promise((done, failed) => {
    let [text, errors] = ['', ''];
    child.stdout.on('data', (data) => {
      text += data;
      const address = text.split('\n').find((line) => line.startsWith('http://'));
      if (address && text.endsWith('\n')) done({ child, address, said: () => text + errors });
    });
    child.stderr.on('data', (data) => (errors += data));
    child.on('error', failed);
    child.on('exit', () => failed(new Error(`the program ended: ${text}${errors}`)));
  });
}

/** The time at which a run that was paused stands: what was under way has arrived when nothing more comes. */
export async function stands(page: Page): Promise<number> {
  const times: number[] = [];
  const rests = async () => {
    times.push(await page.evaluate(() => window.kinegraph.end));
    return times.length > 2 && times.slice(-3).every((time) => time === times.at(-1));
  };
  await expect.poll(rests, { interval: 500 }).toBe(true);
  return times.at(-1)!;
}

export function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => (child.exitCode !== null ? done() : child.on('exit', () => done())));
}
