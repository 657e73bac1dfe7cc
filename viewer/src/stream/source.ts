/** Where the run is: in the page itself, or beside it. */

import { bytesOf } from './packed';

export interface Source {
  /** True if it is complete: a recording, not a run that goes on. */
  finished: boolean;
  /** True if a program serves it and takes commands. */
  served: boolean;
  bytes: ReadableStream<Uint8Array>;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Bytes as a stream, unpacked where they are gzip. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  const whole = new Blob([bytes]).stream();
  return isGzip(bytes) ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}

/** The recording in the page; `null` where it has none. */
export function embedded(): Source | null {
  const element = document.getElementById('kinegraph-recording');
  const text = element?.textContent?.trim() ?? '';
  if (!element || text === '') return null;
  // Tens of megabytes of text that nobody reads again.
  element.textContent = '';
  return { finished: true, served: false, bytes: streamOf(bytesOf(text)) };
}

/** Address of `name`, served beside the page, whose own address may lack the slash at its end. */
export function besides(location: { pathname: string; search: string }, name: string): string {
  const path = location.pathname;
  const last = path.slice(path.lastIndexOf('/') + 1);
  const folder = last === '' || last.includes('.') ? path.slice(0, path.length - last.length) : `${path}/`;
  return `${folder}${name}${location.search}`;
}

/** The run of the program that serves the page. */
export async function served(): Promise<Source> {
  const answer = await fetch(besides(window.location, 'stream'), { cache: 'no-store' });
  if (!answer.ok || !answer.body) throw new Error(`the program answered ${answer.status}`);
  return { finished: false, served: true, bytes: answer.body };
}
