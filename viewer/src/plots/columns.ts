/** The values of single channels, taken out of the samples once and continued as samples come. */

import { Growing } from '../stream/growing';
import type { Recording } from '../stream/recording';

export class Columns {
  private readonly kept = new Map<number, Growing<Float64Array<ArrayBuffer>>>();

  constructor(private readonly recording: Recording) {}

  /** Takes all values anew. */
  forget(): void {
    this.kept.clear();
  }

  times(): Float64Array {
    return this.recording.times.data.subarray(0, this.recording.length);
  }

  of(channel: number): Float64Array {
    let column = this.kept.get(channel);
    if (!column) this.kept.set(channel, (column = new Growing(Float64Array, Math.max(64, this.recording.length))));
    const width = this.recording.channels.length;
    const { data } = this.recording.values;
    for (let i = column.length; i < this.recording.length; i++) column.push(data[i * width + channel]);
    return column.data.subarray(0, this.recording.length);
  }
}
