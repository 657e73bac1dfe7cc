/** Reads a stream into a recording without holding up the page. */

import { lines } from './lines';
import type { Recording } from './recording';

/** The longest that lines are read in one go [ms]. */
const TURN = 40;

function pause(): Promise<void> {
  return new Promise((resolve) => {
    // Messages come at once; timers wait for at least 4 ms.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}

/**
 * Reads to the end. A stream that breaks off ends the run where it is, and says so; one of another version is not read
 * (`recording.refusal`).
 */
export async function follow(recording: Recording, bytes: ReadableStream<Uint8Array>): Promise<void> {
  let number = 0;
  let turn = performance.now();
  let fault = '';
  recording.refusal = '';
  try {
    for await (const line of lines(bytes)) {
      recording.take(line, ++number);
      if (recording.refusal) return;
      if (performance.now() - turn > TURN) {
        await pause();
        turn = performance.now();
      }
    }
  } catch (error) {
    fault = `: ${(error as Error).message}`;
  }
  if (recording.running) {
    recording.brokeOff = true;
    const message = `the stream of the run broke off${fault}; the program was stopped, or the file is cut off`;
    recording.end.set({ status: 'stopped', message, time: recording.reached, summary: '' });
  }
}
