"""Fits from Python."""

import math
import random

import numpy as np
import pytest

import kinegraph as kg
from conftest import LAG

MATCH = {"lag.output": "y"}


@pytest.fixture
def data(tmp_path):
    draws = random.Random(3)
    rows = [f"{t},{3 * math.exp(-t / 0.7) + draws.gauss(0, 1e-3)}" for t in np.arange(21) * 0.05]
    file = tmp_path / "data.csv"
    file.write_text("\n".join(["time,y", *rows]))
    return file


def test_a_lag_is_fitted(lag, data, tmp_path):
    seen = []
    out, report = tmp_path / "fitted.yaml", tmp_path / "fit.html"
    found = kg.fit(
        lag,
        data,
        "parameters.tau=0.1:5",
        match=MATCH,
        noise={"lag.output": 1e-3},
        out=out,
        report=report,
        progress=lambda *now: seen.append(now),
    )
    tau = found["parameters"][0]
    assert found["converged"] and abs(tau["value"] - 0.7) < 2 * tau["interval"] < 4e-3
    assert len(seen) >= 3 and seen[-1][2] < 0.1
    assert f"tau: {tau['value']!r}"[:10] in out.read_text() and report.read_text().count("<svg") == 3
    with pytest.raises(kg.KinegraphError, match="no column `z`"):
        kg.fit(lag, data, "parameters.tau", match={"lag.output": "z"})


def test_a_search_that_is_interrupted_goes_on(lag, data, tmp_path):
    out = tmp_path / "fitted.yaml"

    def stop(iterations, runs, size):
        if iterations == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kg.fit(lag, data, "parameters.tau=0.1:5", match=MATCH, out=out, progress=stop)
    assert not out.exists()
    found = kg.fit(lag, data, "parameters.tau=0.1:5", match=MATCH, out=out, resume=True)
    assert found["converged"] and out.exists() and not out.with_name("fitted.yaml.search").exists()


def test_the_section_of_the_file_says_what_is_fitted(lag, data):
    typed = kg.fit(lag, data, "parameters.tau=0.1:5", match=MATCH, noise=1e-3, until=0.9, robust=True)
    section = "fit: {data: [data.csv], match: [lag.output=y], by: [parameters.tau=0.1:5], noise: 0.001, until: 0.9,"
    section += " robust: true}"
    lag.write_text(LAG + section + "\n")
    assert lag.parent == data.parent
    found = kg.fit(lag)
    assert [found[key] for key in ("parameters", "channels")] == [typed[key] for key in ("parameters", "channels")]
    assert found["channels"][0]["samples"] == 19
    assert kg.fit(lag, robust=False, until=0.5)["channels"][0]["samples"] == 11
    assert len(kg.plan_fit(lag, noise=1e-3)["experiments"][0]["parameters"]) == 1
    lag.write_text(LAG)
    with pytest.raises(kg.KinegraphError, match="which recordings"):
        kg.fit(lag, by="parameters.tau")


def test_a_plan_has_the_interval_of_the_fit(lag, data):
    by = "parameters.tau"
    plan = kg.plan_fit(lag, by, noise=1e-3, vary={"systems.lag.initial": [0.3, 3]})
    assert plan["best"] == 1 and len(plan["experiments"]) == 2
    planned = plan["experiments"][1]["parameters"][0]["interval"]
    fitted = kg.fit(lag, data, by, match=MATCH, noise=1e-3)["parameters"][0]["interval"]
    assert 0.3 < planned / fitted < 3


def test_the_inertia_of_an_arm_is_found_from_its_torques(tmp_path):
    (tmp_path / "arm.urdf").write_text(
        '<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>'
        '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>'
        "</robot>"
    )
    file = tmp_path / "arm.yaml"
    file.write_text(
        "kinegraph: 1\nsystems:\n  plant: {type: multibody_plant, models: [{name: arm, file: arm.urdf, base: fixed}]}\n"
        "connections: []\nsimulation: {integrator: cenic, accuracy: 1e-3, duration: 1}\n"
    )
    rows = ["time,hinge.q,hinge.v,hinge.a,hinge.tau"]
    for t in np.arange(100) * 0.05:
        q, v, a = math.sin(t), math.cos(t), -math.sin(t)
        # About the hinge: 0.1 + 2 0.2² kg m², and the weight at 0.2 m.
        torque = 0.18 * a - 2 * 9.80665 * 0.2 * math.cos(q)
        rows.append(f"{t},{q},{v},{a},{torque}")
    data = tmp_path / "torques.csv"
    data.write_text("\n".join(rows))
    found = kg.fit_torques(file, "plant.arm", data, out=tmp_path / "fitted.yaml")
    values = {one["name"]: one["value"] for one in found["parameters"]}
    assert abs(values["rod Iyy"] - 0.18) < 1e-3, values
    assert kg.load(tmp_path / "fitted.yaml")
