/** Signals of `operator_input` blocks, which a person moves by gamepad, keys and sliders. */

import { h } from '../shared/dom';
import { number } from '../shared/format';
import { Signal } from '../shared/signal';
import type { Link } from '../stream/link';
import type { OperatorControl, OperatorSignal } from '../stream/schema.generated';

/** Smaller changes of a stick are not sent: sticks tremble. */
const MIN_DEFLECTION = 1 / 256;

/** The name of a key as diagram files have it. */
function nameOf(event: KeyboardEvent): string {
  if (event.key === ' ') return 'Space';
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input[type=search], input[type=text], textarea, select');
}

/** Deflection of a signal from all its sources: of several, the farthest counts. */
export function deflection(signal: OperatorSignal, pads: (Gamepad | null)[], keys: Set<string>, slid: number): number {
  const [first, second] = signal.keys.map((key) => key.toLowerCase());
  const pressed = (key: string | undefined) => (key !== undefined && keys.has(key) ? 1 : 0);
  const values = [slid, second === undefined ? pressed(first) : pressed(second) - pressed(first)];
  for (const pad of pads) {
    if (!pad?.connected) continue;
    if (signal.axis !== null) values.push(pad.axes[signal.axis - 1] ?? 0);
    if (signal.button !== null) values.push(pad.buttons[signal.button - 1]?.value ?? 0);
  }
  const farthest = values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  return Math.round(Math.max(-1, Math.min(1, farthest)) / MIN_DEFLECTION) * MIN_DEFLECTION;
}

interface Moved {
  control: OperatorControl;
  /** Values of the sliders. */
  slid: number[];
  /** Values that were sent last. */
  sent: Signal<number[]>;
}

export class Operator {
  private readonly moved: Moved[];
  private readonly keys = new Set<string>();
  private readonly claimed: Set<string>;
  /** The gamepad that is read; empty if there is none. */
  readonly pad = new Signal('');

  constructor(
    controls: OperatorControl[],
    private readonly link: Link,
  ) {
    const still = (control: OperatorControl) => control.signals.map(() => 0);
    this.moved = controls.map((control) => ({ control, slid: still(control), sent: new Signal(still(control)) }));
    const keys = controls.flatMap(({ signals }) => signals.flatMap((signal) => signal.keys));
    this.claimed = new Set(keys.map((key) => key.toLowerCase()));
    // Before the keys of the page: a key that moves something does nothing else.
    window.addEventListener('keydown', (event) => this.key(event, true), { capture: true });
    window.addEventListener('keyup', (event) => this.key(event, false), { capture: true });
    window.addEventListener('blur', () => this.keys.clear());
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const name = nameOf(event).toLowerCase();
    if (!this.claimed.has(name) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (down && writes(event.target)) return;
    if (down) this.keys.add(name);
    else this.keys.delete(name);
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Reads gamepads and keys, once a frame, and sends what has changed. */
  look(): void {
    if (this.moved.length === 0) return;
    const pads = navigator.getGamepads?.() ?? [];
    this.pad.set([...pads].find((pad) => pad?.connected)?.id ?? '');
    for (const { control, slid, sent } of this.moved) {
      const values = control.signals.map((signal, i) => deflection(signal, [...pads], this.keys, slid[i]));
      if (values.every((value, i) => value === sent.value[i])) continue;
      sent.set(values);
      this.link.do({ act: 'operate', block: control.block, values });
    }
  }

  /** Sliders that spring back, with what moves each signal. */
  panel(): HTMLElement[] {
    if (this.moved.length === 0) return [];
    const pad = h('p', { class: 'hint' });
    this.pad.follow((id) => (pad.textContent = id || 'No gamepad yet: press one of its buttons.'));
    const rows = this.moved.flatMap(({ control, slid, sent }) =>
      control.signals.map((signal, i) => {
        const label = `${control.block}.${signal.name}`;
        const bar = h('input', { type: 'range', min: -1, max: 1, step: 0.02, 'aria-label': label });
        const shown = h('output', { class: 'number' });
        bar.addEventListener('input', () => (slid[i] = Number(bar.value)));
        bar.addEventListener('change', () => (slid[i] = 0));
        sent.follow((values) => {
          shown.textContent = number(values[i]);
          if (slid[i] === 0) bar.value = String(values[i]);
        });
        return h(
          'label',
          { class: 'slider', title: sources(signal) },
          h('span', { class: 'slider-name' }, h('bdi', {}, label)),
          bar,
          shown,
        );
      }),
    );
    return [pad, ...rows];
  }
}

function sources(signal: OperatorSignal): string {
  const parts = [
    signal.axis !== null && `axis ${signal.axis}`,
    signal.button !== null && `button ${signal.button}`,
    signal.keys.length > 0 && `keys ${signal.keys.join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}
