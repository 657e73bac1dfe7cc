/** Controls of a live run: the bar that starts and stops it, sliders for joints, parameters and inputs. */

import { h, oncePerFrame } from '../shared/dom';
import { number } from '../shared/format';
import type { Clock } from '../playback/clock';
import type { Link } from '../stream/link';
import type { Recording } from '../stream/recording';
import type { Controls, JointControl, NumberControl, ParameterControl } from '../stream/schema.generated';
import { icon } from './icons';
import type { Operator } from './operator';
import { along, partOf } from './range';

const PACES = [0.1, 0.2, 0.5, 1, 2, 5, 10];
/** How many steps a slider has. */
const FINE = 400;

/** The bar over the scene. */
export function liveBar(recording: Recording, link: Link, clock: Clock): HTMLElement {
  const go = h('button', { type: 'button', class: 'small live-go' });
  go.addEventListener('click', () => {
    link.send({ command: recording.desk.value?.paused === false ? 'pause' : 'go' });
    clock.follow();
  });
  const button = (label: string, title: string, command: 'step' | 'reset') =>
    h(
      'button',
      {
        type: 'button',
        class: 'small',
        title,
        onclick: () => {
          link.send({ command });
          clock.follow();
        },
      },
      label,
    );
  const pace = h(
    'select',
    { 'aria-label': 'pace of the run', title: 'Simulated time in a second of the clock' },
    ...PACES.map((one) => h('option', { value: one }, `${one}×`)),
    h('option', { value: 'max' }, 'fastest'),
  );
  pace.addEventListener('change', () =>
    link.send({ command: 'pace', pace: pace.value === 'max' ? null : Number(pace.value) }),
  );
  recording.desk.follow((desk) => {
    const paused = desk?.paused ?? true;
    go.replaceChildren(icon(paused ? 'play' : 'pause'), paused ? 'Run' : 'Pause');
    go.disabled = desk?.ended ?? false;
    if (desk) pace.value = desk.pace === null ? 'max' : String(desk.pace);
  });
  return h(
    'div',
    { class: 'live-bar', role: 'group', 'aria-label': 'the run' },
    go,
    button('Step', 'One step of the integrator', 'step'),
    button('Reset', 'Start again, with parameters and inputs as they are', 'reset'),
    pace,
  );
}

interface Slider {
  element: HTMLElement;
  set: (value: number) => void;
  enable: (on: boolean) => void;
}

/** A slider with its number beside it. */
function slider(
  label: string,
  title: string,
  range: [number, number],
  value: number,
  act: (x: number) => void,
): Slider {
  let [lower, upper] = range;
  const bar = h('input', { type: 'range', min: 0, max: FINE, step: 1, 'aria-label': label });
  const field = h('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${label}, number`, class: 'number' });
  let held = false;
  const show = (x: number) => {
    // A number from the field may lie beyond the slider, which then reaches there.
    [lower, upper] = [Math.min(lower, x), Math.max(upper, x)];
    bar.value = String(Math.round(partOf([lower, upper], x) * FINE));
    field.value = number(x).replace('−', '-');
  };
  bar.addEventListener('input', () => {
    held = true;
    const x = along([lower, upper], Number(bar.value) / FINE);
    field.value = number(x).replace('−', '-');
    act(x);
  });
  bar.addEventListener('change', () => (held = false));
  field.addEventListener('change', () => {
    const x = Number(field.value);
    field.classList.toggle('wrong', !Number.isFinite(x) || field.value.trim() === '');
    if (!Number.isFinite(x) || field.value.trim() === '') return;
    show(x);
    act(x);
  });
  show(value);
  return {
    element: h(
      'label',
      { class: 'slider', title },
      h('span', { class: 'slider-name' }, h('bdi', {}, label)),
      bar,
      field,
    ),
    set: (x) => Number.isFinite(x) && !held && document.activeElement !== field && show(x),
    enable: (on) => (bar.disabled = field.disabled = !on),
  };
}

/** Where a number slides to: from zero to twice of it, or about zero. */
function reach(x: number, signed: boolean): [number, number] {
  const size = x === 0 ? 1 : Math.abs(x) * 2;
  return signed ? [-size, size] : [Math.min(0, x * 2), Math.max(0, x === 0 ? 1 : x * 2)];
}

function numbers(one: NumberControl, signed: boolean, act: (values: number[]) => void): Slider[] {
  const values = [...one.values];
  const short = one.path.replace(/^systems\./, '');
  // Motors have the names of their joints, which have sliders too.
  const kind = one.path.endsWith('.actuation') ? 'effort ' : '';
  return values.map((value, i) => {
    const part = values.length > 1 ? `${short} [${i}]` : short;
    return slider(
      one.names[i] ? kind + one.names[i] : part,
      `${one.path}: ${one.about}`,
      reach(value, signed),
      value,
      (x) => {
        values[i] = x;
        act([...values]);
      },
    );
  });
}

/** A parameter of the file slides within its range; beyond it the program refuses it. */
function ofFile(one: ParameterControl, link: Link): Slider {
  const name = one.path.replace(/^parameters\./, '');
  const unit = one.unit && ` [${one.unit}]`;
  const when = one.acts_at_once ? '' : '; acts from the next reset on';
  const title = [`${one.path}${unit}`, one.about].filter(Boolean).join(': ') + when;
  return slider(`${name}${unit}`, title, one.range ?? reach(one.value, false), one.value, (value) =>
    link.do({ act: 'tune', path: one.path, values: [value] }),
  );
}

function joint(one: JointControl, link: Link): Slider {
  const name = one.channel.replace(/^[^.]*\./, '').replace(/\.q$/, '');
  return slider(name, `${one.channel} [${one.unit}]`, [one.lower, one.upper], one.value, (value) =>
    link.do({ act: 'place', channel: one.channel, value }),
  );
}

/** Sliders of everything that can be changed. */
export function handsPanel(
  controls: Controls,
  recording: Recording,
  link: Link,
  clock: Clock,
  operator: Operator,
): HTMLElement {
  const named = (controls.of_file ?? []).map((one) => ({ one, slider: ofFile(one, link) }));
  const joints = controls.joints.map((one) => joint(one, link));
  const tuned = controls.parameters.map((one) => ({
    one,
    sliders: numbers(one, one.path.endsWith('.value'), (values) => link.do({ act: 'tune', path: one.path, values })),
  }));
  const fed = controls.inputs.map((one) => ({
    one,
    sliders: numbers(one, true, (values) => link.do({ act: 'feed', input: one.path, values })),
  }));
  const poses = controls.keyframes.map(({ plant, model, name }) =>
    h(
      'button',
      {
        type: 'button',
        class: 'small',
        title: `${model} of ${plant}`,
        onclick: () => link.do({ act: 'stand', plant, model, keyframe: name }),
      },
      name,
    ),
  );
  const moved = operator.panel();
  const group = (title: string, hint: string, sliders: Slider[]) =>
    sliders.length > 0 &&
    h(
      'section',
      { class: 'sliders' },
      h('h3', {}, title),
      hint !== '' && h('p', { class: 'hint' }, hint),
      ...sliders.map(({ element }) => element),
    );
  recording.desk.follow((desk) => {
    const still = desk === null || desk.paused || desk.ended;
    for (const one of joints) one.enable(still && !(desk?.ended ?? false));
    for (const one of poses) one.disabled = !still || (desk?.ended ?? false);
  });
  // Joints show where they are, so far as they are recorded.
  const channels = controls.joints.map(({ channel }) => recording.channels.findIndex(({ name }) => name === channel));
  const write = oncePerFrame(() =>
    channels.forEach((channel, i) => channel >= 0 && joints[i].set(recording.value(channel, clock.time.value))),
  );
  clock.time.watch(write);
  recording.count.watch(write);
  recording.acted.watch((acted) => {
    if (acted?.act.act === 'tune') {
      const { path, values } = acted.act;
      tuned.find(({ one }) => one.path === path)?.sliders.forEach((one, i) => one.set(values[i]));
      named.find(({ one }) => one.path === path)?.slider.set(values[0]);
    } else if (acted?.act.act === 'feed') {
      const { input, values } = acted.act;
      fed.find(({ one }) => one.path === input)?.sliders.forEach((one, i) => one.set(values[i]));
    }
  });
  const touching = h('p', { class: 'hint touching', role: 'status', hidden: true });
  recording.touching.follow((line) => {
    touching.hidden = line === null;
    const pairs = (line?.pairs ?? []).map(({ a, b, depth }) => `${a} and ${b} (${number(depth * 1000, 3)} mm)`);
    touching.textContent = pairs.length > 0 ? `Touching: ${pairs.join(', ')}` : 'Nothing touches.';
  });
  return h(
    'div',
    { class: 'hands' },
    touching,
    h('p', { class: 'hint' }, 'Shift and drag pulls at a body. Changes act at the end of a step.'),
    group(
      'Parameters of the file',
      '',
      named.map(({ slider }) => slider),
    ),
    moved.length > 0 && h('section', { class: 'sliders' }, h('h3', {}, 'Operator'), ...moved),
    poses.length > 0 &&
      h(
        'section',
        { class: 'sliders' },
        h('h3', {}, 'Keyframes'),
        h('p', { class: 'hint' }, 'Before the start, and while the run stands still.'),
        h('div', { class: 'poses' }, ...poses),
      ),
    group('Joints', 'Before the start, and while the run stands still.', joints),
    group(
      'Parameters of blocks',
      '',
      tuned.flatMap(({ sliders }) => sliders),
    ),
    group(
      'Inputs',
      '',
      fed.flatMap(({ sliders }) => sliders),
    ),
  );
}
