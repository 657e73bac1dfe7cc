import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { follow } from '../../src/stream/follow';
import { Growing } from '../../src/stream/growing';
import { lines } from '../../src/stream/lines';
import { decode, unpack } from '../../src/stream/packed';
import { Recording } from '../../src/stream/recording';
import { between, lastAtOrBefore } from '../../src/stream/search';
import { besides, streamOf } from '../../src/stream/source';
import { VERSION } from '../../src/stream/schema.generated';
import { BALL, ball, failed } from '../scenarios';
import { begin, body, end, f32, f64, frames, plant, text, u32, type Line } from '../synthetic';

const streamed = (content: string, piece: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const bytes = new TextEncoder().encode(content);
      for (let i = 0; i < bytes.length; i += piece) controller.enqueue(bytes.slice(i, i + piece));
      controller.close();
    },
  });

async function read(content: Line[] | string, piece = 1 << 16): Promise<Recording> {
  const recording = new Recording();
  await follow(recording, streamed(typeof content === 'string' ? content : text(content), piece));
  return recording;
}

describe('packed numbers', () => {
  it('of tables are unpacked row by row, within the range of their column', () => {
    // Two columns of three rows: places 0, 65535, 1 and 5, 5, 4, as differences, lower bytes first.
    const places = Buffer.from([0, 255, 2, 5, 0, 255, 0, 255, 0, 0, 0, 255]).toString('base64');
    const q16 = { low: f64([-1, 10]).f64, step: f64([2, 0.5]).f64, places };
    expect([...unpack({ q16 })]).toEqual([-1, 12.5, 131069, 12.5, 1, 12]);
  });

  it('are unpacked to the same bits', () => {
    const numbers = [0, -1.5, 1e-300, Math.PI, NaN, Infinity];
    expect([...unpack(f64(numbers) as never)]).toEqual(numbers);
    expect([...unpack(f32([0.1, -2]) as never)]).toEqual([Math.fround(0.1), -2]);
    expect([...unpack(u32([0, 4294967295]) as never)]).toEqual([0, 4294967295]);
    expect(unpack({ f32: '' }).length).toBe(0);
  });

  it('are decoded by hand as by the platform, at every length', () => {
    for (let n = 0; n < 40; n++) {
      const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 89 + n * 7) & 255);
      expect([...decode(Buffer.from(bytes).toString('base64'))]).toEqual([...bytes]);
    }
    expect(() => decode('ab*d')).toThrow(/base64/);
    expect(() => unpack({ f64: 'AAAA' })).toThrow(/3 bytes/);
  });
});

describe('lines', () => {
  it('are whole however the bytes are cut, with letters of several bytes', async () => {
    const content = '{"a":"µ→é"}\n\n{"b":2}\nlast';
    for (const piece of [1, 2, 3, 7, 100]) {
      const found: string[] = [];
      for await (const line of lines(streamed(content, piece))) found.push(line);
      expect(found).toEqual(['{"a":"µ→é"}', '{"b":2}', 'last']);
    }
  });
});

describe('arrays that grow', () => {
  it('keep what they have', () => {
    const growing = new Growing(Float64Array, 1);
    for (let i = 0; i < 1000; i++) growing.push(i);
    growing.append([1000, 1001]);
    expect([...growing.data.subarray(0, growing.length)]).toEqual(Array.from({ length: 1002 }, (_, i) => i));
    expect(growing.data.length).toBeLessThan(2100);
  });
});

describe('times', () => {
  it('of an event are those after it, and nothing is interpolated across', () => {
    const times = [0, 1, 1, 2];
    expect([-1, 0, 0.5, 1, 1.5, 2, 9].map((t) => lastAtOrBefore(times, 4, t))).toEqual([-1, 0, 0, 2, 2, 3, 3]);
    expect(between(times, 4, 0.5)).toEqual({ at: 0, next: 1, part: 0.5 });
    expect(between(times, 4, 1)).toEqual({ at: 2, next: 3, part: 0 });
    expect(between(times, 4, 5)).toEqual({ at: 3, next: 3, part: 0 });
  });
});

describe('a recording', () => {
  it('has samples, values, contacts and attempts', async () => {
    const recording = await read(ball(), 777);
    expect(recording.notes.list.value).toEqual([]);
    expect([recording.length, recording.reached]).toEqual([101, 2]);
    expect(recording.value(0, 0.5)).toBeCloseTo(BALL.at(0.5)[0], 12);
    expect(recording.value(1, 0.51)).toBeCloseTo((BALL.at(0.5)[2] + BALL.at(0.52)[2]) / 2, 12);
    expect([recording.value(3, 0.999), recording.value(3, 1)]).toEqual([0, 1]);
    expect(recording.value(9, 1)).toBeNaN();
    expect([recording.attempts.length, recording.attempts.rejected]).toEqual([9, 5]);
    expect(recording.attempts.at(0)).toMatchObject({
      outcome: 'inaccurate',
      error: 0.004,
      worst: 'plant.ball.x',
      iterations: 5,
    });
    expect(recording.attempts.at(2).error).toBeNull();
    expect(recording.attempts.limits()[0]).toEqual({ name: 'plant.ball.z', count: 5 });
    const last = recording.length - 1;
    expect(recording.contactEnds.data[last] - recording.contactStarts.data[last]).toBe(1);
    expect(recording.largestForce).toBe(12);
  });

  it('has samples that share the contacts of the one before, across lines too', async () => {
    const all = [begin({ name: 'x', plants: [plant([body('b')])], end: 4, every: 1 })];
    const add = (times: number[], counts: number[], forces: number[]) => {
      const line = frames(times, () => ({ poses: [0, 0, 0, 1, 0, 0, 0] }))[0];
      const points = forces.flatMap((force) => [0, 1, 2, 3, 0, 0, force]);
      all.push({ ...line, contacts: f32(points), contact_counts: u32(counts) });
    };
    const same = 0xffffffff;
    add([0, 1], [2, same], [5, 6]);
    add([2, 3, 4], [same, 1, 0], [7]);
    const { contactStarts, contactEnds, contacts, notes } = await read([...all, end(4)]);
    expect(notes.list.value).toEqual([]);
    const forces = (i: number) =>
      Array.from({ length: contactEnds.data[i] - contactStarts.data[i] }, (_, k) => {
        return contacts.data[(contactStarts.data[i] + k) * 7 + 6];
      });
    expect([0, 1, 2, 3, 4].map(forces)).toEqual([[5, 6], [5, 6], [5, 6], [7], []]);
  });

  it('is read from gzip as from plain lines', async () => {
    const recording = new Recording();
    await follow(recording, streamOf(new Uint8Array(gzipSync(text(ball())))));
    expect(recording.length).toBe(101);
    expect(recording.end.value?.status).toBe('done');
  });

  it('leaves out broken lines, with a note for each kind of fault', async () => {
    const whole = ball();
    const bad: (Line | string)[] = [
      whole[0],
      '{"kind":"frames"',
      whole[1],
      { kind: 'frames', times: f64([9]), poses: f32([1]), values: f64([]) },
      { kind: 'later', x: 1 },
      'nonsense',
      ...whole.slice(2),
    ];
    const recording = await read(
      bad.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    expect(recording.length).toBe(101);
    expect(recording.notes.list.value).toHaveLength(3);
    expect(recording.notes.list.value[1].text).toMatch(/line 4 .*1 numbers of poses where 7 belong/);
  });

  it('of another version is not read, and says so', async () => {
    for (const version of [VERSION - 1, VERSION + 1]) {
      const first = begin({ version, name: 'x', plants: [plant([body('b')])], end: 1, every: 1 });
      const recording = await read([first, ...ball().slice(1)]);
      expect(recording.refusal).toMatch(`version ${version}; this page reads version ${VERSION} only`);
      expect(recording.notes.list.value.map((note) => note.text)).toEqual([recording.refusal]);
      expect([recording.begin.value, recording.length]).toEqual([null, 0]);
      // Another stream can be opened.
      await follow(recording, streamed(text(ball()), 1 << 16));
      expect([recording.refusal, recording.length]).toEqual(['', 101]);
    }
  });

  it('of a run that breaks off says so', async () => {
    const recording = await read(ball().slice(0, 3));
    expect(recording.end.value).toMatchObject({ status: 'stopped' });
    expect(recording.end.value?.message).toMatch(/broke off/);
    expect((await read(failed())).end.value?.status).toBe('failed');
  });

  it('has unknown outcomes under their own names', async () => {
    const recording = await read([
      ball()[0],
      { kind: 'steps', rows: [[0, 1, 'too_sunny', null, '', 1, 0], ['x']] },
      end(0),
    ]);
    expect(recording.attempts.at(0)).toMatchObject({ outcome: 'unknown', word: 'too_sunny' });
    expect(recording.notes.list.value[0].text).toMatch(/1 attempts/);
  });

  it('keeps values of either width', async () => {
    const channels = [{ name: 'a', unit: '', discrete: false }];
    const line = { ...frames([0, 1], () => ({ poses: [0, 0, 0, 1, 0, 0, 0] }))[0], values: f32([0.1, 0.3]) };
    const recording = await read([
      begin({ name: 'x', plants: [plant([body('b')])], end: 1, every: 1, channels }),
      line,
      end(1),
    ]);
    expect(recording.value(0, 0.5)).toBeCloseTo(0.2, 7);
  });
});

describe('the address of the stream', () => {
  it('keeps the token of the path', () => {
    const of = (pathname: string, search = '') => besides({ pathname, search }, 'stream');
    expect([of('/t0ken/'), of('/t0ken'), of('/t0ken/index.html'), of('/', '?k=1')]).toEqual([
      '/t0ken/stream',
      '/t0ken/stream',
      '/t0ken/stream',
      '/stream?k=1',
    ]);
  });
});

describe('a scene with faults', () => {
  it('loses what cannot be placed, with a note, and nothing else', async () => {
    const bodies = [
      body('good', {
        collisions: [
          {
            name: '',
            pose: { xyz: [0, 0, 0], quat: [1, 0, 0, 0] },
            geometry: { type: 'sphere', radius: 1 },
            appearance: null,
          },
        ],
      }),
      body('bad', { start: { xyz: [0, null as never, 0], quat: [1, 0, 0, 0] }, collisions: [{ name: 'x' } as never] }),
    ];
    const recording = await read([begin({ name: 'x', plants: [plant(bodies)], end: 1, every: 1 }), end(0)]);
    const [, good, bad] = recording.begin.value!.scene.plants[0].bodies;
    expect(good.collisions[0].geometry.type).toBe('sphere');
    expect(bad.start.xyz).toEqual([0, 0, 0]);
    expect(recording.notes.list.value.map((note) => note.text)).toEqual([
      'the start pose of bad is none',
      'a shape of bad has no place or no form',
    ]);
  });
});
