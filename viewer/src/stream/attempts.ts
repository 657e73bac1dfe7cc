/** Every attempt at a step, in columns. */

import { Growing } from './growing';
import { OUTCOMES as KNOWN_OUTCOMES, type RecordedAttempt } from './schema.generated';

/** Outcomes of the schema, and one for any other. */
export const OUTCOMES = [...KNOWN_OUTCOMES, 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Attempt {
  index: number;
  time: number;
  h: number;
  outcome: Outcome;
  /** Name of the outcome in the stream, if the page does not know it. */
  word: string;
  error: number | null;
  worst: string;
  iterations: number;
  contacts: number;
  /** The rule that asked for another attempt; empty if none did. */
  rule: string;
}

export class Attempts {
  readonly times = new Growing(Float64Array);
  readonly lengths = new Growing(Float64Array);
  readonly outcomes = new Growing(Uint32Array);
  /** NaN without an estimate. */
  readonly errors = new Growing(Float64Array);
  readonly iterations = new Growing(Float64Array);
  readonly contacts = new Growing(Float64Array);
  private readonly worst = new Growing(Uint32Array);
  private readonly rules: string[] = [];
  private readonly words: string[] = [];
  private readonly wordIndex = new Map<string, number>();
  private readonly unknown = new Map<number, string>();
  /** How many there are of each outcome. */
  readonly counts = new Uint32Array(OUTCOMES.length);
  smallest = Infinity;
  largest = 0;

  get length(): number {
    return this.times.length;
  }

  /** Adds a row; throws where it is none. */
  push(row: RecordedAttempt): void {
    const [time, h, word, error, worst, iterations, contacts, rule] = row;
    if (!Array.isArray(row) || typeof time !== 'number' || typeof h !== 'number') throw new Error('not an attempt');
    let outcome = OUTCOMES.indexOf(word as Outcome);
    if (outcome < 0) {
      outcome = OUTCOMES.length - 1;
      this.unknown.set(this.length, String(word));
    }
    this.times.push(time);
    this.lengths.push(h);
    this.outcomes.push(outcome);
    this.errors.push(error ?? NaN);
    this.iterations.push(iterations ?? 0);
    this.contacts.push(contacts ?? 0);
    this.worst.push(this.word(worst ?? ''));
    this.rules.push(rule ?? '');
    this.counts[outcome]++;
    if (h > 0) {
      this.smallest = Math.min(this.smallest, h);
      this.largest = Math.max(this.largest, h);
    }
  }

  get rejected(): number {
    return this.length - this.counts[0];
  }

  at(index: number): Attempt {
    const error = this.errors.data[index];
    const outcome = OUTCOMES[this.outcomes.data[index]];
    return {
      index,
      time: this.times.data[index],
      h: this.lengths.data[index],
      outcome,
      word: this.unknown.get(index) ?? outcome,
      error: Number.isNaN(error) ? null : error,
      worst: this.words[this.worst.data[index]],
      iterations: this.iterations.data[index],
      contacts: this.contacts.data[index],
      rule: this.rules[index],
    };
  }

  /** The coordinates that limit the steps, most often first: how often each was the worst of an attempt. */
  limits(): { name: string; count: number }[] {
    const counts = new Uint32Array(this.words.length);
    for (let i = 0; i < this.length; i++) counts[this.worst.data[i]]++;
    const named = this.words.map((name, i) => ({ name, count: counts[i] })).filter((row) => row.name !== '');
    return named.sort((a, b) => b.count - a.count);
  }

  private word(text: string): number {
    let index = this.wordIndex.get(text);
    if (index === undefined) {
      index = this.words.push(text) - 1;
      this.wordIndex.set(text, index);
    }
    return index;
  }
}
