#!/usr/bin/env python3
"""Random MJCF files against MuJoCo: loading and accelerations of combinations of features that no robot has.

  random_mjcf.py --binary target/debug/kinegraph --count 200 [--seed 1] [--keep FOLDER] [--shrink] [--jobs 1]

Run it with a Python that has the packages mujoco 4.0.0 and numpy. A file is made by its number: trees with all kinds of
joints, classes of defaults in classes, childclass, frames in frames, replicates of replicates, files that attach files
(with and without names and prefixes), included files, idle groups of actuators, all ways to write an orientation,
sequences of Euler angles, degrees and radians, springs and dampers of third degree, rotors on tendons, all shapes with
and without `fromto`, meshes by their vertices, shells, masses and densities, inertias as written, actuators of all
kinds with defaults, fixed and spatial tendons, equalities, keyframes, fluids. Files that MuJoCo refuses are not
counted.

Compared are accelerations at four states without constraints, relative to the largest, as packages.py does, and the
start that each keyframe says, those of attached files among them. --keep writes the files that differ to a folder;
--shrink then takes elements and attributes away for as long as they differ.
"""

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from packages import SCENE, TOLERANCE, accelerations, kinegraph  # noqa: E402
from mjcf import reason  # noqa: E402

SHAPES = ["sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"]
ALONG = ["capsule", "cylinder", "box", "ellipsoid"]
ACTUATORS = ["motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "general"]
CONSTRAINTS = ["constraint"]


class Writer:
    """One random file, or what it attaches."""

    def __init__(self, seed, prefix="", level=0):
        self.random = random.Random(seed)
        self.prefix, self.level, self.count = prefix, level, 0
        self.root = ElementTree.Element("mujoco", model=f"m{seed}")
        self.joints, self.limited, self.balls, self.frees = [], [], [], []
        self.bodies, self.sites, self.geoms, self.meshes, self.tendons = [], [], [], [], []
        self.classes, self.files = [], {}
        self.seed = seed

    # Values.

    def chance(self, p):
        return self.random.random() < p

    def number(self, low, high):
        return round(self.random.uniform(low, high), 4)

    def vector(self, n, low, high):
        return " ".join(str(self.number(low, high)) for _ in range(n))

    def name(self, kind):
        self.count += 1
        return f"{self.prefix}{kind}{self.count}"

    def angle(self, low, high):
        """An angle between two [rad], as the file writes angles."""
        x = self.random.uniform(low, high)
        return round(x * 57.29577951 if self.degrees else x, 4)

    def put(self, parent, tag, **attributes):
        written = {name.rstrip("_"): str(value) for name, value in attributes.items() if value is not None}
        return ElementTree.SubElement(parent, tag, written)

    def orientation(self):
        kind = self.random.choice([None, "quat", "axisangle", "euler", "xyaxes", "zaxis"])
        if kind is None:
            return {}
        if kind == "quat":
            return {"quat": self.vector(4, -1, 1)}
        if kind == "axisangle":
            return {"axisangle": f"{self.vector(3, -1, 1)} {self.angle(-3, 3)}"}
        if kind == "euler":
            return {"euler": " ".join(str(self.angle(-3, 3)) for _ in range(3))}
        return {kind: self.vector(6 if kind == "xyaxes" else 3, -1, 1)}

    def pose(self, size=0.4):
        found = self.orientation()
        if self.chance(0.8):
            found["pos"] = self.vector(3, -size, size)
        return found

    # The head of the file.

    def head(self):
        r = self.random
        self.degrees = self.chance(0.6)
        self.autolimits = self.chance(0.8)
        compiler = {"angle": "degree" if self.degrees else "radian"}
        if self.degrees and self.chance(0.5):
            del compiler["angle"]
        if self.chance(0.5):
            compiler["eulerseq"] = "".join(r.choice(axis) for axis in r.choice(
                [("xX", "yY", "zZ"), ("zZ", "yY", "xX"), ("zZ", "xX", "zZ"), ("yY", "xX", "yY"), ("xX", "zZ", "yY")]))
        if not self.autolimits:
            compiler["autolimits"] = "false"
        if self.chance(0.2):
            compiler["inertiafromgeom"] = r.choice(["true", "auto"])
        if self.chance(0.15):
            compiler["boundmass"], compiler["boundinertia"] = "0.01", "0.0001"
        if self.chance(0.15):
            compiler["balanceinertia"] = "true"
        if self.chance(0.1) and self.level == 0:
            compiler["settotalmass"] = str(self.number(1, 20))
        if self.chance(0.15):
            compiler["inertiagrouprange"] = "0 2"
        self.put(self.root, "compiler", **compiler)
        if self.level == 0:
            option = {"gravity": self.vector(3, -10, 10)} if self.chance(0.5) else {}
            if self.chance(0.15):
                option["actuatorgroupdisable"] = self.random.choice(["1", "1 2", "0 3"])
            if self.chance(0.15):
                option |= {"density": self.number(1, 1000), "viscosity": self.number(0, 0.1)}
                if self.chance(0.5):
                    option["wind"] = self.vector(3, -3, 3)
            option_element = self.put(self.root, "option", **option)
            if self.chance(0.2):
                self.put(option_element, "flag", **{r.choice(["spring", "damper", "gravity", "clampctrl", "actuation"]): "disable"})

    def defaults(self):
        if self.chance(0.3):
            return
        self.default(self.put(self.root, "default"), 0)

    def default(self, element, level):
        if level > 0 or self.chance(0.3):
            name = self.name("class") if level > 0 else "main"
            element.set("class", name)
            if level > 0:
                self.classes.append(name)
        if self.chance(0.6):
            self.put(element, "joint", **self.joint_numbers())
        if self.chance(0.5):
            numbers = {"density": self.number(200, 3000)} if self.chance(0.6) else {}
            if self.chance(0.2):
                numbers["type"] = self.random.choice(["sphere", "capsule", "box"])
                numbers["size"] = self.vector(3, 0.03, 0.2)
            if self.chance(0.2):
                numbers |= self.orientation()
            if self.chance(0.2):
                numbers["group"] = self.random.randint(0, 4)
            self.put(element, "geom", **numbers)
        if self.chance(0.2):
            self.put(element, "site", **self.orientation())
        if self.chance(0.2):
            self.put(element, "mesh", scale="0.5 1.5 2")
        if self.chance(0.3):
            self.put(element, "tendon", **self.tendon_numbers())
        # Ranges of activations in a class would count for kinds that have none.
        plain = [kind for kind in ACTUATORS if kind not in ("general", "intvelocity")]
        for kind in self.random.sample(plain, self.random.choice([0, 0, 1, 2])):
            numbers = {"gear": self.number(-3, 3)} if self.chance(0.4) else {}
            self.put(element, kind, **(numbers | self.actuator_numbers(kind)))
        if level < 3:
            for _ in range(self.random.choice([0, 1, 1, 2])):
                self.default(self.put(element, "default"), level + 1)

    def of_class(self, p=0.3):
        return {"class": self.random.choice(self.classes)} if self.classes and self.chance(p) else {}

    # Bodies.

    def more_terms(self, found):
        """Gives springs and dampers terms of second and third degree."""
        for name in ["stiffness", "damping"]:
            if name in found and self.chance(0.2):
                found[name] = f"{found[name]} {self.vector(self.random.choice([1, 2]), -1, 3)}"

    def joint_numbers(self, kind=None):
        found = {}
        for name, low, high in [("damping", 0, 2), ("armature", 0, 0.2), ("frictionloss", 0, 0.5)]:
            if self.chance(0.4):
                found[name] = self.number(low, high)
        if self.chance(0.3):
            found["stiffness"] = self.number(0, 20)
        if kind in ("hinge", "slide"):
            self.more_terms(found)
        if self.chance(0.1):
            found["springdamper"] = f"{self.number(0.1, 1)} {self.number(0.2, 1.5)}"
        if self.chance(0.2):
            found["axis"] = self.vector(3, -1, 1)
        return found

    def joint(self, body, kind):
        name = self.name("j")
        found = {"name": name} | self.joint_numbers(kind) | self.of_class()
        if kind != "hinge" or self.chance(0.5):
            found["type"] = kind
        if kind == "free":
            found = {"name": name, "type": "free"} | self.of_class()
            if self.chance(0.3):
                found = {"name": name}
                self.put(body, "freejoint", **found)
            else:
                self.put(body, "joint", **found)
            self.frees.append(name)
            return
        if self.chance(0.5):
            found["pos"] = self.vector(3, -0.2, 0.2)
        if kind == "ball":
            found.pop("axis", None)
            self.balls.append(name)
            if self.chance(0.3):
                found["range"] = f"0 {self.angle(0.5, 2)}"
                found["limited"] = "true"
        else:
            if self.chance(0.8):
                found["axis"] = self.vector(3, -1, 1)
            of = self.angle if kind == "hinge" else self.number
            for attribute in ["ref", "springref"]:
                if self.chance(0.3):
                    found[attribute] = of(-0.5, 0.5)
            limited = self.chance(0.5)
            if limited:
                found["range"] = f"{of(-1.5, -0.2)} {of(0.2, 1.5)}"
                found["limited"] = "true" if not self.autolimits or self.chance(0.3) else None
                self.limited.append(name)
            elif self.chance(0.3):
                found["limited"] = "false"
            if self.chance(0.15):
                found |= {"actuatorfrcrange": f"{self.number(-5, -1)} {self.number(1, 5)}", "actuatorfrclimited": "true"}
            self.joints.append(name)
        self.put(body, "joint", **found)

    def mass(self):
        kind = self.random.choice([None, None, "density", "mass"])
        found = {kind: self.number(100, 5000) if kind == "density" else self.number(0.05, 4)} if kind else {}
        if self.chance(0.1):
            found["shellinertia"] = "true"
        if self.chance(0.1):
            found["group"] = self.random.randint(0, 5)
        return found

    def geom(self, body):
        kind = self.random.choice(SHAPES if self.meshes else SHAPES[:-1])
        name = self.name("g")
        found = {"name": name, "type": kind} | self.of_class() | self.mass()
        if kind == "sphere" and self.chance(0.3):
            del found["type"]
        sizes = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "mesh": 0}[kind]
        if kind in ALONG and self.chance(0.4):
            found["fromto"] = self.vector(6, -0.4, 0.4)
            sizes = 1 if kind in ("capsule", "cylinder") or self.chance(0.5) else self.random.choice([2, 3])
        else:
            found |= self.pose(0.3)
        if kind == "mesh":
            found["mesh"] = self.random.choice(self.meshes)
            found.pop("shellinertia", None)
        elif self.meshes and kind in ("sphere", "capsule", "box", "cylinder", "ellipsoid") and self.chance(0.08):
            # A primitive fitted to a mesh.
            found |= {"mesh": self.random.choice(self.meshes), "type": kind}
            found.pop("fromto", None)
            sizes = 0
            if self.chance(0.3):
                found["fitscale"] = self.number(0.5, 1.5)
        if sizes:
            found["size"] = self.vector(sizes, 0.02, 0.2)
        if self.chance(0.2):
            found |= {"contype": self.random.randint(0, 3), "conaffinity": self.random.randint(0, 3)}
        if self.chance(0.1):
            found["priority"] = self.random.randint(-1, 2)
        if self.chance(0.1):
            found["solmix"] = self.number(0.1, 3)
        if self.chance(0.1):
            found["fluidshape"] = "ellipsoid"
        self.put(body, "geom", **found)
        self.geoms.append(name)

    def site(self, body):
        name = self.name("s")
        found = {"name": name} | self.of_class(0.2)
        if self.chance(0.1):
            found |= {"type": "capsule", "size": 0.01, "fromto": self.vector(6, -0.2, 0.2)}
        else:
            found |= self.pose(0.3)
        self.put(body, "site", **found)
        self.sites.append(name)

    def body(self, parent, depth):
        name = self.name("b")
        found = {"name": name} | self.pose()
        if self.classes and self.chance(0.25):
            found["childclass"] = self.random.choice(self.classes)
        if self.chance(0.1):
            found["gravcomp"] = self.number(0, 1.5)
        body = self.put(parent, "body", **found)
        self.bodies.append(name)
        inside = body
        if self.chance(0.15):
            inside = self.put(body, "frame", **self.pose(0.2))
            if self.classes and self.chance(0.4):
                inside.set("childclass", self.random.choice(self.classes))
            if self.chance(0.3):
                inside = self.put(inside, "frame", **self.pose(0.2))
        kinds = self.random.choice([[], ["hinge"], ["hinge"], ["slide"], ["ball"], ["hinge", "slide"], ["slide"] * 3,
                                    ["hinge", "hinge"], ["slide", "ball"], ["hinge", "slide", "hinge"]])
        if depth == 0 and self.chance(0.4):
            kinds = ["free"]
        for kind in kinds:
            self.joint(body if kind == "free" else inside, kind)
        if self.chance(0.3):
            inertial = {"mass": self.number(0.1, 5), "pos": self.vector(3, -0.2, 0.2)}
            if self.chance(0.4):
                a, b, c = (self.number(0.01, 0.05) for _ in range(3))
                inertial["fullinertia"] = f"{a + 0.05} {b + 0.05} {c + 0.06} {self.number(-0.01, 0.01)} {self.number(-0.01, 0.01)} {self.number(-0.01, 0.01)}"
            else:
                inertial |= {"diaginertia": self.vector(3, 0.05, 0.09)} | self.orientation()
            self.put(body, "inertial", **inertial)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.geom(inside)
        for _ in range(self.random.choice([0, 1, 1, 2])):
            self.site(self.random.choice([body, inside]))
        if depth < 3:
            for _ in range(self.random.choice([0, 1, 1, 2] if depth else [1, 1, 2])):
                self.body(self.random.choice([body, inside]), depth + 1)
        return body

    def replicate(self, parent):
        self.kept = [list(of) for of in (self.joints, self.limited, self.balls, self.frees, self.bodies, self.sites, self.geoms)]
        found = {"count": self.random.randint(2, 3)}
        if self.chance(0.7):
            found["offset"] = self.vector(3, -0.5, 0.5)
        if self.chance(0.6):
            found["euler"] = " ".join(str(self.angle(-1, 1)) for _ in range(3))
        # Without it a name with a number could be another one.
        found["sep"] = "_"
        element = self.put(parent, "replicate", **found)
        if self.chance(0.2):
            element = self.put(element, "replicate", **(found | {"sep": "-", "offset": self.vector(3, -0.5, 0.5)}))
        self.body(element, 2)
        # What names something that is repeated is repeated, too; half of the files have that.
        if self.chance(0.5):
            self.joints, self.limited, self.balls, self.frees, self.bodies, self.sites, self.geoms = self.kept

    # What acts.

    def actuator_numbers(self, kind):
        found = {}
        if self.chance(0.2):
            found |= {"ctrlrange": f"{self.number(-2, -0.5)} {self.number(0.5, 2)}", "ctrllimited": "true"}
        if self.chance(0.2):
            found |= {"forcerange": f"{self.number(-3, -1)} {self.number(1, 3)}", "forcelimited": "true"}
        pick = lambda **of: {name: value for name, value in of.items() if self.chance(0.6)}
        if kind == "position":
            found |= pick(kp=self.number(1, 50))
            found |= pick(kv=self.number(0, 3)) if self.chance(0.7) else pick(dampratio=self.number(0.2, 1.5))
            if self.chance(0.2):
                found["timeconst"] = self.number(0.05, 0.3)
        elif kind == "velocity":
            found |= pick(kv=self.number(0, 5))
        elif kind == "intvelocity":
            found |= pick(kp=self.number(1, 50), kv=self.number(0, 3))
            found["actrange"] = f"{self.number(-1, -0.3)} {self.number(0.3, 1)}"
            found["actlimited"] = "true"
        elif kind == "damper":
            found.pop("ctrllimited", None)
            found |= {"kv": self.number(0, 3), "ctrlrange": f"0 {self.number(0.5, 2)}"}
        elif kind == "cylinder":
            found |= pick(timeconst=self.number(0.05, 1), bias=self.vector(3, -2, 0))
            found |= pick(area=self.number(0.5, 3)) if self.chance(0.5) else pick(diameter=self.number(0.3, 2))
        elif kind == "muscle":
            found |= pick(timeconst="0.01 0.05", force=self.number(10, 100), scale=self.number(50, 300), lmin=0.5,
                          lmax=1.6, vmax=1.5, fpmax=1.3, fvmax=1.2, range="0.75 1.05")
        elif kind == "general":
            gain, bias, dynamics = (self.random.choice(of) for of in (
                ["fixed", "affine"], ["none", "affine"], ["none", "none", "integrator", "filter", "filterexact"]))
            found |= {"gaintype": gain, "biastype": bias, "dyntype": dynamics, "gainprm": self.vector(3, -2, 2)}
            found["biasprm"] = self.vector(3, -2, 0)
            found["dynprm"] = self.number(0.05, 0.5)
            if dynamics == "none":
                found.pop("dynprm")
            if dynamics == "integrator":
                found |= {"actlimited": "true", "actrange": "-1 1"}
        return found

    def actuators(self):
        element = None
        for _ in range(self.random.choice([0, 1, 2, 4])):
            kind = self.random.choice(ACTUATORS)
            found = {"name": self.name("a")} | self.actuator_numbers(kind) | self.of_class(0.2)
            if self.chance(0.25):
                found["group"] = self.random.randint(0, 3)
            target = self.random.choice(["joint", "joint", "joint", "tendon", "site", "ball", "free", "jointinparent", "crank"])
            gear = str(self.number(-3, 3))
            if target == "tendon" and self.tendons:
                found["tendon"] = self.random.choice(self.tendons)
            elif target == "site" and self.sites and kind != "muscle":
                found["site"], gear = self.random.choice(self.sites), self.vector(6, -2, 2)
                if self.chance(0.4) and len(self.sites) > 1:
                    found["refsite"] = self.random.choice([site for site in self.sites if site != found["site"]])
            elif target == "crank" and len(self.sites) > 1 and kind != "muscle":
                a, b = self.random.sample(self.sites, 2)
                found |= {"cranksite": a, "slidersite": b, "cranklength": self.number(0.5, 2)}
            elif target == "ball" and self.balls and kind != "muscle":
                found["joint"], gear = self.random.choice(self.balls), self.vector(3, -2, 2)
            elif target == "free" and self.frees and kind != "muscle":
                found["joint"], gear = self.random.choice(self.frees), self.vector(6, -2, 2)
            elif self.joints:
                name = "jointinparent" if target == "jointinparent" else "joint"
                found[name] = self.random.choice(self.limited if kind == "muscle" and self.limited else self.joints)
            else:
                continue
            if kind == "muscle":
                found["lengthrange"] = f"{self.number(0.1, 0.5)} {self.number(0.8, 1.5)}"
            if kind == "position" and found.get("joint") in self.limited and self.chance(0.3):
                found.pop("ctrlrange", None)
                found["inheritrange"] = self.number(0.5, 1)
            if self.chance(0.6):
                found["gear"] = gear
            if ("joint" in found and found["joint"] in self.joints) or "tendon" in found:
                if self.chance(0.2):
                    found["damping"] = self.vector(self.random.randint(1, 3), 0, 1)
                if "joint" in found and self.chance(0.15):
                    found["armature"] = self.number(0, 0.1)
            if element is None:
                element = self.put(self.root, "actuator")
            self.put(element, kind, **found)

    def tendon_numbers(self):
        found = {}
        for name, low, high, p in [("stiffness", 0, 50, 0.4), ("damping", 0, 3, 0.4), ("frictionloss", 0, 1, 0.1)]:
            if self.chance(p):
                found[name] = self.number(low, high)
        self.more_terms(found)
        if self.chance(0.2):
            found["springlength"] = self.vector(1, 0.1, 0.3) if self.chance(0.5) else f"{self.number(0.05, 0.2)} {self.number(0.2, 0.4)}"
        return found

    def tendon_list(self):
        element = None
        for _ in range(self.random.choice([0, 0, 1, 2])):
            name = self.name("t")
            found = {"name": name} | self.tendon_numbers() | self.of_class(0.2)
            if self.chance(0.2):
                found |= {"range": f"{self.number(-2, 0)} {self.number(1, 3)}", "limited": "true"}
            if self.chance(0.4) and self.joints:
                element = self.put(self.root, "tendon") if element is None else element
                found.pop("springlength", None)
                tendon = self.put(element, "fixed", **found)
                for joint in self.random.sample(self.joints, min(len(self.joints), self.random.randint(1, 3))):
                    self.put(tendon, "joint", joint=joint, coef=self.number(-2, 2))
            elif len(self.sites) > 1:
                element = self.put(self.root, "tendon") if element is None else element
                tendon = self.put(element, "spatial", **found)
                sites = self.random.sample(self.sites, min(len(self.sites), self.random.randint(2, 4)))
                for i, site in enumerate(sites):
                    if i == 2 and len(sites) == 4 and self.chance(0.5):
                        self.put(tendon, "pulley", divisor=self.number(1, 3))
                    self.put(tendon, "site", site=site)
                    round_ = [g for g in self.round if g in self.geoms]
                    if i + 1 < len(sites) and not (i == 1 and len(sites) == 4) and round_ and self.chance(0.4):
                        self.put(tendon, "geom", geom=self.random.choice(round_))
            else:
                continue
            self.tendons.append(name)

    def tendon_rotors(self):
        """Gives tendons that wrap over nothing an armature: by numbers of their own, so that the rest stays."""
        apart = random.Random(f"rotors of {self.seed}")
        for tendon in [t for section in self.root.iter("tendon") for t in section if t.tag in ("fixed", "spatial")]:
            if tendon.find("geom") is None and apart.random() < 0.2:
                tendon.set("armature", str(round(apart.uniform(0, 0.5), 4)))

    def equalities(self):
        element = None
        for _ in range(self.random.choice([0, 0, 1, 2])):
            kind = self.random.choice(["connect", "weld", "joint", "tendon"])
            found = {"name": self.name("e")}
            if kind in ("connect", "weld") and len(self.bodies) > 1:
                a, b = self.random.sample(self.bodies, 2)
                found |= {"body1": a} | ({"body2": b} if self.chance(0.7) else {})
                if kind == "connect":
                    found["anchor"] = self.vector(3, -0.1, 0.1)
            elif kind == "joint" and len(self.joints) > 1:
                a, b = self.random.sample(self.joints, 2)
                found |= {"joint1": a} | ({"joint2": b} if self.chance(0.7) else {})
                found["polycoef"] = self.vector(5, -0.5, 0.5)
            elif kind == "tendon" and self.tendons:
                found["tendon1"] = self.random.choice(self.tendons)
            else:
                continue
            if self.chance(0.2):
                found["active"] = "false"
            element = self.put(self.root, "equality") if element is None else element
            self.put(element, kind, **found)

    def assets(self):
        asset = None
        for _ in range(self.random.choice([0, 0, 1, 2])):
            asset = self.put(self.root, "asset") if asset is None else asset
            name = self.name("mesh")
            n = self.random.randint(5, 12)
            # Numbers of few digits: the peer keeps points in single precision.
            points = " ".join(str(self.random.randint(-200, 200) / 1024) for _ in range(3 * n))
            found = {"name": name, "vertex": points} | self.of_class(0.2)
            if self.chance(0.3):
                found["scale"] = " ".join(str(self.random.choice([0.5, 1, 1.5, 2, -1])) for _ in range(3))
            if self.chance(0.2):
                found["refpos"] = " ".join(str(self.random.randint(-100, 100) / 1024) for _ in range(3))
            if self.chance(0.2):
                found["refquat"] = self.vector(4, -1, 1)
            if self.chance(0.3):
                found["inertia"] = self.random.choice(["convex", "exact", "legacy", "shell"])
            self.put(asset, "mesh", **found)
            self.meshes.append(name)
        if self.level < 2 and self.chance(0.25):
            other = Writer(self.seed * 1000 + 7, "o" * (self.level + 1), self.level + 1)
            other.write()
            file = f"other{self.level}.xml"
            self.files[file] = other.text()
            self.files |= other.files
            asset = self.put(self.root, "asset") if asset is None else asset
            # Without a name it has that of its file.
            other.called = f"m{other.seed}" if self.chance(0.3) else "other"
            self.put(asset, "model", name=None if other.called != "other" else "other", file=file)
            self.other = other

    def write(self):
        self.other = None
        self.head()
        self.defaults()
        self.assets()
        world = self.put(self.root, "worldbody")
        if self.chance(0.3) and self.level == 0:
            self.put(world, "geom", type="plane", size="5 5 1", pos="0 0 -9")
        for _ in range(self.random.choice([1, 1, 2])):
            self.body(world, 0)
        if self.chance(0.2):
            self.replicate(world)
        if self.other and self.other.bodies:
            frame = self.put(world, "frame", **self.pose())
            body = self.other.bodies[0] if self.chance(0.7) else None
            if body:
                self.other.drop_keys()
            self.put(frame, "attach", model=self.other.called, body=body, prefix=self.random.choice(["at_", ""]))
        self.round = [geom.get("name") for geom in self.root.iter("geom") if geom.get("type") in ("sphere", "cylinder") and not geom.get("mesh")]
        self.tendon_list()
        self.actuators()
        self.equalities()
        self.tendon_rotors()
        self.keyed = self.chance(0.4)
        if self.level == 0 and self.chance(0.3):
            self.include()

    def drop_keys(self):
        """Of a part of a file keyframes are noted."""
        self.keyed = False
        if self.other:
            self.other.drop_keys()

    def keyframes(self, folder, file):
        """Adds states of as many numbers as the file has, after those of the file that it attaches."""
        import mujoco

        if self.other:
            self.other.keyframes(folder, f"other{self.level}.xml")
        if not self.keyed:
            return
        try:
            model = mujoco.MjModel.from_xml_path(str(folder / file))
        except ValueError:
            return
        element = self.put(self.root, "keyframe")
        for _ in range(self.random.randint(1, 2)):
            self.put(element, "key", name=self.name("key"), qpos=self.vector(model.nq, 0.1, 0.9))
        (folder / file).write_text(self.text())

    def include(self):
        """Moves a section of the file to a file of its own."""
        sections = [child for child in self.root if child.tag in ("actuator", "tendon", "equality", "default", "asset", "worldbody")]
        section = self.random.choice(sections)
        at = list(self.root).index(section)
        self.root.remove(section)
        moved = ElementTree.Element("mujocoinclude")
        moved.append(section)
        self.files["part.xml"] = ElementTree.tostring(moved, encoding="unicode")
        self.root.insert(at, ElementTree.Element("include", file="part.xml"))

    def text(self):
        ElementTree.indent(self.root)
        return ElementTree.tostring(self.root, encoding="unicode")


def compare(binary, folder, seed):
    """What happens to the file in a folder: a word and its details."""
    import mujoco

    path = folder / "m.xml"
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except Exception as fault:
        return "refused", str(fault).splitlines()[0]
    if model.nv == 0:
        return "refused", "nothing moves"
    if is_singular(model):
        return "refused", "its mass matrix is singular"
    scene = SCENE.format(root=f'"{folder}"', model=f'"{path}"', more="", simulation="{duration: 1}")
    out, errors = kinegraph(binary, ["check", "--notes"], scene, 60)
    if out is None:
        return "does not load", reason(errors)
    flags = CONSTRAINTS
    try:
        worst, where = accelerations(binary, folder, path, flags, seed, 60)
    except ValueError as fault:
        return "differs", f"shape: {fault}"
    except mujoco.FatalError as fault:
        return "refused", str(fault)
    if worst is None:
        return "does not run", where
    if worst <= TOLERANCE and (why := other_starts(binary, folder, path, model)):
        return "differs", why
    return ("agrees" if worst <= TOLERANCE else "differs"), f"{worst:.1e} {where}"


def is_singular(model):
    """Whether velocities without kinetic energy exist at the references and beside them."""
    import mujoco
    import numpy

    data, M = mujoco.MjData(model), numpy.zeros((model.nv, model.nv))
    single = model.jnt_qposadr[model.jnt_type >= int(mujoco.mjtJoint.mjJNT_SLIDE)]
    for apart in (0.0, 0.3):
        data.qpos[:] = model.qpos0
        data.qpos[single] += apart
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, M)
        scale = numpy.sqrt(numpy.diag(M))
        if numpy.linalg.eigvalsh(M / numpy.outer(scale, scale)).min() > 1e-13:
            return False
    return True


def other_starts(binary, folder, path, model):
    """Which joint starts elsewhere in a keyframe, if any."""
    import mujoco

    moment = 1e-12
    single = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    for key in range(model.nkey):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_KEY, key)
        simulation = f"{{duration: {moment}, integrator: semi-implicit-euler, step: {moment}}}"
        scene = SCENE.format(root=f'"{folder}"', model=f'"{path}"', more=f", keyframe: {name}", simulation=simulation)
        out, errors = kinegraph(binary, ["run", "--json", "--quiet"], scene, 60)
        if out is None:
            return f"keyframe {name}: {reason(errors)}"
        state = json.loads(out)["final_state"]
        for joint in range(model.njnt):
            label = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
            theirs = model.key_qpos[key][model.jnt_qposadr[joint]]
            ours = state.get(f"plant.m.{label}.q", theirs)
            if model.jnt_type[joint] in single and abs(ours - theirs) > 1e-7 * max(abs(theirs), 1.0):
                return f"keyframe {name}: {label} starts at {ours}, there at {theirs}"
    return None


def class_of(text):
    return re.sub(r'"[^"]*"|`[^`]*`|[-+]?\d[\d.e+-]*', "…", text.splitlines()[-1] if text else "")[:150]


def one(task):
    binary, seed, keep, shrink = task
    os.chdir(tempfile.gettempdir())
    writer = Writer(seed)
    writer.write()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, text in ({"m.xml": writer.text()} | writer.files).items():
            (folder / name).write_text(text)
        writer.keyframes(folder, "m.xml")
        word, details = compare(binary, folder, seed)
        if keep and word not in ("agrees", "refused"):
            if shrink:
                details = shrunk(binary, folder, seed, (word, details))
            kept = keep / str(seed)
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
    return seed, word, details


def shrunk(binary, folder, seed, found, most=400):
    """Takes elements and attributes away while the file fails in the same way."""
    word, details = found
    path, tries = folder / "m.xml", 0
    alike = lambda other: other[0] == word and (word == "differs" or class_of(other[1]) == class_of(details))
    progress = True
    while progress and tries < most:
        progress = False
        tree = ElementTree.parse(path)
        parents = {child: parent for parent in tree.iter() for child in parent}
        parts = [(element, None) for element in parents] + [(e, a) for e in tree.iter() for a in list(e.attrib)]
        gone = set()
        for element, attribute in parts:
            if tries >= most:
                break
            if any(e in gone for e in ancestors(element, parents)):
                continue
            before = path.read_text()
            if attribute is None:
                parent = parents[element]
                at = list(parent).index(element)
                parent.remove(element)
            else:
                value = element.attrib.pop(attribute)
            tree.write(path, encoding="unicode")
            tries += 1
            other = compare(binary, folder, seed)
            if alike(other):
                details, progress = other[1], True
                if attribute is None:
                    gone.add(element)
                continue
            if attribute is None:
                parent.insert(at, element)
            else:
                element.set(attribute, value)
            path.write_text(before)
    return details


def ancestors(element, parents):
    while element is not None:
        yield element
        element = parents.get(element)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/debug/kinegraph")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    keep = options.keep.resolve() if options.keep else None
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    tasks = [(os.path.abspath(options.binary), seed, keep, options.shrink) for seed in range(options.seed, options.seed + options.count)]
    counts, lines = {}, []
    with ProcessPoolExecutor(options.jobs) as pool:
        for seed, word, details in pool.map(one, tasks):
            counts[word] = counts.get(word, 0) + 1
            if word not in ("agrees", "refused"):
                lines.append(f"{seed}: {word}: {details}")
                print(lines[-1], flush=True)
            elif word == "refused":
                counts.setdefault("why", {})
                counts["why"][class_of(details)] = counts["why"].get(class_of(details), 0) + 1
    why = counts.pop("why", {})
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    for text, count in sorted(why.items(), key=lambda item: -item[1])[:12]:
        print(f"  refused by MuJoCo {count}: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
