/** Keys, and the sheet that lists them. */

import { h } from '../shared/dom';

export interface Key {
  keys: string[];
  /** How the sheet writes them. */
  shown: string;
  does: string;
  group: string;
  run: (event: KeyboardEvent) => void;
}

export class Keyboard {
  readonly sheet: HTMLDialogElement;

  constructor(private readonly keys: Key[]) {
    const groups = [...new Set(keys.map((key) => key.group))];
    const table = groups.map((group) =>
      h(
        'section',
        {},
        h('h3', {}, group),
        h(
          'dl',
          {},
          ...keys
            .filter((key) => key.group === group)
            .flatMap((key) => [
              h('dt', {}, ...key.shown.split(' ').flatMap((one, i) => [i > 0 ? ' ' : '', h('kbd', {}, one)])),
              h('dd', {}, key.does),
            ]),
        ),
      ),
    );
    const close = h(
      'button',
      { type: 'button', class: 'small', onclick: () => this.sheet.close() },
      'Close ',
      h('kbd', {}, 'Esc'),
    );
    this.sheet = h(
      'dialog',
      { class: 'sheet', 'aria-label': 'keys' },
      h('div', { class: 'sheet-head' }, h('h2', {}, 'Keys'), close),
      h('div', { class: 'sheet-body' }, ...table),
      h(
        'p',
        { class: 'hint' },
        'On plots and steps: click sets the time, drag zooms, Shift and drag scrubs, the wheel zooms (with Ctrl where it would scroll), a double click shows the whole run. In the scene: drag turns, right drag moves, the wheel zooms, a click selects a body.',
      ),
    );
    document.body.append(this.sheet);
    // A click beside the sheet closes it.
    this.sheet.addEventListener('click', (event) => event.target === this.sheet && this.sheet.close());
    window.addEventListener('keydown', (event) => this.press(event));
  }

  toggleSheet(): void {
    if (this.sheet.open) this.sheet.close();
    else this.sheet.showModal();
  }

  private press(event: KeyboardEvent): void {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.defaultPrevented &&
        event.key !== 'ArrowLeft' &&
        event.key !== 'ArrowRight' &&
        event.key !== 'Home' &&
        event.key !== 'End')
    )
      return;
    const target = event.target as HTMLElement;
    const writes = target.matches('input[type=search], input[type=text], textarea, select');
    if (writes) return;
    // Space and Enter activate the focused button.
    if (
      (event.key === ' ' || event.key === 'Enter') &&
      target.closest('button, summary, input[type=checkbox], [role=button]')
    )
      return;
    if (this.sheet.open && event.key !== '?') return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = this.keys.find((one) => one.keys.includes(name));
    if (!key) return;
    event.preventDefault();
    key.run(event);
  }
}
