/** Options for the parts of the scene that are drawn. */

import { Signal } from '../shared/signal';

export type SeeThrough = 'containers' | 'all' | 'none';
export type FrameChoice = 'none' | 'models' | 'bodies';

export interface Options {
  shapes: Signal<'visual' | 'collision'>;
  seeThrough: Signal<SeeThrough>;
  frames: Signal<FrameChoice>;
  contacts: Signal<boolean>;
  /** Factor on the length of arrows. */
  forceScale: Signal<number>;
  ghosts: Signal<boolean>;
  bones: Signal<boolean>;
  shadows: Signal<boolean>;
  grid: Signal<boolean>;
  constraints: Signal<boolean>;
  path: Signal<boolean>;
  scans: Signal<boolean>;
}

export function defaults(): Options {
  return {
    shapes: new Signal<'visual' | 'collision'>('visual'),
    seeThrough: new Signal<SeeThrough>('containers'),
    frames: new Signal<FrameChoice>('none'),
    contacts: new Signal(true),
    forceScale: new Signal(1),
    ghosts: new Signal(true),
    bones: new Signal(true),
    shadows: new Signal(true),
    grid: new Signal(true),
    constraints: new Signal(true),
    path: new Signal(false),
    scans: new Signal(true),
  };
}
