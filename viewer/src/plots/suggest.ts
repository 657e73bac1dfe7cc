/** Which channels are plotted before the reader has chosen: positions first, channels of a kind together. */

import type { ChannelFacts } from '../stream/schema.generated';

/** Most in one plot, and most plots. */
const [WIDE, PLOTS] = [7, 3];
/** The most informative kinds, by the last part of the name without its number. */
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

/** The kind of a channel, by which channels are grouped: the last part of the name, without numbers. */
function kindOf(channel: ChannelFacts): string {
  const plain = channel.name.replace(/\[\d+\]/g, '');
  return plain.slice(plain.lastIndexOf('.') + 1).replace(/\d+$/, '');
}

export function suggest(channels: readonly ChannelFacts[]): number[][] {
  const groups = new Map<string, { rank: number; members: number[] }>();
  channels.forEach((channel, i) => {
    const kind = kindOf(channel);
    // A plot of the parts of a quaternion is hard to read.
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
