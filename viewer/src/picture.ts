/**
 * Pictures for `kinegraph view --screenshot`: where the address says so, the page draws the scene or the diagram at an
 * instant and hands the program that serves it a PNG, or the reason why there is none.
 */

import type { Page } from './page';
import type { PictureWish } from './shared/picture_wish';
import { besides } from './stream/source';

/** Draws the picture that is asked for and sends it to the program. */
export async function sendPicture(page: Page, wish: PictureWish): Promise<void> {
  await send(await toPng(await picture(page, wish)));
}

/** Reports to the program why there is no picture. */
export async function sendReason(reason: string): Promise<void> {
  await send(new Blob([reason], { type: 'text/plain' }));
}

async function send(body: Blob): Promise<void> {
  await fetch(besides(window.location, 'picture'), { method: 'POST', body });
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('the browser makes no PNG of it'))), 'image/png'),
  );
}

async function picture(page: Page, wish: PictureWish): Promise<HTMLCanvasElement> {
  const { recording, clock, layout } = page;
  const { from, reached } = recording;
  const slack = 1e-6 * Math.max(1, Math.abs(reached));
  if (wish.t < from - slack || wish.t > reached + slack)
    throw new Error(`there is nothing at t = ${wish.t} s: the run goes from ${from} s to ${reached} s`);
  clock.pause();
  clock.set(Number.isNaN(wish.t) ? reached : wish.t);
  const host = wish.show === 'scene' ? layout.scene : layout.diagram;
  Object.assign(host.style, { inset: '0 auto auto 0', width: `${wish.width}px`, height: `${wish.height}px` });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [wish.width, wish.height];
  const context = canvas.getContext('2d')!;
  if (!wish.contacts) page.view?.options.contacts.set(false);
  if (wish.show === 'scene') drawScene(page, context);
  else await drawDiagram(page, context);
  return canvas;
}

function drawScene(page: Page, context: CanvasRenderingContext2D): void {
  const { view, layout } = page;
  if (!view) throw new Error(page.recording.notes.list.value[0]?.text ?? 'the diagram has no bodies, and so no scene');
  layout.show('scene');
  const { width, height } = context.canvas;
  const style = getComputedStyle(layout.scene);
  // One colour: it goes with the page that the picture is put into, and its file stays small.
  context.fillStyle = style.getPropertyValue('--scene-top');
  context.fillRect(0, 0, width, height);
  view.stage.resize();
  view.resetView();
  page.draw();
  // Before the browser shows the frame: afterwards the canvas may be cleared.
  context.drawImage(view.stage.canvas, 0, 0, width, height);
}

/** What of the style sheet is seen in the diagram. */
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
  layout.show('diagram');
  const { width, height } = context.canvas;
  const drawing = layout.diagram.querySelector('svg.drawing')!;
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
