/** The picture that an address asks for. */

export interface PictureWish {
  show: 'scene' | 'diagram';
  /** The time; NaN: the end. */
  t: number;
  width: number;
  height: number;
  /** Whether contact points are drawn. */
  contacts: boolean;
}

/** What `#picture=scene&t=1.5&size=960x600` asks for; `null` where no picture is asked for. */
export function pictureWish(hash: string): PictureWish | null {
  const wish = new URLSearchParams(hash.replace(/^#/, ''));
  const show = wish.get('picture');
  if (show !== 'scene' && show !== 'diagram') return null;
  const [width, height] = (wish.get('size') ?? '').split('x').map(Number);
  const size = width > 0 && height > 0 ? { width, height } : { width: 960, height: 600 };
  const contacts = wish.get('contacts') !== 'off';
  return { show, contacts, t: wish.has('t') ? Number(wish.get('t')) : NaN, ...size };
}
