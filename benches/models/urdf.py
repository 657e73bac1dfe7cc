#!/usr/bin/env python3
"""Every URDF file below a folder, one row each.

  urdf.py --binary target/release/kinegraph --folder ROBOTS [--only ur5,talos] [--jobs 2] [--limit 120] [--markdown]

ROBOTS: such as share/example-robot-data of the package example-robot-data 6.0.0 (pip install example-robot-data).
Packages are looked for in it and in the folders in it.

Load: the time of `kinegraph check`. Fall: the robot alone, its base free, dropped from where its lowest shape is 1 cm
above the ground, 1 s under gravity with `cenic` at accuracy 1e-3; joints whose zero lies outside of their stops start
at the nearer stop.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SCENE = """kinegraph: 1
model_paths: {paths}
systems:
  plant:
    type: multibody_plant
    ground: {{height: {height}}}
    models: [{{name: m, file: robot.urdf{base}}}]
    initial: {{m: {{{initial}}}}}
simulation: {{duration: 1, integrator: cenic, accuracy: 1e-3}}
"""
NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"


class Robot:
    """One file."""

    def __init__(self, options, path):
        self.name = str(path.relative_to(options.folder))
        self.options, self.path = options, path
        self.run, self.failure, self.links = None, None, 0
        try:
            self.links = len(ElementTree.parse(path).getroot().findall("link"))
        except ElementTree.ParseError:
            pass
        with tempfile.TemporaryDirectory() as folder:
            self.scene = Path(folder) / "scene.yaml"
            self.drop()

    def call(self, command, values, *arguments):
        """Runs the program on the scene with the robot."""
        folders = [self.options.folder, *sorted(f for f in self.options.folder.iterdir() if f.is_dir())]
        values = {"height": 0, "initial": "", "base": ", base: floating", **values}
        self.scene.write_text(SCENE.format(paths=json.dumps([str(f.resolve()) for f in folders]), **values))
        file = f"systems.plant.models.m.file={json.dumps(str(self.path.resolve()))}"
        command = [self.options.binary, command, str(self.scene), "--set", file, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=self.options.limit)

    def drop(self):
        """Loads the robot, puts the ground below it and lets it fall."""
        values = {}
        begin = time.perf_counter()
        done = self.call("check", values, "--notes")
        self.load = time.perf_counter() - begin
        if "falls into" in done.stderr:
            values["base"] = ""
            done = self.call("check", values, "--notes")
        if done.returncode:
            self.failure = reason(done.stderr)
            return
        beyond = re.compile(rf"joint m/(\S+) starts at {NUMBER}, outside of its limits {NUMBER} to {NUMBER}:")
        nearer = lambda q, low, high: low if float(q) < float(low) else high
        values["initial"] = ", ".join(f'"{j}": {nearer(q, a, b)}' for j, q, a, b in beyond.findall(done.stdout))
        # Below a ground high above it the deepest shape says where the lowest point is.
        high = 100.0
        text = self.call("check", {**values, "height": high}, "--notes").stdout
        inside = re.findall(rf"world and m/\S+ start {NUMBER} m inside", text)
        values["height"] = high - max(map(float, inside), default=high) - 0.01
        try:
            done = self.call("run", values, "--json", "--quiet")
        except subprocess.TimeoutExpired:
            self.failure = f"no end after {self.options.limit} s"
            return
        if done.returncode:
            self.failure = reason(done.stderr)
        else:
            self.run = json.loads(done.stdout)


def reason(errors):
    """The first fault, without its place."""
    lines = [line.strip() for line in errors.splitlines() if ": " in line]
    return re.sub(r"^\S+?:\d+:\d+: ", "", lines[0]) if lines else errors.strip() or "no message"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    files = sorted(options.folder.rglob("*.urdf"))
    files = [f for f in files if any(only in str(f) for only in options.only.split(","))]
    with ThreadPoolExecutor(options.jobs) as pool:
        robots = list(pool.map(lambda path: Robot(options, path), files))
    ran = [robot for robot in robots if robot.run]
    print(f"{len(robots)} files: {len(ran)} run, {len(robots) - len(ran)} refused or failed")
    slowest = max(robots, key=lambda robot: robot.load)
    print(f"longest load: {slowest.load:.2f} s, {slowest.name} ({slowest.links} links)\n")
    bar = "|" if options.markdown else ""
    if options.markdown:
        print("| file | links | load [s] | 1 s takes [s] | times real time | steps |\n|---|---|---|---|---|---|")
    for robot in ran:
        run = robot.run
        steps = run["statistics"]["steps"] if "statistics" in run else run["steps"]
        numbers = f"{robot.links} {bar} {robot.load:.2f} {bar} {run['wall_s']:.3f} {bar} {run['real_time_factor']:.3g}"
        print(f"{bar} {robot.name} {bar} {numbers} {bar} {steps} {bar}")
    print()
    if options.markdown:
        print("| refused or failed | why |\n|---|---|")
    for robot in robots:
        if robot.failure:
            print(f"{bar} {robot.name} {bar} {robot.failure} {bar}")


if __name__ == "__main__":
    main()
