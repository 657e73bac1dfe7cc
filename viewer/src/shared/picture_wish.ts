/** The picture or the film that an address asks for. */

export interface PictureWish {
  show: 'scene' | 'diagram';
  /** The time; NaN: the end. */
  t: number;
  width: number;
  height: number;
  /** True if contact points are drawn. */
  contacts: boolean;
  /** True if the background is transparent. */
  transparent: boolean;
  /** Where to look from and at, where that is not what the page would choose. */
  eye: [number, number, number] | null;
  target: [number, number, number] | null;
  /** The body that the camera follows; empty: none. */
  follow: string;
  film: FilmWish | null;
}

export interface FilmWish {
  /** Form in which the program gets the film: each frame as a picture, or the whole. */
  as: 'frames' | 'webm';
  fps: number;
  /** Simulated time in a second of the film. */
  speed: number;
}

function point(text: string | null): [number, number, number] | null {
  const numbers = (text ?? '').split(',').map(Number);
  return text && numbers.length === 3 && numbers.every(Number.isFinite) ? (numbers as [number, number, number]) : null;
}

/** Parses an address such as `#picture=scene&t=1.5&size=960x600`; `null` if it asks for no picture. */
export function pictureWish(hash: string): PictureWish | null {
  const wish = new URLSearchParams(hash.replace(/^#/, ''));
  const show = wish.get('picture');
  if (show !== 'scene' && show !== 'diagram') return null;
  const [width, height] = (wish.get('size') ?? '').split('x').map(Number);
  const size = width > 0 && height > 0 ? { width, height } : { width: 960, height: 600 };
  const film = wish.get('film');
  return {
    show,
    contacts: wish.get('contacts') !== 'off',
    transparent: wish.get('transparent') === 'on',
    eye: point(wish.get('eye')),
    target: point(wish.get('target')),
    follow: wish.get('follow') ?? '',
    t: wish.has('t') ? Number(wish.get('t')) : NaN,
    film:
      film === 'frames' || film === 'webm'
        ? { as: film, fps: Number(wish.get('fps') ?? 30), speed: Number(wish.get('speed') ?? 1) }
        : null,
    ...size,
  };
}
