/**
 * Draws attempts on the canvas of a chart. An accepted step is a filled bar over the time it took, as high as it is
 * long; a rejected attempt is a stem at its start with its mark on top and a thin line over what it tried to span.
 * Where there are more attempts than pixels, a column of pixels shows the shortest and the longest accepted step in it.
 */

import type uPlot from 'uplot';
import { OUTCOMES, type Attempts } from '../stream/attempts';
import { lastAtOrBefore } from '../stream/search';
import type { Palette } from '../theme/theme';
import { MARKS } from './marks';

export function drawSteps(u: uPlot, attempts: Attempts, palette: Palette, selected: number): void {
  const pen = u.ctx;
  const { left, top, width, height } = u.bbox;
  // A chart that has less room than its axes take.
  if (!(width > 0 && height > 0)) return;
  const ratio = window.devicePixelRatio || 1;
  const { min, max } = u.scales.x as { min: number; max: number };
  const x = (t: number) => left + ((t - min) / (max - min)) * width;
  const [low, high] = [Math.log(u.scales.h.min!), Math.log(u.scales.h.max!)];
  const y = (h: number) => top + height * (1 - (Math.log(Math.max(h, 1e-300)) - low) / (high - low));
  const bottom = top + height;
  const [times, lengths, outcomes] = [attempts.times.data, attempts.lengths.data, attempts.outcomes.data];
  const [from, to] = span(attempts, min, max);

  pen.save();
  pen.beginPath();
  // Marks on the edge are drawn whole.
  pen.rect(left - 5 * ratio, top - 5 * ratio, width + 10 * ratio, height + 10 * ratio);
  pen.clip();

  // Bars: where several share a column of pixels, from the shortest to the longest solid, below that fainter.
  const columns = Math.ceil(width) + 1;
  const dense = to - from > columns * 1.5;
  pen.fillStyle = palette.accepted;
  if (dense) {
    const shortest = new Float64Array(columns).fill(Infinity);
    const longest = new Float64Array(columns);
    for (let i = from; i < to; i++) {
      if (outcomes[i] !== 0) continue;
      const first = Math.max(0, Math.floor(x(times[i]) - left));
      const last = Math.min(columns - 1, Math.floor(x(times[i] + lengths[i]) - left));
      for (let c = first; c <= last; c++) {
        shortest[c] = Math.min(shortest[c], lengths[i]);
        longest[c] = Math.max(longest[c], lengths[i]);
      }
    }
    for (let c = 0; c < columns; c++) {
      if (longest[c] === 0) continue;
      const [a, b] = [y(longest[c]), y(shortest[c])];
      pen.globalAlpha = 0.4;
      pen.fillRect(left + c, a, 1, bottom - a);
      pen.globalAlpha = 0.95;
      pen.fillRect(left + c, a, 1, Math.max(b - a, 1.5 * ratio));
    }
  } else {
    for (let i = from; i < to; i++) {
      if (outcomes[i] !== 0) continue;
      const [a, b] = [x(times[i]), x(times[i] + lengths[i])];
      const gap = b - a > 4 * ratio ? ratio : 0;
      pen.globalAlpha = i === selected ? 0.85 : 0.42;
      pen.fillRect(a, y(lengths[i]), Math.max(b - a - gap, 1), bottom - y(lengths[i]));
      pen.globalAlpha = 1;
      pen.fillRect(a, y(lengths[i]) - ratio / 2, Math.max(b - a - gap, 1), 1.6 * ratio);
    }
  }

  pen.globalAlpha = 1;
  pen.lineJoin = 'round';
  let rejected = 0;
  for (let i = from; i < to; i++) if (outcomes[i] !== 0) rejected++;
  // Where there are many, marks are sparse and without lines, so that the steps behind them stay visible.
  const crowd = rejected * 5 * ratio > width;
  const radius = (crowd ? 3 : 4) * ratio;
  const apart = (crowd ? 9 : 2) * ratio;
  // Of marks that would cover each other one is drawn.
  const taken = new Set<number>();
  for (let i = from; i < to; i++) {
    if (outcomes[i] === 0) continue;
    const [px, py] = [x(times[i]), y(lengths[i])];
    const cell = Math.round(px / apart) * 65536 + Math.round(py / apart) * 8 + (crowd ? 0 : outcomes[i]);
    if (i !== selected && taken.has(cell)) continue;
    taken.add(cell);
    pen.strokeStyle = pen.fillStyle = palette.rejected;
    pen.lineWidth = ratio;
    pen.globalAlpha = i === selected ? 1 : 0.45;
    if (!crowd || i === selected) {
      pen.beginPath();
      pen.moveTo(px, bottom);
      pen.lineTo(px, py);
      pen.lineTo(x(times[i] + lengths[i]), py);
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.lineWidth = 1.7 * ratio;
    const mark = MARKS[OUTCOMES[outcomes[i]]];
    pen.beginPath();
    mark.trace(pen, px, py, i === selected ? radius * 1.5 : radius);
    if (mark.filled) pen.fill();
    else pen.stroke();
  }
  pen.restore();
}

/** The attempts that can be seen between two times. */
export function span(attempts: Attempts, min: number, max: number): [number, number] {
  const [times, lengths, n] = [attempts.times.data, attempts.lengths.data, attempts.length];
  let from = Math.max(0, lastAtOrBefore(times, n, min));
  // Attempts that began before and reach into what is seen.
  while (from > 0 && times[from - 1] + lengths[from - 1] > min) from--;
  return [from, lastAtOrBefore(times, n, max) + 1];
}

export type Lane = 'error' | 'iterations' | 'contacts';

/** The number of each attempt in a lane of its own: dots, rejected ones with their marks. */
export function drawLane(u: uPlot, attempts: Attempts, lane: Lane, accuracy: number | null, palette: Palette): void {
  const pen = u.ctx;
  const { left, top, width, height } = u.bbox;
  // A chart that has less room than its axes take.
  if (!(width > 0 && height > 0)) return;
  const ratio = window.devicePixelRatio || 1;
  const numbers = { error: attempts.errors, iterations: attempts.iterations, contacts: attempts.contacts }[lane].data;
  const { min, max } = u.scales.x as { min: number; max: number };
  const [from, to] = span(attempts, min, max);
  const scale = u.scales.n;
  const logarithmic = lane === 'error';
  const f = (v: number) => (logarithmic ? Math.log(Math.max(v, 1e-300)) : v);
  const [low, high] = [f(scale.min!), f(scale.max!)];
  const y = (v: number) => top + height * (1 - (f(v) - low) / (high - low));
  const x = (t: number) => left + ((t - min) / (max - min)) * width;
  pen.save();
  pen.beginPath();
  // Marks on the edge are drawn whole.
  pen.rect(left - 5 * ratio, top - 5 * ratio, width + 10 * ratio, height + 10 * ratio);
  pen.clip();
  if (logarithmic && accuracy !== null) {
    pen.strokeStyle = palette.text;
    pen.globalAlpha = 0.7;
    pen.setLineDash([6 * ratio, 4 * ratio]);
    pen.lineWidth = ratio;
    pen.beginPath();
    pen.moveTo(left, y(accuracy));
    pen.lineTo(left + width, y(accuracy));
    pen.stroke();
    pen.setLineDash([]);
  }
  const taken = new Set<number>();
  for (let i = from; i < to; i++) {
    const v = numbers[i];
    if (!Number.isFinite(v) || (logarithmic && v <= 0)) continue;
    const [px, py] = [x(attempts.times.data[i]), y(v)];
    const rejected = attempts.outcomes.data[i] !== 0;
    const cell = Math.round(px / ratio) * 65536 + Math.round(py / ratio) * 2 + Number(rejected);
    if (taken.has(cell)) continue;
    taken.add(cell);
    pen.globalAlpha = rejected ? 0.95 : 0.75;
    pen.fillStyle = pen.strokeStyle = rejected ? palette.rejected : palette.accepted;
    pen.lineWidth = 1.3 * ratio;
    pen.beginPath();
    if (!rejected) {
      pen.arc(px, py, 1.8 * ratio, 0, 7);
      pen.fill();
      continue;
    }
    const mark = MARKS[OUTCOMES[attempts.outcomes.data[i]]];
    mark.trace(pen, px, py, 2.8 * ratio);
    if (mark.filled) pen.fill();
    else pen.stroke();
  }
  pen.restore();
}
