/**
 * Which channels are plotted before the reader has chosen: positions first, channels of a kind together, and of a kind
 * those that move most. What does not move is plotted where nothing else is.
 */

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

/** Prefix of the name of a channel of another run (`before: plant.arm.q`). */
export const BESIDE = /^[^:]+: /;

/** The kind of a channel, by which channels are grouped: the last part of the name, without numbers. */
function kindOf(channel: ChannelFacts): string {
  const plain = channel.name.replace(/\[\d+\]/g, '');
  return plain.slice(plain.lastIndexOf('.') + 1).replace(/\d+$/, '');
}

/** A channel that moves by less than this part of the one of its kind that moves most is at rest. */
const REST_FRACTION = 1e-6;

/** The channels of a kind that are plotted, in their order: the `count` that move most. */
function moving(members: number[], range: (channel: number) => number, count: number): number[] {
  const ranges = members.map(range);
  const rest = Math.max(0, ...ranges) * REST_FRACTION;
  const ranked = members.map((_, k) => k).sort((a, b) => ranges[b] - ranges[a] || a - b);
  const kept = ranked.filter((k) => ranges[k] > rest).slice(0, count);
  return (kept.length > 0 ? kept : ranked.slice(0, count)).sort((a, b) => a - b).map((k) => members[k]);
}

/** `range` says by how much a channel moves, as far as that is known; 0 where it is not. */
export function suggest(channels: readonly ChannelFacts[], range: (channel: number) => number = () => 0): number[][] {
  const groups = new Map<string, { rank: number; members: number[] }>();
  channels.forEach((channel, i) => {
    const kind = kindOf(channel);
    // A plot of the parts of a quaternion is hard to read.
    if (/^q[wxyz]$/.test(kind)) return;
    // A channel of another run is plotted with the one of this run.
    if (BESIDE.test(channel.name)) return;
    const key = `${channel.unit} ${kind}`;
    const at = FIRST.indexOf(kind);
    const group = groups.get(key) ?? { rank: at < 0 ? FIRST.length : at, members: [] };
    group.members.push(i);
    groups.set(key, group);
  });
  const moves = ({ members }: { members: number[] }) => Number(members.some((channel) => range(channel) > 0));
  const ranked = [...groups.values()].sort((a, b) => moves(b) - moves(a) || a.rank - b.rank);
  const beside = new Map<string, number[]>();
  channels.forEach(({ name }, i) => {
    const own = name.replace(BESIDE, '');
    if (own !== name && !name.startsWith('difference: ')) beside.set(own, [...(beside.get(own) ?? []), i]);
  });
  const most = beside.size > 0 ? Math.ceil(WIDE / 2) : WIDE;
  const chosen = ranked
    .slice(0, PLOTS)
    .map(({ members }) => moving(members, range, most).flatMap((i) => [i, ...(beside.get(channels[i].name) ?? [])]));
  return chosen.length > 0 || channels.length === 0 ? chosen : [[0]];
}
