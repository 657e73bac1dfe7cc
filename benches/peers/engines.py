"""The engines of the comparison, each a program that runs one scene a few times and prints one JSON object."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}


def build_kinegraph():
    """Builds the runner of Kinegraph and returns its path."""
    command = ["cargo", "build", "--release", "--bench", "peers", "--message-format=json"]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        sys.exit("the runner of Kinegraph does not build (see above)")
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "peers":
            return message["executable"]
    sys.exit("cargo named no executable")


class Runner:
    """Starts child processes, pinned to one thread and, where `taskset` exists, to one core."""

    def __init__(self, core, limit):
        self.prefix = ["taskset", "-c", str(core)] if core is not None and shutil.which("taskset") else []
        self.limit = limit

    def __call__(self, command, cwd=None):
        try:
            child = subprocess.run(self.prefix + [str(word) for word in command], cwd=cwd, text=True, timeout=self.limit,
                                   capture_output=True, env={**os.environ, **ONE_THREAD})
        except subprocess.TimeoutExpired:
            return {"status": "timeout"}
        lines = [line for line in child.stdout.splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {"status": "failed", "error": (child.stderr or child.stdout)[-300:]}


class Kinegraph:
    """Kinegraph by run_kinegraph.rs, on the diagram files that `diagrams` gives."""

    accurate = True

    def __init__(self, name, program, arguments, run, diagrams):
        self.name, self.program, self.run, self.diagrams = name, program, run, diagrams
        self.overrides = [word for value in arguments.set for word in ("--set", value)]
        self.budget, self.tight = arguments.budget, arguments.tight.split(",")

    def settings(self, accuracies):
        return accuracies

    def once(self, scene, accuracy):
        return self(scene, accuracy, False)

    def __call__(self, scene, accuracy, first):
        diagram = self.diagrams(scene)
        if diagram is None:
            return {"status": "failed", "error": "to_kinegraph.py does not cover this scene; give --diagrams"}
        return self.run([self.program, diagram, "--accuracy", accuracy, "--budget", self.budget] + self.overrides)


class Drake:
    """Drake's CENIC, by run_drake.py of the scenes' folder."""

    name, accurate, tight = "drake", True, []

    def __init__(self, arguments, run):
        self.program, self.run, self.budget = arguments.scenes / "run_drake.py", run, arguments.budget
        self.python = arguments.python
        hydroelastic = arguments.contact == "hydroelastic"
        self.contact = ["--contact", "hydroelastic_with_fallback"] if hydroelastic else []

    def settings(self, accuracies):
        return accuracies

    def __call__(self, scene, accuracy, first):
        command = [self.python, self.program, "--scene", scene, "--mode", "cenic", "--accuracy", accuracy] + self.contact
        command += ["--repeats", "1", "--budget", self.budget] + quality(first)
        return without_python(self.run(command, cwd=self.program.parent))


class MuJoCo:
    """MuJoCo with steps of fixed length, by run_mujoco.py beside this file. Its settings are steps [s]."""

    name, accurate = "mujoco", False

    def __init__(self, arguments, run):
        self.run, self.budget, self.python = run, arguments.budget, arguments.python
        self.steps, self.tight = arguments.mujoco_steps.split(","), arguments.mujoco_tight.split(",")
        self.chosen = ["--scenes", arguments.scenes, "--cone", arguments.mujoco_cone,
                       "--integrator", arguments.mujoco_integrator]

    def settings(self, _accuracies):
        return self.steps

    def __call__(self, scene, step, first):
        return self.once(scene, step, quality(first))

    def once(self, scene, step, words=("--once",)):
        command = [self.python, HERE / "run_mujoco.py", *self.chosen, "--scene", scene, "--step", step]
        return self.run(command + ["--budget", self.budget, *words])


def quality(first):
    """One untimed run for what the timed ones do not report: penetration, iterations of MuJoCo."""
    return ["--quality"] if first else []


def without_python(result):
    """A force law written in Python is not the engine's time: its part of the wall time of the last run is taken
    off."""
    spent, walls = result.get("python_force_s"), result.get("walls_s")
    if spent and walls and "cpu_s" in result:
        part = 1.0 - spent / walls[-1]
        result["cpu_s"], result["wall_s"] = result["cpu_s"] * part, result["wall_s"] * part
    return result


class Diagrams:
    """The diagram file of a scene: written by to_kinegraph.py into a scratch folder or, where that does not cover it,
    one that is given."""

    def __init__(self, scenes, given, scratch, contact="point"):
        self.scenes, self.given, self.scratch, self.contact, self.known = scenes, given, scratch, contact, {}

    def __call__(self, scene):
        if scene not in self.known:
            self.known[scene] = self.find(scene)
        return self.known[scene]

    def find(self, scene):
        out = Path(self.scratch) / scene
        command = [sys.executable, self.scenes / "to_kinegraph.py", self.scenes / "scenes" / scene, out]
        written = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if written.returncode == 0:
            file = out / f"{scene}.yaml"
            if self.contact == "hydroelastic":
                self.use_pressure_fields(scene, file)
            return file
        files = (folder / scene / f"{scene}.yaml" for folder in self.given)
        return next((file.resolve() for file in files if file.exists()), None)

    def use_pressure_fields(self, scene, file):
        """The second contact model of the scene, as run_drake.py reads it: meshes with their vertices on the
        surface."""
        folder = self.scenes / "scenes" / scene
        described = json.loads((folder / "scene.json").read_text())
        fields, models = described["hydroelastic"], described["hydro_models"]
        diagram = json.loads(file.read_text())
        plant = diagram["systems"]["plant"]
        plant["contact"] |= {"model": "hydroelastic_with_fallback", "modulus": fields["compliant_modulus"],
                             "resolution": fields["resolution_hint"], "curved": "inscribed"}
        of_name = {instance["name"]: instance["model"] for instance in described["instances"]}
        for model in plant["models"]:
            replacement = models.get(of_name[model["name"]])
            if replacement:
                shutil.copy(folder / replacement, file.parent)
                model["file"] = replacement
        file.write_text(json.dumps(diagram))
