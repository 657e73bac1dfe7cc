/** Notes on data that could not be shown, and why; each once, with its number of occurrences. */

import { Signal } from '../shared/signal';

export class Notes {
  readonly list = new Signal<readonly { text: string; times: number }[]>([]);

  add(text: string): void {
    const found = this.list.value.find((note) => note.text === text);
    const others = this.list.value.filter((note) => note !== found);
    // A stream that is broken throughout must not fill the page.
    if (!found && others.length >= 200) return;
    this.list.set([...others, { text, times: (found?.times ?? 0) + 1 }]);
  }
}
