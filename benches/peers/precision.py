"""What a run is worth: its error at the end, whether its end is wrong, and the ratio of two engines' times at equal
error."""
import json
import math

# A coordinate of a free body is named scene_body_z by the peers and plant.scene.body.z by Kinegraph.
FALLEN = -0.05   # m: every scene lives above z = 0
FAR_OFF = 0.1    # m, rad or quaternion component, where the motion is predictable to the end
DEEP = 0.5       # m of penetration
PREDICTABLE = 1e-3   # m or rad: two tight runs that end farther apart are no reference
POSITIONS = ("_x", "_y", "_z", "_qw", "_qx", "_qy", "_qz", "_q")


class Reference:
    """How a scene ends; `q` is None where the motion is not predictable to the end. `free` are the names of its free
    bodies (or robots with a free base). `uncertain` is by how much the two tight runs behind it differ: no error below
    it is known."""

    def __init__(self, free, names=(), q=None, uncertain=0.0):
        self.free, self.names, self.q, self.uncertain = free, list(names), q, uncertain

    @classmethod
    def of_file(cls, folder, scene, duration, free, contact="point"):
        """The last sample of the reference trajectory in the folder of the scenes."""
        file = folder / "reference" / (f"{scene}.json" if contact == "point" else f"{scene}.hydro.json")
        if file.exists():
            data = json.loads(file.read_text())
            if data.get("t") and abs(data["t"][-1] - duration) < 1e-9:
                uncertain = data.get("difference_at_end", data.get("deviation", 0.0))
                return cls(free, data["q_names"], data["q"][-1], uncertain)
        return cls(free)

    @classmethod
    def of_runs(cls, coarse, fine, free, tolerance=PREDICTABLE):
        """That of an engine's own two tight runs, where they end within `tolerance` of each other."""
        names = positions_of(fine)
        ends = [end_of(run, names) for run in (coarse, fine)]
        if None in ends or not (uncertain := largest_deviation(*ends)) <= tolerance:
            return cls(free)
        return cls(free, names, [ends[1][name] for name in names], uncertain)

    def error(self, result):
        """Largest deviation of any coordinate at the end; None where it is not known."""
        q = end_of(result, self.names)
        if self.q is None or q is None:
            return None
        return largest_deviation(q, dict(zip(self.names, self.q)))


def name_of(channel):
    """plant.robot.body.z of Kinegraph as the peers name it: robot_body_z."""
    return "_".join(channel.split(".")[1:])


def positions_of(result):
    """Names of the positions that a run reports."""
    names = result.get("q_names") or [name_of(channel) for channel in result.get("final_state", {})]
    return [name for name in names if name.endswith(POSITIONS)]


def end_of(result, names):
    """Final positions by the reference's names; None if the run did not end or reports none."""
    if result.get("status") != "ok":
        return None
    if "final_state" in result:
        by_name = {name_of(channel): value for channel, value in result["final_state"].items()}
    else:
        by_name = dict(zip(result.get("q_names") or [], result.get("final_q") or []))
    # A slider is `..._x` with the peers and `....q` here.
    other = lambda name: name[:-2] + {"_x": "_q", "_q": "_x"}.get(name[-2:], name[-2:])
    found = {name: by_name.get(name, by_name.get(other(name))) for name in names} if by_name else {}
    return None if not found or None in found.values() else found


def largest_deviation(q, reference):
    """Of any coordinate; the signs of quaternions count for nothing."""
    reference = unsigned(reference, q)
    return max(abs(q[name] - reference[name]) for name in reference)


def unsigned(reference, q):
    """The reference with the sign of its quaternions chosen as in q: both signs are the same rotation."""
    out = dict(reference)
    for name in reference:
        if name.endswith("_qw"):
            parts = [name[:-1] + axis for axis in "wxyz"]
            if sum(reference[p] * q[p] for p in parts) < 0:
                out.update({p: -reference[p] for p in parts})
    return out


def lowest(result, free):
    """Height of the lowest of the bodies `free` at the end; None without any."""
    if "final_state" in result:
        state = result["final_state"]
        heights = [state[c[:-2] + "z"] for c in state if c.endswith(".qw") and c[:-2] + "z" in state]
    else:
        heights = [p[2] for name, p in (result.get("final_positions") or {}).items() if name.split("/")[0] in free]
    return min(heights, default=None)


def wrong(result, error, free):
    """Why the end of a run is wrong; empty if nothing speaks against it."""
    if result.get("status") != "ok":
        return result.get("status", "failed")
    z = lowest(result, free)
    if z is not None and z < FALLEN:
        return "fell through"
    if (result.get("max_penetration") or 0) > DEEP:
        return "deep"
    return "far off" if error is not None and error > FAR_OFF else ""


def front(points):
    """(error, time) pairs without those that another beats in both, by falling error."""
    best, out = math.inf, []
    for error, time in sorted((p for p in points if p[0] > 0 and p[1] > 0), key=lambda p: (p[1], p[0])):
        if error < best:
            best = error
            out.append((error, time))
    return out


def time_at(points, error):
    """Time that a front needs for an error, straight lines in logarithms between its points."""
    if error >= points[0][0]:
        return points[0][1]
    for (e0, t0), (e1, t1) in zip(points, points[1:]):
        if e1 <= error:
            part = math.log(e0 / error) / math.log(e0 / e1)
            return math.exp(math.log(t0) + part * math.log(t1 / t0))
    return math.inf


def ratio_at_equal_error(ours, theirs):
    """(ratio, bound, from error, to error): how many times longer they take than we do for the same error: the
    geometric mean over the errors that both reach. `bound` is ">" where we are more accurate than they ever are (the
    ratio is that of their most accurate run to our cheapest one), "<" the other way round. None without points."""
    ours, theirs = front(ours), front(theirs)
    if not ours or not theirs:
        return None
    low, high = max(ours[-1][0], theirs[-1][0]), min(ours[0][0], theirs[0][0])
    if low > high:
        bound = ">" if ours[0][0] < theirs[-1][0] else "<"
        a, b = (ours[0], theirs[-1]) if bound == ">" else (ours[-1], theirs[0])
        return b[1] / a[1], bound, min(a[0], b[0]), max(a[0], b[0])
    at = sorted({low, high} | {e for e, _ in ours + theirs if low <= e <= high})
    logs = [math.log(time_at(theirs, e) / time_at(ours, e)) for e in at]
    return math.exp(sum(logs) / len(logs)), "", low, high


def geometric_mean(values):
    values = [v for v in values if v is not None and v > 0 and math.isfinite(v)]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None
