"""Every block of the catalog, made from Python and compared with its YAML form, bit for bit."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml

import kinegraph as kg
from conftest import built_pendulum
from kinegraph import _kinegraph, stubs
from kinegraph.blocks import CATALOG, TYPES, argument_name


def test_the_pendulum_of_the_readme():
    built = kg.Simulation(built_pendulum(accuracy=1e-4))
    built.advance_to(10.0)
    assert abs(built.state["plant.pendulum.j1.q"] - 1.0) < 0.01


def test_faults_of_a_builder_come_together():
    b = kg.Builder()
    pid = b.add("pid", kg.blocks.Pid(kp=1, kd=1, derivative_filter=-1))
    gain = b.add("gain", kg.blocks.Gain(gain="large"))
    b.connect(gain.output, pid.desired)
    with pytest.raises(kg.FaultsError) as raised:
        b.build()
    assert len(raised.value.faults) == 2, str(raised.value)
    with pytest.raises(TypeError, match="Pid takes no `kq`"):
        kg.blocks.Pid(kq=1)


def plain(value):
    """Numbers as YAML 1.2 has them, of which the reader of Python makes text."""
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return number if math.isfinite(number) else value
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def sources(type_name, name):
    """Blocks that drive the inputs of the example of a type that must be driven, and the wires."""
    drivers, wires = {}, []
    for is_input, port, width, optional in _kinegraph.ports_of_example(type_name):
        if not is_input or optional:
            continue
        if port in ("body_poses", "body_velocities"):
            wires.append(f"plant.{port} -> {name}.{port}")
        else:
            driver = f"source{len(drivers)}"
            drivers[driver] = {"type": "constant", "value": [0.25] * width}
            wires.append(f"{driver}.output -> {name}.{port}")
    return drivers, wires


@pytest.mark.parametrize("facts", CATALOG, ids=lambda facts: facts["name"])
def test_a_block_is_that_of_its_yaml_form(facts, tmp_path):
    for name, text in facts["files"]:
        (tmp_path / name).write_text(text)
    systems = plain(yaml.safe_load(facts["example"]))
    drivers, wires = sources(facts["name"], next(iter(systems)))
    entries = "".join(f"  {line}\n" for line in facts["example"].splitlines())
    entries += "".join(f"  {name}: {{type: constant, value: {entry['value']}}}\n" for name, entry in drivers.items())
    connections = "connections:\n" + "".join(f"  - {wire}\n" for wire in wires) if wires else ""
    file = tmp_path / "diagram.yaml"
    file.write_text(f"kinegraph: 1\nsystems:\n{entries}{connections}simulation: {{duration: 0.05}}\n")
    written = kg.load(file)

    b = kg.Builder("diagram", folder=tmp_path)
    for name, entry in {**systems, **drivers}.items():
        parameters = {argument_name(key): value for key, value in entry.items() if key != "type"}
        b.add(name, TYPES[entry["type"]](**parameters))
    for wire in wires:
        b.connect(*wire.split(" -> "))
    built = b.build(duration=0.05)

    assert built.ports == written.ports and built.channels == written.channels
    runs = []
    for diagram in (written, built):
        sim = kg.Simulation(diagram)
        recording = sim.run(every=0.01, channels=[block for block in diagram.channels])
        runs.append((recording.data.tobytes(), sim.continuous.tobytes(), sim.discrete.tobytes(), recording.statistics))
    assert runs[0] == runs[1]


def test_every_class_has_documentation_and_a_signature():
    for cls in TYPES.values():
        assert cls.__doc__ and cls.__signature__.parameters
    assert "[1/s]" in kg.blocks.Pid.__doc__


def test_the_stubs_are_those_of_the_catalog():
    written = (Path(kg.__file__).parent / "blocks.pyi").read_text(encoding="utf-8")
    assert written == stubs.text(), "python -m kinegraph.stubs writes them"
    compile(written, "blocks.pyi", "exec")


def test_values_of_numpy_are_parameters():
    b = kg.Builder()
    b.add("a", kg.blocks.Constant(value=np.array([1.0, np.float32(2.0)])))
    b.add("b", kg.blocks.Gain(gain=np.int64(3), width=2))
    b.connect("a.output", "b.input")
    assert kg.Simulation(b.build()).output("b.output").tolist() == [3.0, 6.0]
