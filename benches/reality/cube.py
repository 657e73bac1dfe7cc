"""Tosses of a cube: 148 samples a second of its pose and velocity, from the hand to rest.

A prediction starts at the first sample. Errors are means over a toss: of the distance of the centres, in percent of the
width, and of the angle between the orientations, in degrees. Reported are the mean of the first and the median of the
second over the tosses, and the others beside.
"""

from __future__ import annotations

import importlib
import itertools
import zipfile
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple

import numpy as np

from sets import Parameter, Predictor

WIDTH = 0.1048
MASS = 0.37
INERTIA = 0.00081
TRAIN = 30
ERRORS = [("position", "% of the width"), ("angle", "degrees")]

#: Errors from which a toss counts no more in the fit: it went another way, and how far off it ends is chance.
LOST = (40.0, 30.0)


class Toss(NamedTuple):
    """One toss: times, quaternions (w first), places of the centre, and the velocities of the first sample."""

    name: str
    time: np.ndarray
    quaternion: np.ndarray
    place: np.ndarray
    #: At the start, in axes of the world.
    angular_velocity: np.ndarray
    velocity: np.ndarray


#: Where the recordings are published (BSD 3-clause), and in which folder of it.
SOURCE = "https://github.com/ebianchi/dair_pll"
FOLDER = "assets/contactnets_cube"
#: Of the 571 published tosses those are taken whose number leaves 4 when divided by 9.
EVERY, REST = 9, 4
RATE = 148.0


def load(folder: Path) -> List[Toss]:
    """The tosses of a folder, by their numbers: `N.pt` as published, or `N.csv` with a column of times before the
    columns of those."""
    published = {int(path.stem): path for path in folder.glob("*.pt")}
    if published:
        return [toss(str(n), as_published(published[n])) for n in sorted(published) if n % EVERY == REST]
    return [toss(path.stem, np.loadtxt(path, delimiter=",", skiprows=1)) for path in sorted(folder.glob("*.csv"))]


def as_published(path: Path) -> np.ndarray:
    """A table from a file of PyTorch: an archive whose member `data/0` has the numbers of the rows. A row has
    quaternion, place, angular velocity in the axes of the cube, velocity."""
    with zipfile.ZipFile(path) as archive:
        numbers = next(name for name in archive.namelist() if name.endswith("data/0"))
        rows = np.frombuffer(archive.read(numbers), dtype="<f8").reshape(-1, 13)
    return np.column_stack([np.arange(len(rows)) / RATE, rows])


def toss(name: str, table: np.ndarray) -> Toss:
    """A toss from the rows of its table."""
    quaternion = table[:, 1:5] / np.linalg.norm(table[:, 1:5], axis=1)[:, None]
    turned = rotation(quaternion[0]) @ table[0, 8:11]
    return Toss(name, table[:, 0] - table[0, 0], quaternion, table[:, 5:8], turned, table[0, 11:14])


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """The matrix of a unit quaternion."""
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def errors(recording: Toss, prediction: np.ndarray) -> np.ndarray:
    """Mean distance of the centres [% of the width], mean angle [degrees]; columns of a prediction are those of a
    pose, quaternion first."""
    if not np.isfinite(prediction).all():
        return np.array([1e3, 180.0])
    distance = np.linalg.norm(prediction[:, 4:7] - recording.place, axis=1)
    quaternion = prediction[:, :4] / np.linalg.norm(prediction[:, :4], axis=1)[:, None]
    cosine = np.abs((quaternion * recording.quaternion).sum(axis=1)).clip(0, 1)
    return np.array([100 * distance.mean() / WIDTH, np.degrees(2 * np.arccos(cosine)).mean()])


def summary(found: np.ndarray) -> Dict[str, float]:
    """Reported errors: the mean position and the median angle first, as published figures are."""
    return {
        "position mean": float(found[:, 0].mean()),
        "angle median": float(np.median(found[:, 1])),
        "position median": float(np.median(found[:, 0])),
        "angle mean": float(found[:, 1].mean()),
    }


def loss(found: np.ndarray) -> float:
    """Loss of the fit: the mean of both errors over their aims, each up to `LOST`."""
    capped = np.minimum(found, LOST)
    return float(capped[:, 0].mean() / 11 + capped[:, 1].mean() / 8)


#: Accuracies, and steps [s] of methods of fixed steps, at which predictions are judged.
ACCURACIES = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
STEPS = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4]

#: What a fit may know about the cube, the table and the recording, whatever simulates them.
SCENE = [
    Parameter("radius", "m", 0.004, 0.0005, 0.02),
    Parameter("inertia", "1", 1.0, 0.7, 1.3),
    Parameter("centre_x", "m", 0.0, -0.004, 0.004),
    Parameter("centre_y", "m", 0.0, -0.004, 0.004),
    Parameter("centre_z", "m", 0.0, -0.004, 0.004),
    Parameter("height", "m", -0.0012, -0.004, 0.002),
    Parameter("gravity", "m/s²", 9.7, 9.3, 10.0),
    Parameter("lean_x", "m/s²", 0.0, -0.3, 0.3),
    Parameter("lean_y", "m/s²", 0.0, -0.3, 0.3),
    Parameter("delay", "s", 0.0032, 0.0, 0.0068),
]

def corners(radius: float) -> List[np.ndarray]:
    """Centres of balls of this radius in the corners of the cube: what of it can touch a plane."""
    half = WIDTH / 2 - radius
    return [np.array(signs) for signs in itertools.product((-half, half), repeat=3)]


def centre(values: Dict[str, float]) -> List[float]:
    """The centre of mass in axes of the cube, from its middle [m]."""
    return [values[f"centre_{axis}"] for axis in "xyz"]


def gravity(values: Dict[str, float]) -> np.ndarray:
    """Gravity in axes of the recording, whose table may lean."""
    return np.array([values["lean_x"], values["lean_y"], -values["gravity"]])


def start(recording: Toss, values: Dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Pose (quaternion, place) and velocities (angular, linear, axes of the world) of the first sample. Velocities of
    the recording lag behind by `delay`."""
    pose = np.concatenate([recording.quaternion[0], recording.place[0]])
    velocity = recording.velocity + values["delay"] * gravity(values)
    return pose, np.concatenate([recording.angular_velocity, velocity])


def engines() -> Dict[str, Callable[[], Predictor]]:
    """Every engine and law that the cube is thrown with. An engine is imported when it is made."""

    def kinegraph(method: str, model: str = "point") -> Callable[[], Predictor]:
        return lambda: importlib.import_module("kinegraph_cube").KinegraphCube(method, model)

    def drake(method: str) -> Callable[[], Predictor]:
        return lambda: importlib.import_module("drake_cube").DrakeCube(method)

    return {
        "cenic": kinegraph("cenic"),
        "cenic, hydroelastic": kinegraph("cenic", "hydroelastic"),
        "icf": kinegraph("icf"),
        "sap": kinegraph("sap"),
        "theta-gamma": kinegraph("theta-gamma"),
        "MuJoCo": lambda: importlib.import_module("mujoco_cube").MujocoCube(),
        "Drake, cenic": drake("cenic"),
        "Drake, sap": drake("sap"),
    }
