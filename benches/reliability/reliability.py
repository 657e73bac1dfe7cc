#!/usr/bin/env python3
"""Measures the rows of docs/reliability.md and writes them there.

  reliability.py [--binary target/debug/kinegraph] [--balls 10000]

All generators of tests/reliability run with all their cases, one after another; then sizes, with the time that their
processes compute and the memory that they take. The row of the soak is that of benches/soak, and stays.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs/reliability.md"
CHAIN = 10_000

BALL = """<robot name="ball"><link name="ball"><inertial><mass value="1"/>
<inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>
"""


def of_tests():
    """The rows that the tests print."""
    command = ["cargo", "test", "--workspace", "--test", "reliability", "--", "--nocapture", "--test-threads", "1"]
    environment = {**os.environ, "KINEGRAPH_WHOLE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    rows = re.findall(r"\| .* \|$", done.stdout, flags=re.MULTILINE)
    return sorted(rows)


def measured(command):
    """Seconds of computing and peak memory [MB] of a command."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nothing:
            done = subprocess.run(command, stdout=nothing)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        Path(command[-1] + ".used").write_text(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}")
        os._exit(done.returncode)
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"{command} failed")
    seconds, megabytes = map(float, Path(command[-1] + ".used").read_text().split())
    return seconds, megabytes


def chain(kind):
    blocks = "".join(f"  b{i}: {{{kind}}}\n" for i in range(1, CHAIN))
    wires = ", ".join(f"b{i - 1}.output -> b{i}.input" for i in range(1, CHAIN))
    systems = "systems:\n  b0: {type: constant, value: 1}\n" + blocks
    return f"kinegraph: 1\n{systems}connections: [{wires}]\nsimulation: {{integrator: cenic, duration: 0.1}}\n"


def lags(separate):
    """Lags that follow a constant, or each the one before."""
    text = chain("type: first_order_lag, time_constant: 1")
    if separate:
        text = re.sub(r"b\d+\.output -> ", "b0.output -> ", text)
    return text


def falling(balls):
    """Balls that fall 5 cm, a metre apart."""
    side = int(balls**0.5)
    models = "".join(
        f"      - {{name: b{i}, file: ball.urdf, base: floating, pose: {{xyz: [{i % side}, {i // side}, 0.15]}}}}\n"
        for i in range(balls)
    )
    return (
        "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    ground: {height: 0}\n    models:\n"
        f"{models}simulation: {{integrator: cenic, accuracy: 1e-2, duration: 0.2}}\n"
    )


def of_sizes(binary, balls):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "ball.urdf").write_text(BALL)
        file = folder / "diagram.yaml"
        for what, kind in (("gains", "type: gain, gain: 0.999"), ("lags", "type: first_order_lag, time_constant: 1")):
            file.write_text(chain(kind))
            seconds, megabytes = measured([binary, "check", str(file)])
            rows.append(f"| a chain of {what} | {CHAIN} | checked in {seconds:.1f} s of computing, with {megabytes:.0f} MB |")
        for what, separate in (("separate", True), ("in a chain", False)):
            file.write_text(lags(separate))
            seconds, megabytes = measured([binary, "run", "--quiet", str(file)])
            figures = f"{seconds:.1f} s of computing, with {megabytes:.0f} MB"
            rows.append(f"| lags run to 0.1 s by `cenic`, {what} | {CHAIN} | {figures} |")
        for integrator in ("implicit-euler", "sdirk2", "ros2"):
            file.write_text(lags(False).replace("integrator: cenic", f"integrator: {integrator}"))
            seconds, megabytes = measured([binary, "run", "--quiet", str(file)])
            figures = f"{seconds:.1f} s of computing, with {megabytes:.0f} MB"
            rows.append(f"| lags run to 0.1 s by `{integrator}`, in a chain | {CHAIN} | {figures} |")
        file.write_text(falling(balls))
        seconds, megabytes = measured([binary, "run", "--quiet", str(file)])
        rows.append(
            f"| balls that fall and land, `cenic` at 1e-2 | {balls} | {seconds:.1f} s of computing for 0.2 s, "
            f"{seconds / 0.2:.0f} times real time; {megabytes:.0f} MB |"
        )
    return rows


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--binary", default=str(ROOT / "target/debug/kinegraph"))
    ap.add_argument("--balls", type=int, default=10_000)
    a = ap.parse_args()
    rows = of_tests() + of_sizes(a.binary, a.balls)
    text = DOCUMENT.read_text()
    begin, end = "<!-- rows -->\n", "<!-- end of rows -->"
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    table = "\n".join(["| what | cases | answer |", "|---|---|---|", *rows])
    DOCUMENT.write_text(f"{head}{begin}{table}\n{end}{tail}")
    print(table)


if __name__ == "__main__":
    main()
