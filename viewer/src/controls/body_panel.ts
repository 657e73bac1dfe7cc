/** The list of bodies, and a card with the state of the selected one. */

import { atMostEvery, h } from '../shared/dom';
import { number } from '../shared/format';
import type { PlotStack } from '../plots/stack';
import type { SceneView } from '../scene/view';
import type { Recording } from '../stream/recording';
import type { Clock } from '../playback/clock';

const MAX_BODY_BUTTONS = 400;

/** The list: all bodies but the worlds, with search. */
export function bodyList(view: SceneView): HTMLElement {
  const search = h('input', { type: 'search', placeholder: 'Search bodies', 'aria-label': 'search bodies' });
  const list = h('div', { class: 'body-list', role: 'listbox', 'aria-label': 'bodies' });
  const rows = new Map<number, HTMLElement>();
  const write = () => {
    rows.clear();
    const wanted = search.value.trim().toLowerCase();
    const found = view.bodies.list.flatMap((entry, i) =>
      entry.body > 0 && entry.label.toLowerCase().includes(wanted) ? [i] : [],
    );
    list.replaceChildren(
      ...found.slice(0, MAX_BODY_BUTTONS).map((i) => {
        const { label, data } = view.bodies.list[i];
        const row = h(
          'button',
          {
            type: 'button',
            role: 'option',
            class: 'body-row',
            onclick: () => view.selected.set(view.selected.value === i ? -1 : i),
          },
          h('span', { class: 'name' }, label),
          h('span', { class: 'unit' }, data.moving ? '' : 'stays'),
        );
        rows.set(i, row);
        return row;
      }),
      found.length > MAX_BODY_BUTTONS
        ? h('p', { class: 'hint' }, `${found.length} bodies; search to see the others.`)
        : '',
    );
    mark();
  };
  const mark = () => rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === view.selected.value)));
  search.addEventListener('input', write);
  view.selected.watch(mark);
  write();
  return h('div', { class: 'panel-body' }, search, list);
}

/** The card of the selected body, over the scene. */
export function bodyCard(view: SceneView, recording: Recording, plots: PlotStack, clock: Clock): HTMLElement {
  const card = h('div', { class: 'body-card', hidden: true, role: 'status' });
  const place = h('dd', {});
  const turn = h('dd', {});
  let follow: HTMLButtonElement | null = null;
  const update = () => {
    const body = view.selected.value;
    if (body < 0) return;
    const p = view.posesAt(clock.time.value).subarray(body * 7, body * 7 + 7);
    const numbers = (from: number, to: number) =>
      [...p.subarray(from, to)].map((x) => number(Math.abs(x) < 5e-7 ? 0 : x, 4)).join(', ');
    place.textContent = Number.isNaN(p[0]) ? 'nowhere' : `${numbers(0, 3)} m`;
    turn.textContent = Number.isNaN(p[3]) ? '–' : numbers(3, 7);
  };
  const write = () => {
    const body = view.selected.value;
    card.hidden = body < 0;
    if (body < 0) return;
    const { label, data, plant } = view.bodies.list[body];
    const prefix = `${view.bodies.plants[plant].name}.${data.name.replaceAll('/', '.')}.`;
    const joint = data.joint ? `${view.bodies.plants[plant].name}.${data.joint.replaceAll('/', '.')}.` : null;
    const own = recording.channels.flatMap(({ name }, i) =>
      name.startsWith(prefix) || (joint !== null && name.startsWith(joint)) ? [i] : [],
    );
    follow = h(
      'button',
      {
        type: 'button',
        class: 'small',
        'aria-pressed': String(view.followed.value === body),
        onclick: () => view.toggleFollow(),
      },
      'Follow ',
      h('kbd', {}, 'F'),
    );
    const path = h(
      'button',
      {
        type: 'button',
        class: 'small',
        'aria-pressed': String(view.options.path.value),
        onclick: () => view.options.path.set(!view.options.path.value),
      },
      'Path ',
      h('kbd', {}, 'T'),
    );
    const plot =
      own.length > 0 &&
      own.length <= 16 &&
      h('button', { type: 'button', class: 'small', onclick: () => plots.add(own) }, `Plot its ${own.length} channels`);
    const close = h(
      'button',
      {
        type: 'button',
        class: 'small icon',
        'aria-label': 'select nothing',
        title: 'Select nothing (Esc)',
        onclick: () => view.selected.set(-1),
      },
      '×',
    );
    card.replaceChildren(
      h('div', { class: 'card-head' }, h('strong', {}, label), close),
      h(
        'dl',
        {},
        h('dt', {}, 'place'),
        place,
        h('dt', {}, 'w, x, y, z'),
        turn,
        ...(data.joint ? [h('dt', {}, 'joint'), h('dd', {}, data.joint)] : []),
      ),
      h('div', { class: 'card-buttons' }, data.moving && follow, data.moving && path, plot),
    );
    update();
  };
  view.selected.watch(write);
  view.followed.watch(write);
  view.options.path.watch(write);
  for (const signal of [clock.time, recording.count]) signal.watch(atMostEvery(66, update));
  return card;
}
