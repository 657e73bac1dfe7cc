"""The programs of docs/python.md and of pages that say it in several languages run, one after the other, as a reader
would run them."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(page):
    text = (ROOT / "docs" / page).read_text()
    return re.findall(r"```python\n(.*?)```", text, flags=re.S)


def test_the_guide_runs(monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    names = {"__name__": "guide"}
    done = 0
    for block in blocks("python.md"):
        if "scheduler:8786" in block:  # clusters: test_sweep.py
            continue
        if "kg.Worlds(" in block:
            first, rest = block.split("\n", 1)
            exec(first, names)
            names["states"], names["goals"] = names["worlds"].states, np.zeros((1000, 4))
            names["fallen"] = np.arange(1000) % 2 == 0
            block = rest
        if "kg.sweep(" in block:
            block = block.replace('"franka.yaml"', '"examples/franka/franka.yaml"').replace(":20:log", ":3:log")
        exec(compile(block, "docs/python.md", "exec"), names)
        done += 1
    assert done >= 5


def test_the_diagram_for_users_of_drake_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    (block,) = blocks("from-drake.md")
    exec(compile(block, "docs/from-drake.md", "exec"), {"__name__": "guide"})
