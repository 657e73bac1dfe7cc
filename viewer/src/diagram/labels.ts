/**
 * The labels of a drawing, readable at any scale: letters never get smaller than [`MIN_LETTER_SIZE`] on the screen, a
 * label that is too long for its place is cut, and one that would lie over another is left out. Titles come first, then
 * names of ports, values, kinds of blocks. The title of a block reaches beyond it where it would be cut, as far as
 * there is nothing beside it: small blocks of a small drawing have room for hardly a letter.
 */

/** Size of letters on the screen, at least [pixels]. */
const MIN_LETTER_SIZE = 11;
/** Height of a line, and its part above the base line, in sizes of letters. */
const [LINE, RISE] = [1.22, 0.95];
/** Fewest letters of a shortened label; one with less room is not shown. */
const MIN_LETTERS = 2;

export interface Label {
  element: SVGTextElement;
  text: string;
  /** Size of its letters where the drawing is as large as it was planned. */
  size: number;
  bold: boolean;
  anchor: 'start' | 'middle' | 'end';
  x: number;
  /** The middle of its first line, or where its line begins. */
  y: number;
  from: 'middle' | 'top';
  /** The most that it may be wide. */
  room: number;
  /** The most that it may be wide where it would be cut else. */
  reach?: number;
  /** The label whose line it follows. */
  below?: Label;
  /** Lower limit of its extent. */
  bottom: number;
  /** True if its text changes all the time, so that it keeps all of its room. */
  changes: boolean;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const measure = document.createElement('canvas').getContext('2d')!;

/** Width of a text with letters of one unit. */
function widthOf(text: string, bold: boolean, family: string): number {
  measure.font = `${bold ? 650 : 400} 100px ${family}`;
  return measure.measureText(text).width / 100;
}

/** The text so far as it fits; empty where next to nothing does. */
export function cut(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  for (let length = text.length - 1; length >= MIN_LETTERS; length--) {
    const part = `${text.slice(0, length)}…`;
    if (fits(part)) return part;
  }
  return '';
}

/** The text of which more is left. */
const longer = (a: string, b: string) => (b.replace('…', '').length > a.replace('…', '').length ? b : a);

const apart = (a: Box, b: Box) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Places all labels for a scale in pixels a unit. They are in the order of their importance. */
export function place(labels: readonly Label[], scale: number, family: string): void {
  const placed: Box[] = [];
  const lines = new Map<Label, Box>();
  for (const label of labels) {
    const size = Math.max(label.size, MIN_LETTER_SIZE / scale);
    const { element, below } = label;
    const within = (room: number) => cut(label.text, (part) => widthOf(part, label.bold, family) * size <= room);
    const text = label.changes ? label.text : longer(within(label.room), within(label.reach ?? 0));
    const above = below && lines.get(below);
    const hide = () => element.setAttribute('visibility', 'hidden');
    if ((below && !above) || (text === '' && !label.changes)) {
      hide();
      continue;
    }
    const top = above ? above.bottom : label.from === 'top' ? label.y : label.y - (LINE * size) / 2;
    const width = label.changes ? label.room : widthOf(text, label.bold, family) * size;
    const left = { start: label.x, middle: label.x - width / 2, end: label.x - width }[label.anchor];
    const box = { left, right: left + width, top, bottom: top + LINE * size };
    if (box.bottom > label.bottom || placed.some((other) => !apart(box, other))) {
      hide();
      continue;
    }
    placed.push(box);
    lines.set(label, box);
    element.setAttribute('visibility', 'visible');
    element.setAttribute('font-size', String(size));
    element.setAttribute('x', String(label.x));
    element.setAttribute('y', String(top + RISE * size));
    if (!label.changes) element.textContent = text;
  }
}

/** The longest of these texts that fits into its room; the last if none does. */
export function longest(texts: readonly string[], label: Label, family: string): string {
  const size = Number(label.element.getAttribute('font-size') ?? label.size);
  const fits = (text: string) => widthOf(text, label.bold, family) * size <= label.room;
  return texts.find(fits) ?? cut(texts[texts.length - 1], fits);
}
