/** The pictures of cameras at the time shown: distances in colours from near to far, labels in a colour each. */

import type { Clock } from '../playback/clock';
import { atMostEvery, h } from '../shared/dom';
import { number } from '../shared/format';
import type { Photos } from '../stream/photos';
import type { Recording } from '../stream/recording';
import type { Photo } from '../stream/schema.generated';

/** Time between two pictures of a camera on the page, at least [ms]. */
const REDRAW_INTERVAL = 50;

/** Red, green and blue of a distance, as a part of the range: dark blue is far, yellow is near (as `viridis`). */
const FAR_TO_NEAR = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

export function distanceColor(part: number): [number, number, number] {
  const at = (1 - Math.min(Math.max(part, 0), 1)) * (FAR_TO_NEAR.length - 1);
  const below = Math.min(Math.floor(at), FAR_TO_NEAR.length - 2);
  const [a, b] = [FAR_TO_NEAR[below], FAR_TO_NEAR[below + 1]];
  return [0, 1, 2].map((c) => Math.round(a[c] + (b[c] - a[c]) * (at - below))) as [number, number, number];
}

/** A colour for each label, neighbours far apart; nothing is dark. */
export function labelColor(label: number): [number, number, number] {
  if (label === 0) return [24, 28, 34];
  // Turns by the golden angle never come near one that was before.
  const hue = (label * 137.508) % 360;
  const light = label % 2 === 0 ? 0.48 : 0.64;
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const spread = 0.62 * Math.min(light, 1 - light);
    return Math.round(255 * (light - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** One camera. */
class Shot {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly range = h('span', { class: 'value' });
  private shown: Photo | null = null;
  private bytes: Uint8Array | null = null;

  constructor(private readonly photos: Photos) {
    const { name, columns, rows } = photos.facts;
    this.canvas = h('canvas', { width: columns, height: rows, role: 'img', 'aria-label': `picture of ${name}` });
    this.element = h('figure', { class: 'shot' }, this.canvas, h('figcaption', {}, h('bdi', {}, name), this.range));
    this.canvas.addEventListener('pointermove', (event) => this.readAt(event));
    this.canvas.addEventListener('pointerleave', () => this.describe());
    this.describe();
  }

  /** Draws the picture that is seen at `t`. */
  async show(t: number): Promise<void> {
    const photo = this.photos.at(t);
    if (photo === this.shown) return;
    this.shown = photo;
    this.bytes = null;
    const context = this.canvas.getContext('2d', { willReadFrequently: true })!;
    if (!photo) {
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      return this.describe();
    }
    const image = new Image();
    image.src = `data:image/png;base64,${photo.png}`;
    await image.decode();
    // Another time is shown by now.
    if (photo !== this.shown) return;
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, this.canvas.width, this.canvas.height);
    const { data } = pixels;
    const bytes = new Uint8Array(data.length / 4);
    const color = this.photos.facts.labels ? labelColor : (byte: number) => distanceColor(byte / 255);
    const colors = Array.from({ length: 256 }, (_, byte) => color(byte));
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = data[4 * i];
      data.set(colors[bytes[i]], 4 * i);
    }
    this.bytes = bytes;
    context.putImageData(pixels, 0, 0);
    this.describe();
  }

  private describe(): void {
    const photo = this.shown;
    if (!photo) this.range.textContent = this.photos.isCut ? 'no more pictures are kept' : 'no picture yet';
    else if (this.photos.facts.labels) this.range.textContent = '';
    else this.range.textContent = `${number(photo.range[0], 3)} to ${number(photo.range[1], 3)} m`;
  }

  /** Writes what is at the pointer. */
  private readAt(event: PointerEvent): void {
    const photo = this.shown;
    if (!this.bytes || !photo) return;
    const { width, height, clientWidth, clientHeight } = this.canvas;
    const x = Math.min(Math.floor((event.offsetX / clientWidth) * width), width - 1);
    const y = Math.min(Math.floor((event.offsetY / clientHeight) * height), height - 1);
    const byte = this.bytes[y * width + x];
    const { labels } = this.photos.facts;
    if (labels) this.range.textContent = byte === 0 ? 'nothing' : (labels[byte - 1] ?? `label ${byte}`);
    else this.range.textContent = `${number(photo.range[0] + (byte / 255) * (photo.range[1] - photo.range[0]), 3)} m`;
  }
}

/** All cameras of a run, over a corner of its scene. */
export function cameraPanel(recording: Recording, clock: Clock): HTMLElement {
  const shots = recording.cameras.value.map((photos) => new Shot(photos));
  const element = h(
    'details',
    // Where there is little room the scene has it.
    { class: 'cameras', open: !matchMedia('(max-width: 860px)').matches },
    h('summary', {}, shots.length === 1 ? 'Camera' : 'Cameras'),
    h('div', { class: 'shots' }, ...shots.map((shot) => shot.element)),
  );
  const write = () => {
    if (!element.open || element.clientWidth === 0) return;
    for (const shot of shots) shot.show(clock.time.value).catch(() => {});
  };
  const update = atMostEvery(REDRAW_INTERVAL, write);
  clock.time.watch(update);
  recording.cameras.watch(update);
  element.addEventListener('toggle', write);
  // Once it is on the page.
  requestAnimationFrame(write);
  return element;
}
