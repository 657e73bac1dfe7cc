/**
 * The channels as a tree of their names, with search. Branches are written when they are opened: there may be
 * thousands.
 */

import { h } from '../shared/dom';
import type { ChannelFacts } from '../stream/schema.generated';
import type { PlotStack } from './stack';

/** Most results of a search, and below it most channels plotted at one click. */
const FOUND = 200;
export const MAX_AT_ONCE = 12;

interface Branch {
  name: string;
  children: Map<string, Branch>;
  /** The channel that ends here; -1: none. */
  channel: number;
}

/** By block, model, joint and element: the parts of a name between dots and brackets. */
export function tree(channels: readonly ChannelFacts[]): Branch {
  const root: Branch = { name: '', children: new Map(), channel: -1 };
  channels.forEach((channel, index) => {
    let at = root;
    for (const part of channel.name.replace(/\[/g, '.[').split('.')) {
      let next = at.children.get(part);
      if (!next) at.children.set(part, (next = { name: part, children: new Map(), channel: -1 }));
      at = next;
    }
    at.channel = index;
  });
  return root;
}

function leaves(branch: Branch): number[] {
  const own = branch.channel >= 0 ? [branch.channel] : [];
  return [...own, ...[...branch.children.values()].flatMap(leaves)];
}

/** Channels whose names have all the words of the search. */
export function search(channels: readonly ChannelFacts[], words: string): number[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return channels.flatMap(({ name }, i) => (wanted.every((word) => name.toLowerCase().includes(word)) ? [i] : []));
}

export class ChannelTree {
  readonly element: HTMLElement;
  readonly search = h('input', {
    type: 'search',
    placeholder: 'Search channels',
    'aria-label': 'search channels',
    spellcheck: 'false',
  });
  private readonly rows = h('div', { class: 'tree-list', role: 'group', 'aria-label': 'channels' });
  private readonly boxes = new Map<number, HTMLInputElement>();

  constructor(
    private channels: readonly ChannelFacts[],
    private readonly plots: PlotStack,
  ) {
    this.element = h('div', { class: 'tree' }, this.search, this.rows);
    this.search.addEventListener('input', () => this.write());
    this.search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.search.value = '';
      this.write();
      this.search.blur();
    });
    plots.shown.watch(() => this.mark());
    this.write();
  }

  /** Lists other channels. */
  show(channels: readonly ChannelFacts[]): void {
    this.channels = channels;
    this.write();
  }

  private write(): void {
    this.boxes.clear();
    const words = this.search.value.trim();
    if (words === '') {
      const root = this.collapsed(tree(this.channels));
      this.rows.replaceChildren(
        ...[...root.children.values()].map((branch) => this.branch(branch, root.children.size === 1)),
      );
    } else {
      const found = search(this.channels, words);
      const rows = found.slice(0, FOUND).map((channel) => this.leaf(channel, this.channels[channel].name));
      const all =
        found.length > 1 &&
        found.length <= MAX_AT_ONCE &&
        h(
          'button',
          { type: 'button', class: 'small', onclick: () => this.plots.add(found) },
          `Plot all ${found.length}`,
        );
      const note =
        found.length === 0
          ? 'No channel has this in its name.'
          : found.length > FOUND
            ? `${found.length} found, the first ${FOUND} are listed.`
            : `${found.length} found.`;
      this.rows.replaceChildren(h('p', { class: 'hint' }, note, ' ', all), ...rows);
    }
    this.mark();
  }

  /** A branch with one child is shown with it on one line. */
  private collapsed(branch: Branch): Branch {
    const children = new Map<string, Branch>();
    for (let [key, child] of branch.children) {
      while (child.children.size === 1 && child.channel < 0) {
        const only = [...child.children.values()][0];
        child = { ...only, name: `${child.name}${only.name.startsWith('[') ? '' : '.'}${only.name}` };
      }
      children.set(key, this.collapsed(child));
    }
    return { ...branch, children };
  }

  private branch(branch: Branch, open = false): HTMLElement {
    if (branch.children.size === 0) return this.leaf(branch.channel, branch.name);
    const all = leaves(branch);
    const body = h('div', { class: 'tree-body' });
    const plot = h(
      'button',
      {
        class: 'small',
        type: 'button',
        title: `Plot these ${all.length} channels`,
        onclick: (event: Event) => {
          event.preventDefault();
          this.plots.toggle(all);
        },
      },
      'plot',
    );
    const summary = h(
      'summary',
      {},
      h('span', { class: 'name' }, branch.name),
      h('span', { class: 'count' }, String(all.length)),
      all.length <= MAX_AT_ONCE && plot,
    );
    const details = h('details', {}, summary, body);
    const fill = () => {
      if (!details.open || body.childElementCount > 0) return;
      if (branch.channel >= 0) body.append(this.leaf(branch.channel, branch.name));
      for (const child of branch.children.values()) body.append(this.branch(child));
      this.mark();
    };
    details.addEventListener('toggle', fill);
    if (open) {
      details.open = true;
      fill();
    }
    return details;
  }

  private leaf(channel: number, name: string): HTMLElement {
    const box = h('input', {
      type: 'checkbox',
      onchange: () => (box.checked ? this.plots.add([channel]) : this.plots.remove([channel])),
    });
    this.boxes.set(channel, box);
    const { unit, name: full } = this.channels[channel];
    return h(
      'label',
      { class: 'leaf', title: full },
      box,
      h('span', { class: 'name' }, name),
      h('span', { class: 'unit' }, unit),
    );
  }

  private mark(): void {
    for (const [channel, box] of this.boxes) box.checked = this.plots.shown.value.has(channel);
  }
}
