/** WebM files of one video track: EBML elements around the frames that an encoder made. */

/** A frame of a film as an encoder gives it. */
export interface EncodedFrame {
  bytes: Uint8Array;
  /** [ms] */
  time: number;
  /** True for a key frame, which needs no earlier one. */
  key: boolean;
}

const text = (value: string) => new TextEncoder().encode(value);

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The bytes of a whole number, the greatest first. */
function whole(value: number): Uint8Array {
  const bytes = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function double(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

/** An element: its identifier, the length of its contents in eight bytes, its contents. */
function element(id: number, ...contents: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = join(contents);
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, 0x0100000000000000n | BigInt(body.length));
  return join([whole(id), length, body]);
}

/** A film of `length` ms of frames that are encoded by VP8. */
export function webm(frames: EncodedFrame[], width: number, height: number, length: number): Uint8Array<ArrayBuffer> {
  const head = element(
    0x1a45dfa3,
    element(0x4286, whole(1)),
    element(0x42f7, whole(1)),
    element(0x42f2, whole(4)),
    element(0x42f3, whole(8)),
    element(0x4282, text('webm')),
    element(0x4287, whole(2)),
    element(0x4285, whole(2)),
  );
  const info = element(
    0x1549a966,
    element(0x2ad7b1, whole(1_000_000)),
    element(0x4489, double(length)),
    element(0x4d80, text('kinegraph')),
    element(0x5741, text('kinegraph')),
  );
  const video = element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height)));
  const track = element(
    0xae,
    element(0xd7, whole(1)),
    element(0x73c5, whole(1)),
    element(0x83, whole(1)),
    element(0x86, text('V_VP8')),
    video,
  );
  const clusters: Uint8Array[] = [];
  for (let from = 0; from < frames.length;) {
    let to = from + 1;
    while (to < frames.length && !frames[to].key) to++;
    const start = Math.round(frames[from].time);
    const blocks = frames.slice(from, to).map(({ bytes, time, key }) => {
      const block = new Uint8Array(4);
      block[0] = 0x81;
      new DataView(block.buffer).setInt16(1, Math.round(time) - start);
      block[3] = key ? 0x80 : 0;
      return element(0xa3, block, bytes);
    });
    clusters.push(element(0x1f43b675, element(0xe7, whole(start)), ...blocks));
    from = to;
  }
  return join([head, element(0x18538067, info, element(0x1654ae6b, track), ...clusters)]);
}
