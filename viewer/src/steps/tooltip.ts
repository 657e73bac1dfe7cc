/** The description of an attempt, beside the pointer. */

import { h } from '../shared/dom';
import type { Attempt } from '../stream/attempts';
import { NAMES, facts, reason } from './words';

export class Tooltip {
  readonly element = h('div', { class: 'tooltip', role: 'tooltip', id: 'attempt-tooltip', hidden: true });

  constructor() {
    document.body.append(this.element);
  }

  /** Beside a point of the window, inside it. */
  show(attempt: Attempt, accuracy: number | null, x: number, y: number): void {
    const rows = facts(attempt, accuracy).flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, value)]);
    const accepted = attempt.outcome === 'accepted';
    this.element.replaceChildren(
      h(
        'strong',
        { class: accepted ? 'good' : 'bad' },
        `Attempt ${attempt.index + 1}: ${accepted ? 'accepted' : `rejected, ${NAMES[attempt.outcome]}`}`,
      ),
      h('p', {}, reason(attempt, accuracy)),
      h('dl', {}, ...rows),
    );
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
    this.element.style.left = `${Math.max(6, Math.min(left, innerWidth - width - 6))}px`;
    this.element.style.top = `${Math.max(6, Math.min(y - height - 12, innerHeight - height - 6))}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
