"""Linearized: where the answer to a step is proportional to it, the linear model answers alike."""

import tempfile
from pathlib import Path

from classes import upstream
from compare import Finding
from relations import Unjudged

NAME = "linear"
STEP = 1e-2
# The answer may differ from that of the linear model by this part of its largest value.
PART = 0.05


def applies(scene):
    """Signals with something between a source and an integrator."""
    probes = [a for a, b in scene.wires if b.startswith("probe")]
    return scene.plant is None and any(len(upstream(scene, a.split(".")[0])) > 1 for a in probes)


def check(program, scene, rng):
    probes = [n for n in scene.systems if n.startswith("probe")]
    rng.shuffle(probes)
    reason = "nothing to disturb"
    for probe in probes[:2]:
        source = next((a for a, b in scene.wires if b == f"{probe}.input"), None)
        behind = upstream(scene, source.split(".")[0]) if source else []
        wires = [b for _, b in scene.wires if b.split(".")[0] in behind and "[" not in b]
        rng.shuffle(wires)
        for cut in wires[:3]:
            try:
                return compared(program, at_rest(scene, probe), cut, probe, source)
            except Unjudged as e:
                reason = str(e)
    raise Unjudged(reason)


def at_rest(scene, probe):
    """The scene with zeros for sources."""
    still = scene.copy()
    sources = [n for n in scene.systems if not any(b.startswith(f"{n}.") for _, b in scene.wires)]
    for name in sources:
        still.systems[name] = {"type": "constant", "value": 0.0}
        for wire in still.wires:
            if wire[0].startswith(f"{name}."):
                wire[0] = f"{name}.output"
    still.watched = [probe]
    return still


def compared(program, still, cut, probe, source):
    answers = []
    driver = next(a for a, b in still.wires if b == cut)
    for size in (0.0, STEP, 2 * STEP, -STEP):
        s = still.copy()
        s.systems["disturbed"] = {"type": "constant", "value": size}
        s.systems["both"] = {"type": "adder", "signs": "++"}
        s.wires = [["both.output" if b == cut else a, b] for a, b in s.wires]
        s.wires += [["disturbed.output", "both.input0"], [driver, "both.input1"]]
        answers.append(program.accurate(s, 1e-7))
    if not all(r.done for r in answers):
        raise Unjudged("did not end")
    zero, *others = (r.values.get(f"{probe}.0") for r in answers)
    first, second, back = ([y - x for x, y in zip(zero, other)] for other in others)
    top = max(map(abs, first))
    if top < 1e-5:
        raise Unjudged("no answer")
    # At a kink the answer to one side is proportional, too, and another one than to the other side.
    if max(max(abs(b - 2 * a), abs(a + c)) for a, b, c in zip(first, second, back)) > 0.01 * top:
        raise Unjudged("not proportional")
    linear, said, code = model(program, still, cut, source)
    if code:
        raise Unjudged("refused")
    s = still.copy()
    s.systems = {"disturbed": {"type": "constant", "value": STEP}, "linear": {"type": "diagram", "file": "linear.yaml"},
                 "copy": {"type": "integrator", "initial": [0.0]}}
    s.wires = [["disturbed.output", "linear.input"], ["linear.output", "copy.input"]]
    s.files["linear.yaml"] = linear
    s.watched = ["copy"]
    answer = program.accurate(s, 1e-7)
    if not answer.done:
        raise Unjudged(answer.ended)
    # The linear output is that of the probe's input: its integral is the probe.
    gap, time = max((abs(x - y), t) for x, y, t in zip(first, answer.values["copy.0"], answer.times))
    if gap > PART * top:
        return Finding(NAME, f"answer to a step into {cut}", gap / top / PART, 1.0, f"{probe}.output", time, said)
    return None


def model(program, scene, cut, source):
    with tempfile.TemporaryDirectory(prefix="kinegraph-differential-") as folder:
        file = scene.write(folder)
        out = Path(folder) / "linear.yaml"
        code, printed, said = program.command("linearize", file, "--cut", cut, "--output", source, "-o", out)
        if code is None:
            raise Unjudged("late")
        noted = [line for line in (printed + said).splitlines() if "note" in line or "warning" in line]
        return (out.read_text() if out.exists() else ""), " ".join(noted)[:110], code or not out.exists()
