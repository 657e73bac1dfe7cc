/** Outcome of an attempt at a step, in words. */

import { duration, number } from '../shared/format';
import type { Attempt, Outcome } from '../stream/attempts';

export const NAMES: Record<Outcome, string> = {
  accepted: 'accepted',
  inaccurate: 'too inaccurate',
  failed: 'no solution',
  not_free: 'met a contact',
  transition: 'not smooth',
  energy_gain: 'gained energy',
  unknown: 'other',
};

/** Why the attempt was taken or rejected: one sentence or two. */
export function reason(attempt: Attempt, accuracy: number | null): string {
  const { error, worst } = attempt;
  const blame = worst ? ` The worst coordinate is ${worst}.` : '';
  switch (attempt.outcome) {
    case 'accepted':
      if (error === null) return 'Accepted: the step was taken. The method has no estimate of its error.';
      if (accuracy === null) return `Accepted: its estimated error is ${number(error, 3)}.`;
      return `Accepted: its estimated error ${number(error, 3)} is ${part(error, accuracy)} the accuracy ${number(accuracy, 3)}.`;
    case 'inaccurate':
      if (error === null) return `Rejected: its error is too large.${blame}`;
      return accuracy === null
        ? `Rejected: its estimated error ${number(error, 3)} is too large.${blame}`
        : `Rejected: its estimated error ${number(error, 3)} is ${part(error, accuracy)} the accuracy ${number(accuracy, 3)}.${blame}`;
    case 'failed':
      return 'Rejected: a step of this length has no solution, or none that is finite.';
    case 'not_free':
      return 'Rejected: bodies were taken to move freely during this step, but would have met a contact or a joint stop.';
    case 'transition':
      return 'Rejected: accurate enough, but the step crosses a point where the motion is not smooth (a contact that begins or ends, a limit, slipping), which is to be located more closely.';
    case 'energy_gain':
      return 'Rejected: accurate enough, but the step gained energy that nothing gave.';
    case 'unknown':
      return `The program says "${attempt.word}" of this attempt; this page does not know the word.`;
  }
}

function part(error: number, accuracy: number): string {
  const ratio = error / accuracy;
  return `${number(ratio, ratio >= 0.1 ? 2 : 1)} times`;
}

/** The numbers of an attempt. */
export function facts(attempt: Attempt, accuracy: number | null): [string, string][] {
  const { error } = attempt;
  const ratio = error !== null && accuracy !== null ? ` (${part(error, accuracy)} the accuracy)` : '';
  return [
    ['start', `${number(attempt.time, 8)} s`],
    ['length', duration(attempt.h)],
    ['error', error === null ? 'no estimate' : `${number(error, 3)}${ratio}`],
    ['worst', attempt.worst || '–'],
    ['iterations', String(attempt.iterations)],
    ['contacts', String(attempt.contacts)],
    ...(attempt.rule ? ([['rule', attempt.rule]] as [string, string][]) : []),
  ];
}
