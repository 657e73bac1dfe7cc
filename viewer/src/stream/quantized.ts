/** Tables of long recordings: 65,536 evenly spaced numbers between the least and the largest of each column. */

import type { Quantized } from './schema.generated';

type Bytes = (base64: string) => Uint8Array;
type Floats = (base64: string) => ArrayLike<number>;

/**
 * The table, row by row. Places come column by column, the first and then differences modulo 65,536; the lower bytes of
 * all of them come before the upper ones.
 */
export function table(packed: Quantized, bytes: Bytes, floats: Floats): Float64Array<ArrayBuffer> {
  const [low, step, places] = [floats(packed.low), floats(packed.step), bytes(packed.places)];
  const [columns, total] = [low.length, places.length >> 1];
  const rows = columns > 0 ? Math.floor(total / columns) : 0;
  const numbers = new Float64Array(total);
  for (let column = 0; column < columns; column++) {
    let place = 0;
    for (let row = 0; row < rows; row++) {
      const at = column * rows + row;
      place = (place + places[at] + (places[total + at] << 8)) & 0xffff;
      numbers[row * columns + column] = low[column] + step[column] * place;
    }
  }
  return numbers;
}
