/** A diagram that a person moves: the arm and the crates of the example `hands`, with sticks on its goal. */

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './franka';

const TEXT = `
kinegraph: 1
name: stick
systems:
  plant:
    type: multibody_plant
    ground: {height: 0}
    contact: {static_friction: 0.6}
    models:
      - {name: arm, file: arm.urdf, base: fixed}
      - {name: left, file: crate.urdf, base: floating, pose: {xyz: [0.45, 0.5, 0.1]}}
      - {name: right, file: crate.urdf, base: floating, pose: {xyz: [0.45, -0.5, 0.1]}}
    initial: {arm: {shoulder: {q: -0.6}, elbow: {q: 1.2}}}
  controller: {type: pid, width: 2, kp: 60, ki: 40, kd: 8}
  rest: {type: constant, value: [-0.6, 1.2]}
  stick:
    type: operator_input
    scale: [0.5, 0.5]
    signals: [{name: shoulder, axis: 1, keys: [j, l]}, {name: elbow, axis: 2, button: 1, keys: [u]}]
  sum: {type: adder, signs: "++", width: 2}
  still: {type: constant, value: [0, 0]}
  goal: {type: multiplexer, widths: [2, 2]}
connections:
  - plant.arm.state -> controller.measured
  - rest.output -> sum.input0
  - stick.output -> sum.input1
  - sum.output -> goal.input0
  - still.output -> goal.input1
  - goal.output -> controller.desired
  - controller.effort -> plant.arm.actuation
simulation: {accuracy: 1.0e-3, duration: 300}
record: {every: 0.02, channels: [plant.state, stick.output]}
view: {eye: [1.9, -1.5, 1.3], target: [0.3, 0, 0.3]}
`;

/** Writes it and its models into a folder; the file. */
export function stick(folder: string): string {
  for (const model of ['arm.urdf', 'crate.urdf'])
    copyFileSync(join(ROOT, 'examples/hands', model), join(folder, model));
  const file = join(folder, 'stick.yaml');
  writeFileSync(file, TEXT);
  return file;
}
