/** How much the machine can draw: where no graphics processor is at work, plainer light keeps the page usable. */

import { pictureWish } from '../shared/picture_wish';

export interface Quality {
  antialias: boolean;
  shadowMap: number;
  pixelRatio: number;
  /** Light computed at corners or by plain laws, not the physical one at each pixel. */
  plain: boolean;
  /** True if the page is to draw a picture: nothing covers the scene. */
  picture: boolean;
}

export function quality(): Quality {
  const pixelRatio = Math.min(window.devicePixelRatio, 2);
  const full = { antialias: true, shadowMap: 2048, pixelRatio, plain: false, picture: false };
  // Pictures for documents are made with full light wherever they are made.
  if (pictureWish(window.location.hash)) return { ...full, pixelRatio: 1, picture: true };
  if (new URLSearchParams(window.location.search).get('quality') === 'full') return full;
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    const names = gl?.getExtension('WEBGL_debug_renderer_info');
    const renderer = String(gl?.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? '');
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    if (!/swiftshader|llvmpipe|software|basic render/i.test(renderer)) return full;
    return { antialias: false, shadowMap: 1024, pixelRatio: 1, plain: true, picture: false };
  } catch {
    return full;
  }
}
