"""Sensors of MJCF models against MuJoCo's `sensordata`, at random states.

    python benches/models/sensors.py --states 1000

Finds the models of gymnasium and dm_control that have sensors (`pip install mujoco gymnasium dm_control`), writes their
readings with systems/tests/data/mjcf_sensors/reference.py and compares them with
`cargo test --workspace --test all mjcf_sensors`. Every number is to agree within 1e-9 of the larger of itself and
one. Left out are what the documents name (docs/mjcf.md, Sensors), and forces in contact.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "systems/tests/data/mjcf_sensors/reference.py"


def models():
    """MJCF files with sensors that MuJoCo loads."""
    import mujoco

    for package in ("gymnasium", "dm_control"):
        folder = Path(importlib.util.find_spec(package).origin).parent
        for path in sorted(folder.rglob("*.xml")):
            if "<sensor" not in path.read_text(errors="replace"):
                continue
            try:
                model = mujoco.MjModel.from_xml_path(str(path))
            except ValueError:
                continue
            if model.nsensor > 0:
                yield package, path


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--states", type=int, default=1000)
    options.add_argument("--keep", help="a folder for the states; without it they are removed")
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(exist_ok=True, parents=True)
        for package, path in models():
            name = f"{package}-{path.parent.name}-{path.stem}.json"
            subprocess.run([sys.executable, REFERENCE, str(options.states), folder / name, path], check=False)
        test = ["cargo", "test", "--workspace", "--test", "all", "other_models_read", "--", "--nocapture"]
        environment = os.environ | {"KINEGRAPH_SENSOR_STATES": str(folder)}
        sys.exit(subprocess.run(test, cwd=ROOT, env=environment).returncode)


main()
