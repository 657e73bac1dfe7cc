/** Dark and light: what the reader's system prefers, unless the switch says otherwise. */

import { Signal } from '../shared/signal';

export type Choice = 'system' | 'dark' | 'light';
const KEY = 'kinegraph-theme';

/** Colours that are drawn, not styled. Series are distinguished by their dashes too. */
export interface Palette {
  dark: boolean;
  text: string;
  muted: string;
  grid: string;
  accent: string;
  accepted: string;
  rejected: string;
  /** Limits of requirements, and those of a requirement that is violated. */
  limit: string;
  violated: string;
  series: string[];
  bodies: string[];
  staticBody: string;
  bone: string;
  ghost: string;
  contact: string;
  gridLine: string;
  gridFill: string;
  belt: string;
}

const DARK: Palette = {
  dark: true,
  text: '#e7ebf0',
  muted: '#98a3b3',
  grid: '#262d38',
  accent: '#62aeff',
  accepted: '#4f9ad6',
  rejected: '#ff9a57',
  limit: '#98a3b3',
  violated: '#ff7a6b',
  series: ['#62aeff', '#ffb454', '#5fd3a5', '#ff8fa3', '#c3a6ff', '#f2e06b', '#7fe0ec', '#c9ced6'],
  bodies: ['#5b9bd5', '#e5a04b', '#58b58f', '#d9727f', '#9d86d6', '#c9b458', '#5fb6c4', '#b98a6d'],
  staticBody: '#7d8794',
  bone: '#c3cad4',
  ghost: '#8fc7ff',
  contact: '#ffb000',
  gridLine: '#8fa0b8',
  gridFill: '#1c222b',
  belt: '#f4f7fb',
};

const LIGHT: Palette = {
  dark: false,
  text: '#18202a',
  muted: '#5a6675',
  grid: '#e3e7ec',
  accent: '#0f62c4',
  accepted: '#3b82c4',
  rejected: '#c2500a',
  limit: '#5a6675',
  violated: '#c9281c',
  series: ['#1668c7', '#c26a00', '#0e8a5f', '#c7344f', '#7048c6', '#8a7500', '#0a8496', '#525c69'],
  bodies: ['#3f86c9', '#dd8f2c', '#3aa57b', '#cf5868', '#8569cf', '#b59a2c', '#3fa2b3', '#a5744f'],
  staticBody: '#a3adb9',
  bone: '#6d7886',
  ghost: '#2f7fd6',
  contact: '#d1480a',
  gridLine: '#5b6b80',
  gridFill: '#e4e9ef',
  belt: '#1c2733',
};

/** The dash of the series of a number: it distinguishes series without colour. */
export const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 4], [5, 5], [1, 5], [8, 3, 2, 3, 2, 3]];

export class Theme {
  readonly choice = new Signal<Choice>('system');
  readonly palette: Signal<Palette>;
  private readonly system = window.matchMedia('(prefers-color-scheme: dark)');

  constructor() {
    // Storage may be forbidden, as in a file opened from disk.
    try {
      const kept = localStorage.getItem(KEY);
      if (kept === 'dark' || kept === 'light') this.choice.set(kept);
    } catch {}
    this.palette = new Signal(this.now());
    this.system.addEventListener('change', () => this.apply());
    this.choice.watch((choice) => {
      try {
        localStorage.setItem(KEY, choice);
      } catch {}
      this.apply();
    });
    this.apply();
  }

  /** The other of the two. */
  toggle(): void {
    this.choice.set(this.palette.value.dark ? 'light' : 'dark');
  }

  private now(): Palette {
    const choice = this.choice.value;
    return choice === 'dark' || (choice === 'system' && this.system.matches) ? DARK : LIGHT;
  }

  private apply(): void {
    const palette = this.now();
    document.documentElement.dataset.theme = palette.dark ? 'dark' : 'light';
    this.palette.set(palette);
  }
}
