/**
 * Pictures and films for `kinegraph view --screenshot` and `--video`: where the address says so, the page draws the
 * scene or the diagram and hands the program that serves it what it drew, or the reason why there is nothing.
 */

import type { Page } from './page';
import type { FilmWish, PictureWish } from './shared/picture_wish';
import { webm, type EncodedFrame } from './shared/webm';
import { besides } from './stream/source';

/** Draws what is asked for and sends it to the program. */
export async function sendPicture(page: Page, wish: PictureWish): Promise<void> {
  if (wish.film) return sendFilm(page, wish, wish.film);
  await send(await toPng(await picture(page, wish)));
}

/** Reports to the program why there is no picture. */
export async function sendReason(reason: string): Promise<void> {
  await send(new Blob([reason], { type: 'text/plain' }));
}

async function send(body: Blob): Promise<void> {
  const answer = await fetch(besides(window.location, 'picture'), { method: 'POST', body });
  if (!answer.ok) throw new Error(`the program answered ${answer.status}`);
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('the browser makes no PNG of it'))), 'image/png'),
  );
}

/** A canvas of the size that is asked for, and the page made ready to draw on it. */
function prepared(page: Page, wish: PictureWish): CanvasRenderingContext2D {
  const { clock, layout, view } = page;
  clock.pause();
  const host = wish.show === 'scene' ? layout.scene : layout.diagram;
  Object.assign(host.style, { inset: '0 auto auto 0', width: `${wish.width}px`, height: `${wish.height}px` });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [wish.width, wish.height];
  if (!wish.contacts) view?.options.contacts.set(false);
  if (wish.transparent) view?.options.grid.set(false);
  return canvas.getContext('2d')!;
}

async function picture(page: Page, wish: PictureWish): Promise<HTMLCanvasElement> {
  const { from, reached } = page.recording;
  const slack = 1e-6 * Math.max(1, Math.abs(reached));
  if (wish.t < from - slack || wish.t > reached + slack)
    throw new Error(`there is nothing at t = ${wish.t} s: the run goes from ${from} s to ${reached} s`);
  const context = prepared(page, wish);
  page.clock.set(Number.isNaN(wish.t) ? reached : wish.t);
  if (wish.show === 'scene') {
    look(page, wish);
    await page.view?.textures.settled;
    await drawScene(page, wish, context);
  } else await drawDiagram(page, context);
  return context.canvas;
}

/** Between two frames of a film that need none before them [s]. */
const KEY_INTERVAL = 2;

async function sendFilm(page: Page, wish: PictureWish, film: FilmWish): Promise<void> {
  const { from, reached } = page.recording;
  const context = prepared(page, wish);
  const count = Math.floor(((reached - from) / film.speed) * film.fps + 1e-6) + 1;
  const every = Math.max(1, Math.round(KEY_INTERVAL * film.fps));
  const encoder = film.as === 'webm' ? await Encoder.of(wish.width, wish.height, film.fps) : null;
  page.clock.set(from);
  look(page, wish);
  await page.view?.textures.settled;
  for (let i = 0; i < count; i++) {
    page.clock.set(from + (i * film.speed) / film.fps);
    await drawScene(page, wish, context);
    if (encoder) await encoder.add(context.canvas, i, i % every === 0);
    else await send(await toPng(context.canvas));
  }
  const whole = encoder ? [await encoder.film()] : [];
  await send(new Blob(whole, { type: encoder ? 'video/webm' : 'application/x-film-end' }));
}

/** The encoder of the browser. */
class Encoder {
  private readonly frames: EncodedFrame[] = [];
  private fault: Error | null = null;
  private readonly encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      this.frames.push({ bytes, time: chunk.timestamp / 1000, key: chunk.type === 'key' });
    },
    error: (fault) => (this.fault = fault),
  });

  private constructor(private readonly config: VideoEncoderConfig & { framerate: number }) {
    this.encoder.configure(config);
  }

  static async of(width: number, height: number, fps: number): Promise<Encoder> {
    // A tenth of a bit for each pixel of each frame: lines and edges stay sharp.
    const bitrate = Math.max(1e6, 0.1 * width * height * fps);
    const config = { codec: 'vp8', width, height, bitrate, framerate: fps };
    const none = 'this browser has no encoder of VP8 for a .webm; .gif needs none, .mp4 needs ffmpeg';
    if (typeof VideoEncoder === 'undefined') throw new Error(none);
    if (!(await VideoEncoder.isConfigSupported(config)).supported) throw new Error(none);
    return new Encoder(config);
  }

  async add(canvas: HTMLCanvasElement, index: number, key: boolean): Promise<void> {
    const { framerate } = this.config;
    const frame = new VideoFrame(canvas, { timestamp: (index * 1e6) / framerate, duration: 1e6 / framerate });
    this.encoder.encode(frame, { keyFrame: key });
    frame.close();
    // Frames that wait keep their pixels.
    while (this.encoder.encodeQueueSize > 4 && !this.fault) await new Promise((done) => setTimeout(done, 1));
    if (this.fault) throw this.fault;
  }

  async film(): Promise<Uint8Array<ArrayBuffer>> {
    await this.encoder.flush();
    if (this.fault) throw this.fault;
    const { width, height, framerate } = this.config;
    return webm(this.frames, width, height, (this.frames.length * 1000) / framerate);
  }
}

/** Puts the camera where it is asked to be. */
function look(page: Page, wish: PictureWish): void {
  const { view, layout } = page;
  if (!view) throw new Error(page.recording.notes.list.value[0]?.text ?? 'the diagram has no bodies, and so no scene');
  layout.show('scene');
  view.stage.resize();
  view.resetView();
  page.draw();
  const now = view.stage.viewNow();
  if (wish.eye || wish.target)
    view.stage.lookFrom({ ...now, eye: wish.eye ?? now.eye, target: wish.target ?? now.target });
  if (wish.follow) view.followNamed(wish.follow);
}

async function drawScene(page: Page, wish: PictureWish, context: CanvasRenderingContext2D): Promise<void> {
  const { stage } = page.view!;
  do {
    await stage.restored();
    copyScene(page, wish, context);
  } while (!stage.isDrawn);
}

function copyScene(page: Page, wish: PictureWish, context: CanvasRenderingContext2D): void {
  const { view, layout } = page;
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  if (!wish.transparent) {
    // One colour: it goes with the page that the picture is put into, and its file stays small.
    context.fillStyle = getComputedStyle(layout.scene).getPropertyValue('--scene-top');
    context.fillRect(0, 0, width, height);
  }
  view!.stage.ask();
  page.draw();
  // Before the browser shows the frame: afterwards the canvas may be cleared.
  context.drawImage(view!.stage.canvas, 0, 0, width, height);
}

/** Properties of the style sheet that are visible in the diagram. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-opacity',
  'paint-order',
  'opacity',
  'display',
  'visibility',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'letter-spacing',
];

/** The drawing as an image of its own, which has no style sheet: every element carries its styles. */
async function drawDiagram(page: Page, context: CanvasRenderingContext2D): Promise<void> {
  const { layout } = page;
  if (!page.recording.begin.value?.blocks) throw new Error('the recording holds no block diagram');
  const drawing = layout.diagram.querySelector('svg.drawing')!;
  // Labels are placed for the size of the drawing: it fills the picture.
  drawing.parentElement!.style.padding = '0';
  layout.show('diagram');
  const { width, height } = context.canvas;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>('*')]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    (to[i] as SVGElement).setAttribute(
      'style',
      STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'),
    );
  });
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
}
