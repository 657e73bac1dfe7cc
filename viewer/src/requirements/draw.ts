/** Requirements over a plot: what a channel must not enter is hatched, with the limit as a line. */

import type uPlot from 'uplot';
import type { Recording } from '../stream/recording';
import type { RequirementFacts, RequirementReport } from '../stream/schema.generated';
import type { Palette } from '../theme/theme';
import { shapeOf, type Line, type Samples, type Shape } from './shape';

/** Most points of a channel that is a limit. */
const MAX_POINTS = 2000;
/** How much farther than its channels an axis may reach to show their limits: times what they span. */
const MAX_ROOM = 3;

/** A requirement of a channel of a plot, as far as it is seen. */
export interface Drawn {
  facts: RequirementFacts;
  report: RequirementReport | null;
  shape: Shape;
}

function samplesOf(recording: Recording): Samples {
  const find = (name: string) => recording.channels.findIndex((channel) => channel.name === name);
  return {
    at: (name, t) => recording.value(find(name), t),
    of(name, from, to) {
      const channel = find(name);
      if (channel < 0 || recording.length === 0) return null;
      const { data } = recording.times;
      const inside: number[] = [];
      for (let i = 0; i < recording.length; i++) if (data[i] > from && data[i] < to) inside.push(data[i]);
      const stride = Math.max(1, Math.ceil(inside.length / MAX_POINTS));
      const times = [from, ...inside.filter((_, i) => i % stride === 0), Math.min(to, recording.reached)];
      return { times, values: times.map((t) => recording.value(channel, t)) };
    },
  };
}

/** The requirements of some channels within a stretch of time. */
export function drawnOf(recording: Recording, channels: readonly number[], span: [number, number]): Drawn[] {
  const asked = recording.begin.value?.requirements ?? [];
  const names = new Set(channels.map((channel) => recording.channels[channel].name));
  return asked.flatMap((facts, i) => {
    const shape = names.has(facts.channel) ? shapeOf(facts, span, samplesOf(recording)) : null;
    return shape ? [{ facts, shape, report: recording.judged.value[i] ?? null }] : [];
  });
}

/** The range of an axis, so that limits are seen that are not far from what is plotted. */
export function withLimits(
  [min, max]: [number | null, number | null],
  limits: [number, number] | null,
): [number | null, number | null] {
  if (!limits || min === null || max === null) return [min, max];
  const room = MAX_ROOM * (max - min);
  const [low, high] = limits.map((x) => (room === 0 || (x >= min - room && x <= max + room) ? x : NaN));
  return [Math.min(min, Number.isNaN(low) ? min : low), Math.max(max, Number.isNaN(high) ? max : high)];
}

/** Draws requirements on a chart, below its lines. */
export function draw(u: uPlot, drawn: Drawn[], unitOf: (name: string) => string, palette: Palette): void {
  if (drawn.length === 0) return;
  const { ctx, bbox } = u;
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { facts, shape, report } of drawn) {
    const scale = unitOf(facts.channel);
    const color = report?.verdict === 'violated' ? palette.violated : palette.limit;
    const path = ({ times, values }: Line) =>
      times.map((t, i): [number, number] => [u.valToPos(t, 'x', true), u.valToPos(values[i], scale, true)]);
    // Lines of the hatching may not lie on the border of a pixel, and never leave the stretch of time.
    const forbid = (line: Line, edge: number) => {
      const points = path(line).filter(([, y]) => Number.isFinite(y));
      if (points.length === 0) return;
      const [first, last] = [points[0][0], points[points.length - 1][0]];
      ctx.beginPath();
      for (const [x, y] of points) ctx.lineTo(x, y);
      ctx.lineTo(last, edge);
      ctx.lineTo(first, edge);
      ctx.closePath();
      ctx.globalAlpha = 0.14;
      ctx.fillStyle = color;
      ctx.fill();
      stroke(points, []);
    };
    const stroke = (points: [number, number][], dash: number[]) => {
      ctx.beginPath();
      for (const [x, y] of points) ctx.lineTo(x, y);
      ctx.globalAlpha = 0.9;
      ctx.strokeStyle = color;
      ctx.lineWidth = 1.2 * pixel;
      ctx.setLineDash(dash.map((x) => x * pixel));
      ctx.stroke();
      ctx.setLineDash([]);
    };
    for (const line of shape.above) forbid(line, bbox.top + bbox.height);
    for (const line of shape.below) forbid(line, bbox.top);
    if (shape.reaches) {
      const points = path(shape.reaches);
      stroke(points, [5, 4]);
      // The end of its time.
      const [x, y] = points[points.length - 1];
      if (facts.until !== null)
        stroke(
          [
            [x, y - 7 * pixel],
            [x, y + 7 * pixel],
          ],
          [],
        );
    }
    const at = report?.violated_at;
    if (typeof at === 'number') {
      const x = u.valToPos(at, 'x', true);
      ctx.globalAlpha = 1;
      ctx.fillStyle = color;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top + 8 * pixel);
      ctx.lineTo(x - 4.5 * pixel, bbox.top);
      ctx.lineTo(x + 4.5 * pixel, bbox.top);
      ctx.closePath();
      ctx.fill();
      stroke(
        [
          [x, bbox.top],
          [x, bbox.top + bbox.height],
        ],
        [2, 4],
      );
    }
  }
  ctx.restore();
}
