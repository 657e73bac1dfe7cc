/** Interface of the page for tests and scripts: `window.kinegraph`. */

import type { Page } from './page';
import type { Attempt } from './stream/attempts';

export interface Api {
  /** The first sample is drawn; of a recording, all of it is read. */
  ready: Promise<void>;
  /** When the page was ready, since it began to load [ms]. */
  readonly readyAfter: number;
  /** The stream has ended. */
  finished: Promise<void>;
  readonly time: number;
  readonly end: number;
  /** How many samples there are. */
  readonly frames: number;
  readonly attempts: number;
  /** Names of the channels. */
  readonly channels: string[];
  setTime(t: number): void;
  play(): void;
  pause(): void;
  /** Where the origin of a body is drawn [CSS pixels of the canvas]. */
  project(plant: string, body: string): [number, number];
  /** The value of a channel at a time. */
  value(channel: string, t: number): number;
  attempt(index: number): Attempt;
  /** Where the mark of an attempt is [CSS pixels of the window]. */
  attemptPlace(index: number): [number, number];
  /** Draws now, so that pixels can be read. */
  draw(): void;
  /** JavaScript's time of the last frames [ms]. */
  frameTimes(): number[];
  /** From a move of the hand to the news that it acts, before anything is drawn [ms]. */
  handAnswers(): number[];
  /** From a move of the hand to the picture that has it [ms]. */
  handDelays(): number[];
}

export function apiOf(page: Page, ready: Promise<void>, finished: Promise<void>): Api {
  const { recording, clock } = page;
  let readyAfter = NaN;
  void ready.then(() => (readyAfter = performance.now()));
  return {
    ready,
    get readyAfter() {
      return readyAfter;
    },
    finished,
    get time() {
      return clock.time.value;
    },
    get end() {
      return recording.reached;
    },
    get frames() {
      return recording.length;
    },
    get attempts() {
      return recording.attempts.length;
    },
    get channels() {
      return recording.channels.map(({ name }) => name);
    },
    setTime(t) {
      clock.pause();
      clock.set(t);
    },
    play: () => clock.play(),
    pause: () => clock.pause(),
    project(plant, body) {
      const view = page.view;
      const found =
        view?.bodies.list.findIndex(
          (entry) => entry.data.name === body && view.bodies.plants[entry.plant].name === plant,
        ) ?? -1;
      if (!view || found < 0) throw new Error(`no body ${body} of ${plant}`);
      view.show(clock.time.value);
      return view.project(found);
    },
    value(channel, t) {
      const index = recording.channels.findIndex(({ name }) => name === channel);
      if (index < 0) throw new Error(`no channel ${channel}`);
      return recording.value(index, t);
    },
    attempt: (index) => recording.attempts.at(index),
    attemptPlace: (index) => page.strip.place(index),
    draw() {
      page.view?.stage.ask();
      page.draw();
    },
    handAnswers: () => [...(page.view?.hand.answers ?? [])],
    handDelays: () => [...(page.view?.hand.delays ?? [])],
    frameTimes: () => [...page.frameTimes],
  };
}
