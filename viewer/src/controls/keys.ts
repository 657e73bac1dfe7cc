/** Actions of the keys. */

import type { ChannelTree } from '../plots/channel_tree';
import type { TimeWindow } from '../plots/time_window';
import type { Clock } from '../playback/clock';
import type { SceneView } from '../scene/view';
import type { Signal } from '../shared/signal';
import type { Strip } from '../steps/strip';
import type { Recording } from '../stream/recording';
import type { Theme } from '../theme/theme';
import type { Key } from './keyboard';
import type { Layout } from './layout';

/** The parts of the page that keys act on. */
export interface KeyTargets {
  readonly recording: Recording;
  readonly clock: Clock;
  readonly layout: Layout;
  readonly window: TimeWindow;
  readonly theme: Theme;
  readonly strip: Strip;
  /** `null` where there is no scene. */
  readonly view: SceneView | null;
  readonly tree: ChannelTree | null;
}

export function keysOf(page: KeyTargets, help: () => void): Key[] {
  const { clock, layout, window: range } = page;
  const options = page.view?.options;
  const flip = (signal: Signal<boolean> | undefined) => () => signal?.set(!signal.value);
  const next =
    <T>(signal: Signal<T> | undefined, values: NoInfer<T>[]) =>
    () =>
      signal?.set(values[(values.indexOf(signal.value) + 1) % values.length]);
  const time: Omit<Key, 'group'>[] = [
    { keys: [' '], shown: 'Space', does: 'play or pause', run: () => clock.toggle() },
    {
      keys: ['ArrowLeft'],
      shown: '←',
      does: 'one sample back (Shift: ten)',
      run: (event) => clock.step(event.shiftKey ? -10 : -1),
    },
    {
      keys: ['ArrowRight'],
      shown: '→',
      does: 'one sample on (Shift: ten)',
      run: (event) => clock.step(event.shiftKey ? 10 : 1),
    },
    { keys: ['Home'], shown: 'Home', does: 'the start', run: () => clock.set(page.recording.from) },
    {
      keys: ['End'],
      shown: 'End',
      does: 'the end; of a run that goes on, follow it',
      run: () => (page.recording.running ? clock.follow() : clock.set(page.recording.reached)),
    },
    {
      keys: ['[', ']'],
      shown: '[ ]',
      does: 'slower, faster',
      run: (event) => clock.faster(event.key === '[' ? -1 : 1),
    },
    { keys: ['l'], shown: 'L', does: 'loop', run: flip(clock.loop) },
    {
      keys: ['n', 'p'],
      shown: 'N P',
      does: 'next, previous rejected attempt',
      run: (event) => {
        if (!page.strip.nextRejected(event.key.toLowerCase() === 'n' ? 1 : -1))
          layout.say('No attempt was rejected there.');
      },
    },
    { keys: ['0'], shown: '0', does: 'plot the whole run', run: () => range.reset() },
    {
      keys: ['+', '=', '-'],
      shown: '+ −',
      does: 'zoom the plots about the time',
      run: (event) => range.about(clock.time.value, event.key === '-' ? 1.5 : 1 / 1.5),
    },
  ];
  const scene: Omit<Key, 'group'>[] = [
    { keys: ['v'], shown: 'V', does: 'look as at the start', run: () => page.view?.resetView() },
    { keys: ['f'], shown: 'F', does: 'follow the selected body', run: () => page.view?.toggleFollow() },
    { keys: ['t'], shown: 'T', does: 'its path', run: flip(options?.path) },
    {
      keys: ['c'],
      shown: 'C',
      does: 'shapes to look at, or those that touch',
      run: next(options?.shapes, ['visual', 'collision']),
    },
    { keys: ['x'], shown: 'X', does: 'see through', run: next(options?.seeThrough, ['containers', 'all', 'none']) },
    { keys: ['a'], shown: 'A', does: 'frames (axes)', run: next(options?.frames, ['none', 'models', 'bodies']) },
    { keys: ['k'], shown: 'K', does: 'contact forces', run: flip(options?.contacts) },
    { keys: ['b'], shown: 'B', does: 'rods of bodies without shapes', run: flip(options?.bones) },
    { keys: ['g'], shown: 'G', does: 'desired motion', run: flip(options?.ghosts) },
    { keys: ['h'], shown: 'H', does: 'shadows', run: flip(options?.shadows) },
  ];
  const general: Omit<Key, 'group'>[] = [
    {
      keys: ['s'],
      shown: 'S',
      does: 'scene or diagram',
      run: () =>
        page.recording.begin.value?.blocks && page.view && layout.show(layout.view === 'scene' ? 'diagram' : 'scene'),
    },
    {
      keys: ['/'],
      shown: '/',
      does: 'search channels',
      run: () => {
        layout.toggleDrawer(true);
        page.tree?.search.focus();
      },
    },
    { keys: ['o'], shown: 'O', does: 'what is drawn', run: () => layout.openPanel('display') },
    { keys: ['i'], shown: 'I', does: 'the run in words', run: () => layout.openPanel('run') },
    { keys: ['d'], shown: 'D', does: 'dark or light', run: () => page.theme.toggle() },
    { keys: ['?'], shown: '?', does: 'this sheet', run: help },
    {
      keys: ['Escape'],
      shown: 'Esc',
      does: 'close panels, select nothing',
      run: () => {
        if (!layout.closeAll()) page.view?.selected.set(-1);
        page.strip.select(-1);
      },
    },
  ];
  const grouped = (group: string, keys: Omit<Key, 'group'>[]) => keys.map((key) => ({ ...key, group }));
  return [...grouped('Time', time), ...(page.view ? grouped('Scene', scene) : []), ...grouped('Page', general)];
}
