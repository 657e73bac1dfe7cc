#!/usr/bin/env python3
"""Every URDF, SDFormat and MJCF file in the data of pybullet 3.2.7: which load here, and why others do not.

  pybullet_data.py --binary target/release/kinegraph --cache FOLDER [--fetch] [--alike 25]

--fetch gets the wheel from the package index of pip and unpacks its data to FOLDER. Of `random_urdfs`, a thousand files
that a program wrote, --alike are tried. Where the package pybullet is installed, a file that it does not load either is
marked.
"""

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "3.2.7"
LOADER = """
import pybullet as p, sys
p.connect(p.DIRECT)
p.setAdditionalSearchPath(sys.argv[2])
name = sys.argv[1]
(p.loadURDF if name.endswith("urdf") else p.loadSDF if name.endswith("sdf") else p.loadMJCF)(name)
print("loaded")
"""


def fetch(cache):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-d", folder]
        subprocess.run([*command, f"pybullet=={VERSION}"], check=True)
        for wheel in Path(folder).glob("*.whl"):
            archive = zipfile.ZipFile(wheel)
            archive.extractall(cache, [name for name in archive.namelist() if name.startswith("pybullet_data/")])


def files(root, alike):
    count = 0
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".urdf", ".sdf", ".xml"):
            continue
        count += path.relative_to(root).parts[0] == "random_urdfs"
        if path.relative_to(root).parts[0] != "random_urdfs" or count <= alike:
            yield path


def peer_loads(path, root):
    """Whether the peer loads a file; None where there is no peer."""
    done = subprocess.run([sys.executable, "-c", "import pybullet"], capture_output=True)
    if done.returncode:
        return None
    done = subprocess.run([sys.executable, "-c", LOADER, str(path), str(root)], capture_output=True, text=True, cwd=root)
    return done.stdout.strip().endswith("loaded")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/kinegraph")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--alike", type=int, default=25)
    options = parser.parse_args()
    root = options.cache.resolve() / "pybullet_data"
    if options.fetch and not root.exists():
        fetch(options.cache.resolve())
    counts = {}
    for path in files(root, options.alike):
        done = subprocess.run([options.binary, "check", str(path)], capture_output=True, text=True, timeout=120)
        loads, of = counts.get(path.suffix, (0, 0))
        counts[path.suffix] = (loads + (done.returncode == 0), of + 1)
        if done.returncode:
            also = "" if peer_loads(path, root) in (None, True) else " (not in pybullet either)"
            why = (done.stderr or done.stdout).strip().splitlines()[0].replace(str(root) + "/", "")
            print(f"{path.relative_to(root)}{also}: {why}")
    for suffix, (loads, of) in sorted(counts.items()):
        print(f"{suffix}: {loads} of {of}")


if __name__ == "__main__":
    main()
