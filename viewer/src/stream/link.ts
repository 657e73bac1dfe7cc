/** Commands of the page to a live run. */

import { Signal } from '../shared/signal';
import type { Act, Command } from './schema.generated';
import { besides } from './source';

/** The way to the program. Commands are sent one after another, in their order. */
export class Link {
  /** Why the last command did not arrive; empty if it did. */
  readonly fault = new Signal('');
  private waiting: Command[] = [];
  private busy = false;

  send(command: Command): void {
    const last = this.waiting[this.waiting.length - 1];
    // Of moves that wait, the last one counts.
    if (last && samePlace(last, command)) this.waiting.pop();
    this.waiting.push(command);
    if (!this.busy) void this.work();
  }

  do(act: Act): void {
    this.send({ command: 'do', do: act });
  }

  private async work(): Promise<void> {
    this.busy = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      try {
        const answer = await fetch(besides(window.location, 'command'), {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(next),
        });
        this.fault.set(answer.ok ? '' : `the program answered ${answer.status}`);
      } catch {
        this.fault.set('the program does not answer');
      }
    }
    this.busy = false;
  }
}

function samePlace(a: Command, b: Command): boolean {
  if (a.command !== 'do' || b.command !== 'do' || a.do.act !== b.do.act) return false;
  switch (a.do.act) {
    case 'drag':
      return true;
    case 'place':
      return a.do.channel === (b.do as typeof a.do).channel;
    case 'tune':
      return a.do.path === (b.do as typeof a.do).path;
    case 'operate':
      return a.do.block === (b.do as typeof a.do).block;
    case 'feed':
      return a.do.input === (b.do as typeof a.do).input;
    default:
      return false;
  }
}
