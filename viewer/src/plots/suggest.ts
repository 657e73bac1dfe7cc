/** Which channels are plotted before anybody has chosen: positions first, channels of a kind together. */

import type { Channel } from '../stream/types';

/** Most in one plot, and most plots. */
const [WIDE, PLOTS] = [7, 3];
/** Kinds that tell most, by the last part of the name without its number. */
const FIRST = [
  'q',
  'z',
  'y',
  'x',
  'position',
  'height',
  'temperature',
  'theta',
  'angle',
  'force',
  'effort',
  'generalized_force',
  'output',
  'distance',
  'speed',
  'v',
  'vz',
  'vx',
];

/** What channels have in common that are compared: the last part of the name, without numbers. */
function kindOf(channel: Channel): string {
  const plain = channel.name.replace(/\[\d+\]/g, '');
  return plain.slice(plain.lastIndexOf('.') + 1).replace(/\d+$/, '');
}

export function suggest(channels: readonly Channel[]): number[][] {
  const groups = new Map<string, { rank: number; members: number[] }>();
  channels.forEach((channel, i) => {
    const kind = kindOf(channel);
    // Parts of a quaternion say little to the eye.
    if (/^q[wxyz]$/.test(kind)) return;
    const key = `${channel.unit} ${kind}`;
    const at = FIRST.indexOf(kind);
    const group = groups.get(key) ?? { rank: at < 0 ? FIRST.length : at, members: [] };
    group.members.push(i);
    groups.set(key, group);
  });
  const ranked = [...groups.values()].sort((a, b) => a.rank - b.rank);
  const chosen = ranked.slice(0, PLOTS).map((group) => group.members.slice(0, WIDE));
  return chosen.length > 0 || channels.length === 0 ? chosen : [[0]];
}
