/** Switches for the parts of the scene that are drawn. */

import { h } from '../shared/dom';
import { number } from '../shared/format';
import type { Signal } from '../shared/signal';
import type { SceneView } from '../scene/view';

function check(label: string, key: string, signal: Signal<boolean>): HTMLElement {
  const box = h('input', { type: 'checkbox', onchange: () => signal.set(box.checked) });
  signal.follow((on) => (box.checked = on));
  return h('label', { class: 'switch' }, box, h('span', {}, label), key !== '' && h('kbd', {}, key));
}

function choice<T extends string>(label: string, key: string, signal: Signal<T>, values: [T, string][]): HTMLElement {
  const buttons = values.map(([value, text]) =>
    h('button', { type: 'button', class: 'small', onclick: () => signal.set(value) }, text),
  );
  signal.follow((now) =>
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(values[i][0] === now))),
  );
  return h(
    'div',
    { class: 'choice' },
    h('span', {}, label, ' ', key !== '' && h('kbd', {}, key)),
    h('div', { class: 'segmented', role: 'group', 'aria-label': label }, ...buttons),
  );
}

export function displayPanel(view: SceneView): HTMLElement {
  const { options } = view;
  const scale = h('input', {
    type: 'range',
    min: -1.5,
    max: 1.5,
    step: 0.05,
    value: 0,
    'aria-label': 'length of force arrows',
  });
  const key = h('span', { class: 'hint' });
  const update = () => {
    const metres = view.contacts.metresPerNewton(view.bounds.radius, options.forceScale.value);
    key.textContent = metres > 0 ? `10 cm of arrow are ${number(0.1 / metres, 2)} N` : 'no contact so far';
  };
  scale.addEventListener('input', () => options.forceScale.set(10 ** Number(scale.value)));
  scale.addEventListener('dblclick', () => {
    scale.value = '0';
    options.forceScale.set(1);
  });
  options.forceScale.follow(update);
  return h(
    'div',
    { class: 'panel-body', onpointerenter: update },
    choice('Shapes', 'C', options.shapes, [
      ['visual', 'to look at'],
      ['collision', 'that touch'],
    ]),
    choice('See through', 'X', options.seeThrough, [
      ['containers', 'containers'],
      ['all', 'everything'],
      ['none', 'nothing'],
    ]),
    choice('Frames', 'A', options.frames, [
      ['none', 'none'],
      ['models', 'named'],
      ['bodies', 'of bodies'],
    ]),
    check('Contact forces', 'K', options.contacts),
    h('div', { class: 'indented' }, scale, key),
    check('Rods of bodies without shapes', 'B', options.bones),
    view.hasGhosts ? check('Desired motion', 'G', options.ghosts) : null,
    view.markers.any ? check('Constraints', '', options.constraints) : null,
    view.scans.any ? check('Scans', '', options.scans) : null,
    check('Path of the selected body', 'T', options.path),
    check('Shadows', 'H', options.shadows),
    check('Grid', '', options.grid),
    h(
      'button',
      { type: 'button', class: 'small', onclick: () => view.resetView() },
      'Look as at the start ',
      h('kbd', {}, 'V'),
    ),
  );
}
