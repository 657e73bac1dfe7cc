/** Arrays of numbers in base64. */

import { table } from './quantized';
import type { Packed } from './schema.generated';

const VALUE = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) {
  VALUE['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;
}

type Native = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** The bytes; by the browser's own decoder where it has one. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as Native).fromBase64;
  return native ? native(base64) : decode(base64);
}

/** The bytes, by hand. White space is skipped, what is no base64 throws. */
export function decode(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((base64.length * 3) / 4));
  let [have, bits, at] = [0, 0, 0];
  for (let i = 0; i < base64.length; i++) {
    const code = base64.charCodeAt(i);
    if (code === 61 || code <= 32) continue; // padding, white space
    const value = code < 128 ? VALUE[code] : 255;
    if (value === 255) throw new Error(`no base64 at character ${i}`);
    have = ((have << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (have >> bits) & 255;
    }
  }
  return bytes.subarray(0, at);
}

export type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** The numbers, of the type that they are packed in. Computers that run browsers are little-endian. */
export function unpack(packed: Packed): Numbers {
  if ('q16' in packed) return table(packed.q16, bytesOf, (text) => unpack({ f64: text }));
  const [text, kind, size] =
    'f64' in packed
      ? ([packed.f64, Float64Array, 8] as const)
      : 'f32' in packed
        ? ([packed.f32, Float32Array, 4] as const)
        : ([packed.u32, Uint32Array, 4] as const);
  if (typeof text !== 'string') throw new Error('neither f32, f64 nor u32');
  const bytes = bytesOf(text);
  if (bytes.length % size !== 0) throw new Error(`${bytes.length} bytes are no numbers of ${size} bytes`);
  // Views must begin where numbers may.
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new kind(aligned.buffer, aligned.byteOffset, bytes.length / size);
}
