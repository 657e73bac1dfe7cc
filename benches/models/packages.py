#!/usr/bin/env python3
"""Every MJCF file of published collections against MuJoCo: loading, accelerations, one second of motion.

  packages.py --binary target/release/kinegraph --cache FOLDER [--fetch]
              [--packages dm_control,robosuite] [--only dog,arm] [--jobs 1] [--motion] [--no-accelerations]
              [--notes] [--json FILE]
  packages.py --cache FOLDER --report FILE...    (tables of rows that --json wrote, from several runs)

Run it with a Python that has the packages mujoco 4.0.0 and numpy. FOLDER holds one folder for every collection;
--fetch gets the pinned versions below from the package index of pip and unpacks them there.

Counted are the files that MuJoCo loads. Accelerations: at the references at rest, and at three random states with
random controls and activations, without constraints (contact, stops, equalities, dry friction), by one explicit step
here; the difference is relative to the largest acceleration of the state. Where they differ the comparison is repeated
without actuators and without springs, dampers and fluids, which names the cause. Motion: the file as it is, 1 s with
`cenic` at accuracy 1e-3, against MuJoCo with its own time step; compared are the heights of all bodies at the end.
Where they differ MuJoCo runs again with a tenth of its step, which shows what depends on its steps.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mjcf import native, reason  # noqa: E402

#: Folder of each collection, its name for pip and the version.
PACKAGES = {
    "metaworld": ("metaworld", "3.1.1"),
    "gymnasium": ("gymnasium", "1.4.0"),
    "gymnasium_robotics": ("gymnasium-robotics", "1.4.2"),
    "genesis_world": ("genesis-world", "1.4.5"),
    "dm_control": ("dm-control", "1.0.50"),
    "playground": ("playground", "0.2.0"),
    "brax": ("brax", "0.14.2"),
    "robosuite": ("robosuite", "1.5.2"),
}
STEPS = [1e-3, 1e-6, 1e-9, 1e-13]
STATES = 4
TOLERANCE = 1e-6
HEIGHT = 0.05
FINER = 10
DEEP = 1e-3
BEYOND = 1e-3

SCENE = """kinegraph: 1
model_paths: [{root}]
systems:
  plant:
    type: multibody_plant
    models: [{{name: m, file: {model}{more}}}]
simulation: {simulation}
"""


def fetch(cache, names):
    """Gets the collections that are not there."""
    for name in names:
        package, version = PACKAGES[name]
        if (cache / name).exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "pip", "download", "--no-deps", "-d", folder, f"{package}=={version}"]
            subprocess.run(command, check=True)
            for wheel in Path(folder).glob("*.whl"):
                zipfile.ZipFile(wheel).extractall(cache / name)


def kinegraph(binary, arguments, scene, limit):
    """Runs the program on a scene: its answer, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.yaml"
        path.write_text(scene)
        command = [binary, arguments[0], str(path), *arguments[1:]]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=folder)
        except subprocess.TimeoutExpired:
            return None, f"no end after {limit} s"
    return (done.stdout, done.stderr) if done.returncode == 0 else (None, done.stderr or done.stdout)


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def states(model, seed):
    """Positions, velocities, controls and activations to compare at."""
    import mujoco
    import numpy

    random = numpy.random.default_rng(seed)
    found = []
    for i in range(STATES):
        q, v, u, a = model.qpos0.copy(), numpy.zeros(model.nv), numpy.zeros(model.nu), numpy.zeros(model.na)
        if i > 0:
            v = 0.5 * random.standard_normal(model.nv)
            small = numpy.array(q)
            mujoco.mj_integratePos(model, small, 0.3 * random.standard_normal(model.nv), 1.0)
            q = small
            for k in range(model.nu):
                low, high = model.actuator_ctrlrange[k] if model.actuator_ctrllimited[k] else (-0.5, 0.5)
                u[k] = random.uniform(max(low, -10), min(high, 10)) if low < high else 0.0
            for k in range(model.na):
                a[k] = random.uniform(0, 1)
            for k in range(model.nu):
                at = model.actuator_actadr[k]
                if at >= 0 and model.actuator_actlimited[k]:
                    low, high = model.actuator_actrange[k]
                    a[at] = random.uniform(low, high)
        found.append((q, v, u, a))
    return found


def changed(path, flags, keys):
    """The text of a file with flags and keyframes added at its end, where they count."""
    still = 'density="0" viscosity="0"' if "fluid" in flags else ""
    flag = " ".join(f'{name}="disable"' for name in flags if name != "fluid")
    key = "".join(f'<key name="kinegraph_{i}" {line}/>' for i, line in enumerate(keys))
    key = f"<keyframe>{key}</keyframe>" if keys else ""
    text = path.read_text(errors="replace").rstrip("\0")
    before, end, after = text.rpartition("</mujoco")
    return f"{before}<option {still}><flag {flag}/></option>{key}{end}{after}"


def accelerations(binary, root, path, flags, seed, limit):
    """The largest relative difference over the states; or why there is none."""
    import mujoco
    import numpy
    from oracles import accelerations as solved

    beside = path.with_name(f".{path.stem}.{os.getpid()}.xml")
    try:
        beside.write_text(changed(path, flags, []))
        model = mujoco.MjModel.from_xml_path(str(beside))
        if model.nv == 0:
            return 0.0, None
        data = mujoco.MjData(model)
        chosen = states(model, seed)
        lines = []
        for q, v, u, a in chosen:
            line = f'qpos="{numbers(q)}" qvel="{numbers(v)}"'
            line += f' ctrl="{numbers(u)}"' if model.nu else ""
            line += f' act="{numbers(a)}"' if model.na else ""
            lines.append(line)
        beside.write_text(changed(path, flags, lines))
        worst, where = 0.0, ""
        for i, (q, v, u, a) in enumerate(chosen):
            mujoco.mj_resetData(model, data)
            data.qpos[:], data.qvel[:], data.ctrl[:], data.act[:] = q, v, u, a
            mujoco.mj_forward(model, data)
            theirs = solved(model, data).copy()
            for step in STEPS:
                simulation = f"{{duration: {step}, integrator: semi-implicit-euler, step: {step}}}"
                scene = SCENE.format(root=json.dumps(str(root)), model=json.dumps(str(beside)), more=f", keyframe: kinegraph_{i}", simulation=simulation)
                out, errors = kinegraph(binary, ["run", "--json", "--quiet"], scene, limit)
                # Some damp so strongly that a longer step makes energy, which is refused.
                if out is not None or "the steps are too long" not in errors:
                    break
            if out is None:
                return None, reason(errors)
            run = json.loads(out)
            state = [x for name, x in run["final_state"].items() if name.startswith("plant.")]
            v1 = velocities(state, model)
            # What is compared are changes of velocities in the axes of the format.
            ours = (v1 - world_velocities(q, v, model)) / step
            theirs = world_accelerations(q, v, theirs, model)
            scale = max(numpy.abs(theirs).max(), 1e-3)
            each = numpy.abs(ours - theirs) / scale
            if each.max() > worst:
                worst, where = float(each.max()), dof_name(model, int(each.argmax()))
        return worst, where
    finally:
        beside.unlink(missing_ok=True)


def dof_name(model, dof):
    import mujoco

    joint = model.dof_jntid[dof]
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) or f"joint {joint}"


def velocities(state, model):
    """Velocities of a state here, those of free joints as velocity then angular velocity in world axes."""
    import mujoco
    import numpy

    v = numpy.array(state[model.nq : model.nq + model.nv])
    for joint in range(model.njnt):
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            b = model.jnt_dofadr[joint]
            v[b : b + 6] = numpy.concatenate([v[b + 3 : b + 6], v[b : b + 3]])
    return v


def turn_of(q, model, joint):
    import mujoco
    import numpy

    R, at = numpy.zeros(9), model.jnt_qposadr[joint]
    mujoco.mju_quat2Mat(R, q[at + 3 : at + 7] / numpy.linalg.norm(q[at + 3 : at + 7]))
    return R.reshape(3, 3)


def world_velocities(q, v, model):
    """Velocities of MuJoCo with the angular velocities of free joints in world axes."""
    import mujoco

    v = v.copy()
    for joint in range(model.njnt):
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            b = model.jnt_dofadr[joint]
            v[b + 3 : b + 6] = turn_of(q, model, joint) @ v[b + 3 : b + 6]
    return v


#: d/dt (R w) = R w', since w x w = 0.
world_accelerations = lambda q, v, a, model: world_velocities(q, a, model)


def motion(binary, root, path, limit):
    """The largest difference of the heights of bodies after 1 s, and the body; or why there is none."""
    import mujoco
    import numpy

    model = mujoco.MjModel.from_xml_path(str(path))
    if model.nv == 0:
        return 0.0, None
    simulation = "{duration: 1, integrator: cenic, accuracy: 1e-3}"
    scene = SCENE.format(root=json.dumps(str(root)), model=json.dumps(str(path)), more="", simulation=simulation)
    out, errors = kinegraph(binary, ["run", "--json", "--quiet"], scene, limit)
    if out is None:
        return None, reason(errors)
    state = [x for name, x in json.loads(out)["final_state"].items() if name.startswith("plant.")]
    start = mujoco.MjData(model)
    mujoco.mj_kinematics(model, start)
    theirs = heights(model)
    if theirs is None:
        return 0.0, "MuJoCo diverged and began anew"
    data = mujoco.MjData(model)
    data.qpos[:] = native(state, model)[: model.nq]
    mujoco.mj_kinematics(model, data)
    ours = data.xipos[:, 2]
    apart = numpy.abs(ours - theirs)
    worst = int(apart.argmax())
    body = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, worst) or f"body {worst}"
    text = f"{body}: {ours[worst]:.3f} m for {theirs[worst]:.3f} m, from {start.xipos[worst, 2]:.3f} m"
    if apart.max() <= HEIGHT:
        return float(apart.max()), text
    # How far the peer's own step decides.
    model.opt.timestep /= FINER
    finer = heights(model)
    if finer is not None:
        text += f"; MuJoCo with steps of a tenth: {finer[worst]:.3f} m"
        if numpy.abs(ours - finer).max() <= HEIGHT:
            text += " (within 5 cm of it everywhere)"
        elif numpy.abs(theirs - finer).max() > HEIGHT:
            text += " (it differs from itself by more than 5 cm)"
    return float(apart.max()), text


def heights(model):
    """Heights of all centres of mass after 1 s in MuJoCo; None where it diverges."""
    import mujoco

    data = mujoco.MjData(model)
    while data.time < 1 - 1e-9:
        mujoco.mj_step(model, data)
    bad = [mujoco.mjtWarning.mjWARN_BADQACC, mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL]
    if any(data.warning[k].number for k in bad):
        return None
    mujoco.mj_kinematics(model, data)
    return data.xipos[:, 2].copy()


def features(model):
    """What a model has beyond rigid bodies, by MuJoCo's own description."""
    import mujoco

    found = []
    dynamics = {int(k) for k in model.actuator_dyntype}
    gains = {int(k) for k in model.actuator_gaintype} | {int(k) + 100 for k in model.actuator_biastype}
    transmissions = {int(k) for k in model.actuator_trntype}
    kinds = {3: "filterexact", 2: "filter", 1: "integrator", 4: "muscle"}
    found += [f"dyn:{kinds.get(k, k)}" for k in sorted(dynamics) if k]
    if 2 in gains or 102 in gains:
        found.append("muscle gains")
    names = {int(t): name for name, t in ((t.name, t) for t in map(mujoco.mjtTrn, range(6)))} if transmissions else {}
    found += [names.get(k, str(k)).replace("mjTRN_", "").lower() for k in sorted(transmissions) if k not in (0, 3)]
    if model.opt.density or model.opt.viscosity:
        found.append("fluid")
    if model.opt.wind.any():
        found.append("wind")
    if model.nflex:
        found.append("flex")
    if model.tendon_armature.any():
        found.append("tendon armature")
    if model.nplugin:
        found.append("plugin")
    if (model.jnt_stiffness * (model.jnt_type < 2)).any():
        found.append("ball spring")
    return found


def examine(task):
    """One file."""
    binary, root, path, seed, limit, wants_motion, wants_accelerations = task
    import mujoco

    row = {"file": str(path.relative_to(root.parent)), "seed": seed}
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except Exception:  # A refusal of the library is a ValueError; anything else is one, too.
        return row | {"peer": False}
    row |= {"peer": True, "nv": int(model.nv), "features": features(model)}
    scene = SCENE.format(root=json.dumps(str(root)), model=json.dumps(str(path)), more="", simulation="{duration: 1}")
    out, errors = kinegraph(binary, ["check", "--notes"], scene, limit)
    row["loads"] = out is not None
    if out is None:
        return row | {"why": reason(errors)}
    row["notes"] = kinds_of_notes(out + errors)
    try:
        if not wants_accelerations:
            row["height"], row["motion"] = motion(binary, root, path, limit)
            return row
        row["difference"], row["where"] = accelerations(binary, root, path, ["constraint"], seed, limit)
        if row["difference"] is None or row["difference"] > TOLERANCE:
            row["cause"] = cause(binary, root, path, seed, limit)
        if wants_motion:
            row["height"], row["motion"] = motion(binary, root, path, limit)
    except Exception as fault:
        row.setdefault("difference", None)
        row["where"] = f"{type(fault).__name__}: {fault}".splitlines()[0]
    return row


def cause(binary, root, path, seed, limit):
    """What must be off for the accelerations to agree."""
    passive = ["spring", "damper"]
    for flags, name in [
        (["actuation"], "actuators"),
        (["fluid"], "fluid"),
        (["spring"], "springs"),
        (["damper"], "dampers"),
        (passive, "springs and dampers"),
        (["actuation", "fluid"], "actuators and fluid"),
        (["actuation", *passive, "fluid"], "actuators, and springs and dampers"),
        (["actuation", *passive, "fluid", "gravity"], "gravity"),
    ]:
        difference, _ = accelerations(binary, root, path, ["constraint", *flags], seed, limit)
        if difference is not None and difference <= TOLERANCE:
            return name
    return "inertia"


def kinds_of_notes(text):
    """What is left out: one line a kind, without names and places."""
    found = set()
    for line in text.splitlines():
        match = re.search(r":\d+:\d+  (.*)", line)
        if match:
            line = re.sub(r"\(likewise.*", "", match[1])
            line = re.sub(r'"[^"]*"|`[^`]*`|<[^>]*>|-?\b\d[\w.+-]*', "…", line)
            found.add(line[:140].strip())
    return sorted(found)


def start(path):
    """What of the start of a file is not as it rests: what is inside of what, what is beyond its stops."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = []
    deepest = max((-contact.dist for contact in data.contact), default=0.0)
    if deepest > DEEP:
        found.append(f"starts {1e3 * deepest:.0f} mm inside what it touches")
    limited = [j for j in range(model.njnt) if model.jnt_limited[j] and model.jnt_type[j] >= 2]
    beyond = lambda j: max(model.jnt_range[j][0] - model.qpos0[model.jnt_qposadr[j]], model.qpos0[model.jnt_qposadr[j]] - model.jnt_range[j][1])
    most = max(map(beyond, limited), default=0.0)
    if most > BEYOND:
        found.append(f"starts {most:.2f} beyond a stop")
    touches = False
    while data.time < 1 - 1e-9:
        mujoco.mj_step(model, data)
        struck = [c for c in range(data.nefc) if data.efc_type[c] == mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT]
        if struck and not any("stop" in text for text in found):
            found.append("strikes stops")
        touches |= data.ncon > 0
    if not found and touches:
        found.append("bounces: contact there gives back 0.13 of the speed, and more where it is damped less")
    return found


def explained(row, options):
    """Why the heights of a file differ, as far as the peer itself shows it."""
    text = row["motion"]
    if "within 5 cm of it everywhere" in text:
        return "MuJoCo's own step: with a tenth of it, it ends where it does here"
    causes = ["MuJoCo ends elsewhere with a tenth of its step"] if "differs from itself" in text else []
    try:
        causes += start(options.cache / row["file"])
    except Exception:  # The file is not there; the rows are from elsewhere.
        pass
    return "; ".join(causes) or "not explained"


def merged(paths):
    """The rows of several files of rows, one for each file of a collection."""
    rows = {}
    for path in paths:
        for row in json.loads(path.read_text()):
            known = rows.setdefault(row["file"], {})
            known.update({name: value for name, value in row.items() if value is not None or name not in known})
    return list(rows.values())


def report(rows, options):
    """Tables: counts by collection, then every difference."""
    counted = [row for row in rows if row["peer"]]
    moved = [row for row in counted if "motion" in row or "height" in row]
    print("| collection | files MuJoCo loads | load here | accelerations within 1e-6 | run 1 s | heights within 5 cm |")
    print("|---|---|---|---|---|---|")
    for group in [*PACKAGES, None]:
        own = [row for row in counted if group is None or row["file"].split("/")[0] == group]
        if not own:
            continue
        loads = [row for row in own if row["loads"]]
        agree = [row for row in loads if row.get("difference") is not None and row["difference"] <= TOLERANCE]
        ran = [row for row in loads if row.get("height") is not None]
        high = [row for row in ran if row["height"] <= HEIGHT]
        name = " ".join(PACKAGES[group]) if group else "all"
        motion = f"{len(ran)} | {len(high)}" if moved else " | "
        print(f"| {name} | {len(own)} | {len(loads)} | {len(agree)} | {motion} |")
    lost = [row for row in counted if not row["loads"]]
    if lost:
        print("\n| does not load | why |\n|---|---|")
        for row in lost:
            print(f"| `{short(row)}` | {row['why']} |")
    differ = [row for row in counted if row["loads"] and "difference" in row and not (row["difference"] or 1) <= TOLERANCE]
    differ = [row for row in differ if row["difference"] != 0.0]
    if differ:
        print("\n| accelerations differ | relative | first | cause | has |\n|---|---|---|---|---|")
        for row in sorted(differ, key=lambda row: (row.get("cause") or "", -(row["difference"] or 0))):
            size = "none" if row["difference"] is None else f"{row['difference']:.1e}"
            print(f"| `{short(row)}` | {size} | {row.get('where')} | {row.get('cause')} | {', '.join(row['features'])} |")
    apart = [row for row in moved if row["loads"] and "motion" in row and (row.get("height") is None or row["height"] > HEIGHT)]
    if apart:
        print("\n| heights differ | m | body | why |\n|---|---|---|---|")
        for row in apart:
            size = "fails" if row.get("height") is None else f"{row['height']:.2f}"
            text = re.sub(r" \([^)]*\)", "", row["motion"])
            why = explained(row, options) if row.get("height") is not None else ""
            print(f"| `{short(row)}` | {size} | {text} | {why} |")
    notes = Counter(note for row in counted for note in row.get("notes", []))
    if notes and options.notes:
        print("\n| note | files |\n|---|---|")
        for note, count in notes.most_common():
            print(f"| {note} | {count} |")


def short(row):
    """A file by its collection and the end of its path."""
    parts = row["file"].split("/")
    return "/".join([parts[0], "…", *parts[-2:]]) if len(parts) > 4 else row["file"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/kinegraph")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--packages", default=",".join(PACKAGES))
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--motion", action="store_true")
    parser.add_argument("--no-accelerations", action="store_true")
    parser.add_argument("--notes", action="store_true", help="a table of what the files have that is left out")
    parser.add_argument("--json", type=Path, help="rows are written here")
    parser.add_argument("--report", type=Path, nargs="+", help="no runs: tables of the rows of these files")
    options = parser.parse_args()
    if options.report:
        return report(merged(options.report), options)
    names, cache = options.packages.split(","), options.cache.resolve()
    if options.fetch:
        fetch(cache, names)
    only = [part for part in options.only.split(",") if part]
    tasks = []
    for name in names:
        for seed, path in enumerate(sorted((cache / name).rglob("*.xml"))):
            if not path.name.startswith(".") and (not only or any(part in str(path) for part in only)):
                tasks.append((os.path.abspath(options.binary), cache / name, path, seed, options.limit, options.motion, not options.no_accelerations))
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for i, row in enumerate(pool.map(examine, tasks)):
            rows.append(row)
            print(f"\r{i + 1} of {len(tasks)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    report(rows, options)


if __name__ == "__main__":
    main()
