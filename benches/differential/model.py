"""A model of links and joints as data, and how URDF, SDFormat and MJCF say it.

A model is a map: `links` (the first is the root) with mass, centre, inertia about the centre and shapes, `joints` with
the pose `p`, `R` of the child in the parent where the joint is at zero, and for MJCF alone `sites`, `tendons` and the
limits of balls. Numbers of places and directions are written with `digits` behind the point.
"""

import copy
import math

import frames

ONE_AXIS = ("revolute", "continuous", "prismatic", "screw")
IN_SDF = ("revolute", "continuous", "prismatic", "universal", "ball", "fixed")
IN_MJCF = ("revolute", "continuous", "prismatic", "ball", "fixed")


def number(x, digits=17):
    if digits >= 15:
        return repr(float(x))
    return repr(round(float(x), digits) + 0.0)


def numbers(v, digits=17):
    return " ".join(number(x, digits) for x in v)


def inertia_text(i):
    names = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
    return [(name, number(i[r][c])) for name, r, c in names]


def moving(model):
    """Links that joints move, with the joint of each."""
    return {j["child"]: j for j in model["joints"] if j["kind"] != "fixed"}


def reframed(model, turns):
    """The same model with the frame of each link in `turns` turned by that rotation in itself."""
    m = copy.deepcopy(model)
    back = {name: frames.transposed(r) for name, r in turns.items()}
    same = frames.IDENTITY
    for link in m["links"]:
        b = back.get(link["name"], same)
        link["centre"] = frames.turned(b, link["centre"])
        link["inertia"] = frames.product(b, frames.product(link["inertia"], frames.transposed(b)))
        for shape in link["shapes"]:
            shape["at"], shape["R"] = frames.turned(b, shape["at"]), frames.product(b, shape["R"])
    for joint in m["joints"]:
        b, t = back.get(joint["parent"], same), turns.get(joint["child"], same)
        joint["p"] = frames.turned(b, joint["p"])
        joint["R"] = frames.product(b, frames.product(joint["R"], t))
        joint["axis"] = frames.turned(frames.transposed(t), joint["axis"])
    for site in m.get("sites", []):
        site["at"] = frames.turned(back.get(site["link"], same), site["at"])
    return m


def poses(model, root, start):
    """Poses (R, p) of all links in the world, at the positions `start` of joints of one axis."""
    found = {model["links"][0]["name"]: root}
    for joint in model["joints"]:
        rotation, place = found[joint["parent"]]
        place = frames.plus(place, frames.turned(rotation, joint["p"]))
        rotation = frames.product(rotation, joint["R"])
        q = start.get(joint["name"], 0.0)
        if joint["kind"] == "prismatic":
            axis = unit(joint["axis"])
            place = frames.plus(place, frames.turned(rotation, tuple(q * x for x in axis)))
        elif joint["kind"] in ONE_AXIS:
            if joint["kind"] == "screw":
                along = tuple(q / (2 * math.pi) * joint["pitch"] * x for x in unit(joint["axis"]))
                place = frames.plus(place, frames.turned(rotation, along))
            rotation = frames.product(rotation, frames.about(joint["axis"], q))
        found[joint["child"]] = (rotation, place)
    return found


def unit(v):
    n = math.sqrt(sum(x * x for x in v))
    return tuple(x / n for x in v)


def urdf(model, digits=17):
    out = ['<robot name="m" xmlns:drake="http://drake.mit.edu">']
    for link in model["links"]:
        out.append(f'  <link name="{link["name"]}">')
        if link["mass"]:
            i = " ".join(f'{name}="{value}"' for name, value in inertia_text(link["inertia"]))
            out.append(
                f'    <inertial><origin xyz="{numbers(link["centre"], digits)}"/><mass value="{number(link["mass"])}"/>'
                f"<inertia {i}/></inertial>"
            )
        for shape in link["shapes"]:
            kind, size = shape["kind"], shape["size"]
            geometry = {
                "sphere": f'<sphere radius="{number(size[0])}"/>',
                "box": f'<box size="{numbers(size)}"/>',
                "mesh": '<mesh filename="hull.obj"/>',
                "cylinder": f'<cylinder radius="{number(size[0])}" length="{number(size[-1])}"/>',
                "capsule": f'<drake:capsule radius="{number(size[0])}" length="{number(size[-1])}"/>',
            }[kind]
            origin = f'xyz="{numbers(shape["at"], digits)}" rpy="{numbers(frames.rpy(shape["R"]), digits)}"'
            out.append(f"    <collision><origin {origin}/><geometry>{geometry}</geometry></collision>")
        out.append("  </link>")
    for j in model["joints"]:
        out.append(f'  <joint name="{j["name"]}" type="{j["kind"]}">')
        out.append(f'    <parent link="{j["parent"]}"/><child link="{j["child"]}"/>')
        out.append(f'    <origin xyz="{numbers(j["p"], digits)}" rpy="{numbers(frames.rpy(j["R"]), digits)}"/>')
        if j["kind"] not in ("ball", "fixed", "universal"):
            out.append(f'    <axis xyz="{numbers(j["axis"], digits)}"/>')
        limit = ""
        if j.get("limits"):
            limit += f' lower="{number(j["limits"][0])}" upper="{number(j["limits"][1])}"'
        if j.get("effort"):
            limit += f' effort="{number(j["effort"])}"'
        if limit:
            out.append(f"    <limit{limit}/>")
        dynamics = "".join(f' {key}="{number(j[key])}"' for key in ("damping", "friction") if j.get(key))
        if dynamics:
            out.append(f"    <dynamics{dynamics}/>")
        if j["kind"] == "screw":
            out.append(f'    <drake:screw_thread_pitch value="{number(j["pitch"])}"/>')
        out.append("  </joint>")
    return "\n".join([*out, "</robot>\n"])


def sdf(model, digits=17, version="1.9"):
    """SDFormat: axes in the frame of the model up to 1.4, in that of the joint from 1.5 on."""
    old = float(version) < 1.7
    at = poses(model, (frames.IDENTITY, (0.0, 0.0, 0.0)), {})
    out = [f'<sdf version="{version}">', '<model name="m">']
    carried = {j["child"]: j for j in model["joints"]}
    for link in model["links"]:
        rotation, place = at[link["name"]]
        relative = ""
        if not old and link["name"] in carried:
            joint = carried[link["name"]]
            rotation, place, relative = joint["R"], joint["p"], f' relative_to="{joint["parent"]}"'
        pose = numbers((*place, *frames.rpy(rotation)), digits)
        out.append(f'  <link name="{link["name"]}"><pose{relative}>{pose}</pose>')
        if link["mass"]:
            i = "".join(f"<{name}>{value}</{name}>" for name, value in inertia_text(link["inertia"]))
            out.append(
                f'    <inertial><pose>{numbers(link["centre"], digits)} 0 0 0</pose>'
                f'<mass>{number(link["mass"])}</mass><inertia>{i}</inertia></inertial>'
            )
        else:
            out.append("    <inertial><mass>0.001</mass><inertia><ixx>1e-6</ixx><iyy>1e-6</iyy><izz>1e-6</izz>"
                       "</inertia></inertial>")
        for n, shape in enumerate(link["shapes"]):
            kind, size = shape["kind"], shape["size"]
            inner = {
                "sphere": f"<radius>{number(size[0])}</radius>",
                "box": f"<size>{numbers(size)}</size>",
            }.get(kind, f"<radius>{number(size[0])}</radius><length>{number(size[-1])}</length>")
            pose = numbers((*shape["at"], *frames.rpy(shape["R"])), digits)
            out.append(
                f'    <collision name="c{n}"><pose>{pose}</pose><geometry><{kind}>{inner}</{kind}></geometry>'
                "</collision>"
            )
        out.append("  </link>")
    for j in model["joints"]:
        kind = "revolute" if j["kind"] == "continuous" and old else j["kind"]
        out.append(f'  <joint name="{j["name"]}" type="{kind}">')
        out.append(f'    <parent>{j["parent"]}</parent><child>{j["child"]}</child>')
        axes = {"ball": [], "fixed": [], "universal": [(1, 0, 0), (0, 1, 0)]}.get(j["kind"], [j["axis"]])
        for n, axis in enumerate(axes):
            if float(version) < 1.5:
                axis = frames.turned(at[j["child"]][0], axis)
            tag = "axis2" if n else "axis"
            inner = f"<xyz>{numbers(axis, digits)}</xyz>"
            limit = ""
            if j.get("limits"):
                limit += f'<lower>{number(j["limits"][0])}</lower><upper>{number(j["limits"][1])}</upper>'
            elif float(version) < 1.5:
                limit += "<lower>-1e16</lower><upper>1e16</upper>"
            if j.get("effort"):
                limit += f'<effort>{number(j["effort"])}</effort>'
            inner += f"<limit>{limit}</limit>" if limit else ""
            dynamics = "".join(f"<{key}>{number(j[key])}</{key}>" for key in ("damping", "friction") if j.get(key))
            inner += f"<dynamics>{dynamics}</dynamics>" if dynamics else ""
            out.append(f"    <{tag}>{inner}</{tag}>")
        out.append("  </joint>")
    return "\n".join([*out, "</model>", "</sdf>\n"])


def mjcf(model, digits=17, floating=False):
    """MJCF: the children of a link are nested in it; the root stands in the world or floats."""
    out = ["<mujoco>", '  <compiler angle="radian"/>', "  <worldbody>"]
    for site in model.get("sites", []):
        if site["link"] == "world":
            out.append(f'    <site name="{site["name"]}" pos="{numbers(site["at"], digits)}"/>')
    links = {link["name"]: link for link in model["links"]}

    def body(link, joint, indent):
        pad = " " * indent
        pose = ""
        if joint:
            q = frames.quaternion(joint["R"])
            pose = f' pos="{numbers(joint["p"], digits)}" quat="{numbers(q, digits)}"'
        out.append(f'{pad}<body name="{link["name"]}"{pose}>')
        if not joint and floating:
            out.append(f'{pad}  <freejoint name="{link["name"]}"/>')
        if joint and joint["kind"] != "fixed":
            out.append(f"{pad}  {mjcf_joint(joint, digits)}")
        if link["mass"]:
            i = link["inertia"]
            full = numbers((i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]))
            out.append(
                f'{pad}  <inertial pos="{numbers(link["centre"], digits)}" mass="{number(link["mass"])}" '
                f'fullinertia="{full}"/>'
            )
        for shape in link["shapes"]:
            size = shape["size"]
            half = {
                "sphere": size[:1],
                "box": [x / 2 for x in size],
            }.get(shape["kind"], [size[0], size[-1] / 2])
            q = frames.quaternion(shape["R"])
            place = f'pos="{numbers(shape["at"], digits)}" quat="{numbers(q, digits)}"'
            out.append(f'{pad}  <geom type="{shape["kind"]}" size="{numbers(half)}" {place}/>')
        for site in model.get("sites", []):
            if site["link"] == link["name"]:
                out.append(f'{pad}  <site name="{site["name"]}" pos="{numbers(site["at"], digits)}"/>')
        for j in model["joints"]:
            if j["parent"] == link["name"]:
                body(links[j["child"]], j, indent + 2)
        out.append(f"{pad}</body>")

    body(model["links"][0], None, 4)
    out.append("  </worldbody>")
    if model.get("tendons"):
        out.append("  <tendon>")
        for t in model["tendons"]:
            out.append(f"    {mjcf_tendon(t)}")
        out.append("  </tendon>")
        held = [t for t in model["tendons"] if t.get("equality")]
        if held:
            out.append("  <equality>")
            out += [f'    <tendon tendon1="{t["name"]}" solref="{numbers(t["equality"])}"/>' for t in held]
            out.append("  </equality>")
    return "\n".join([*out, "</mujoco>\n"])


def mjcf_joint(j, digits):
    kind = {"prismatic": "slide", "ball": "ball"}.get(j["kind"], "hinge")
    axis = "" if kind == "ball" else f' axis="{numbers(j["axis"], digits)}"'
    extra = ""
    if j.get("limits"):
        extra += f' limited="true" range="{numbers(j["limits"])}"'
    if j.get("solref"):
        extra += f' solreflimit="{numbers(j["solref"])}"'
    if j.get("damping"):
        extra += f' damping="{number(j["damping"])}"'
    if j.get("friction"):
        extra += f' frictionloss="{number(j["friction"])}"'
    return f'<joint name="{j["name"]}" type="{kind}"{axis}{extra}/>'


def mjcf_tendon(t):
    extra = ""
    if t.get("limits"):
        extra += f' limited="true" range="{numbers(t["limits"])}" solreflimit="{numbers(t["solref"])}"'
    for key in ("stiffness", "damping", "frictionloss"):
        if t.get(key):
            extra += f' {key}="{number(t[key])}"'
    if t.get("rest"):
        extra += f' springlength="{number(t["rest"])}"'
    if t["kind"] == "fixed":
        inner = "".join(f'<joint joint="{name}" coef="{number(coef)}"/>' for name, coef in t["path"])
        return f'<fixed name="{t["name"]}"{extra}>{inner}</fixed>'
    inner = "".join(f'<site site="{name}"/>' for name in t["path"])
    return f'<spatial name="{t["name"]}"{extra}>{inner}</spatial>'
