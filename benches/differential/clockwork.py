"""The part of a diagram that depends on time alone, evaluated here: what each output is at any time.

Static blocks are evaluated as they stand; crossings are searched on a grid finer than the fastest source and bisected;
integrals are sums of Gauss's rule over its cells, which end at every jump. A block that is not known here makes all
that depends on it unknown (None).
"""

import bisect
import math
import re

EDGE = 1e-12
MOST_CELLS = 30000
MOST_SAMPLES = 5000


class Unknown(Exception):
    """A block whose output does not follow from the time by what is known here."""


class Clockwork:
    """Outputs as functions of (t, side): side -1 is the value just before t."""

    def __init__(self, scene, fineness=1.0):
        self.systems, self.wires = scene.systems, {b: a for a, b in scene.wires}
        self.end = scene.simulation["duration"]
        self.fineness = fineness
        self.memory, self.knots, self.fastest, self.kinked = {}, {0.0, self.end}, 2.0 / self.end, False

    def output(self, name):
        """The function of an output `block.port`."""
        if name not in self.memory:
            self.memory[name] = None
            self.memory[name] = self.made(name)
        if self.memory[name] is None:
            raise Unknown(name)
        return self.memory[name]

    def input(self, block, port):
        source = self.wires.get(f"{block}.{port}")
        if source is None or source.startswith("plant."):
            raise Unknown(block)
        return self.output(source)

    def made(self, name):
        block, port = name.split(".", 1)
        p = self.systems.get(block, {})
        maker = getattr(self, p.get("type", "none"), None)
        # Lists mean several signals, but for the table's.
        if maker is None or "[" in port and p.get("type") != "sine" or p.get("width", 1) != 1:
            raise Unknown(name)
        if any(isinstance(v, list) for k, v in p.items() if k not in ("arguments", "values", "inputs", "initial",
                                                                      "frequencies")):
            raise Unknown(name)
        return maker(block, p, port)

    def cells(self):
        """Boundaries of cells: fine enough for the fastest source, with all jumps among them."""
        # Kinks inside of formulas are not located: smaller cells do instead.
        n = self.fineness * (120 if self.kinked else 24) * self.fastest * self.end
        if n > MOST_CELLS * self.fineness:
            raise Unknown("too fast a source")
        n = max(4000 if self.kinked else 400, math.ceil(n))
        return sorted({self.end * i / n for i in range(n + 1)} | {k for k in self.knots if 0 <= k <= self.end})

    def crossings(self, f, level):
        """Times at which f crosses a level, with the way: (t, +1 or -1)."""
        found, cells = [], self.cells()
        last = f(cells[0], 1) - level
        if (f(cells[0], -1) < level) != (last < 0):
            raise Unknown("it jumps at the start")
        for a, b in zip(cells, cells[1:]):
            inner = f(b, -1) - level
            if last == 0 and inner == 0:
                raise Unknown("it lies on the level")
            if (last < 0) != (inner < 0):
                lo, hi = a, b
                for _ in range(60):
                    mid = (lo + hi) / 2
                    if (f(mid, 1) - level < 0) == (last < 0):
                        lo = mid
                    else:
                        hi = mid
                found.append((hi, 1 if inner >= 0 else -1))
            after = f(b, 1) - level
            if (inner < 0) != (after < 0):
                found.append((b, 1 if after >= 0 else -1))
            last = after
        return found

    def kinks(self, f, level):
        """Cells end where f crosses a level."""
        self.knots |= {t for t, _ in self.crossings(f, level)}

    # Sources.

    def sine(self, block, p, port):
        w, phase, size = p["frequency"], p.get("phase", 0.0), p.get("amplitude", 1.0)
        offset = p.get("offset", 0.0)
        self.fastest = max(self.fastest, w / (2 * math.pi))
        if port in ("output", "state[0]"):
            return lambda t, side: size * math.sin(w * t + phase) + offset
        if port in ("rate", "state[1]"):
            return lambda t, side: size * w * math.cos(w * t + phase)
        raise Unknown(block)

    def chirp(self, block, p, port):
        (a, b), T, size = p["frequencies"], p["duration"], p.get("amplitude", 1.0)
        if T < self.end:
            raise Unknown(block)
        self.fastest = max(self.fastest, a / 6.28, b / 6.28)
        return lambda t, side: size * math.sin(a * t + (b - a) * t * t / (2 * T))

    def constant(self, block, p, port):
        if isinstance(p["value"], list):
            raise Unknown(block)
        return lambda t, side: p["value"]

    def ramp(self, block, p, port):
        start, stop, x = p.get("start", 0.0), p.get("stop", math.inf), p.get("initial", 0.0)
        self.knots |= {k for k in (start, stop) if k < self.end}
        return lambda t, side: x + p["slope"] * max(0.0, min(t, stop) - start)

    def step(self, block, p, port):
        at, low, high = p["time"], p.get("initial", 0.0), p["final"]
        self.knots.add(at)
        return lambda t, side: high if t > at or (t == at and side > 0) else low

    def pulse(self, block, p, port):
        size, period, delay = p.get("amplitude", 1.0), p["period"], p.get("delay", 0.0)
        part = p.get("width_fraction", 0.5)
        if self.end / period > 2000:
            raise Unknown(block)
        on = [delay + i * period for i in range(int(self.end / period) + 2)]
        edges = sorted((t, v) for a in on for t, v in ((a, size), (a + part * period, 0.0)))
        return self.held(edges, 0.0)

    def held(self, edges, before):
        """Constant between jumps (t, value from then on)."""
        times = [t for t, _ in edges]
        values = [before, *(v for _, v in edges)]
        self.knots |= {t for t in times if 0 <= t <= self.end}
        return lambda t, side: values[(bisect.bisect_right if side > 0 else bisect.bisect_left)(times, t)]

    # Operators.

    def gain(self, block, p, port):
        f, k = self.input(block, "input"), p["gain"]
        return lambda t, side: k * f(t, side)

    def adder(self, block, p, port):
        signs = [1 if s == "+" else -1 for s in p.get("signs", "")]
        parts = [(s, self.input(block, f"input{i}")) for i, s in enumerate(signs)]
        return lambda t, side: sum(s * f(t, side) for s, f in parts)

    def product(self, block, p, port):
        factors = [(s == "*", self.input(block, f"input{i}")) for i, s in enumerate(p["factors"])]
        if not all(times for times, _ in factors):
            raise Unknown(block)
        return lambda t, side: math.prod(f(t, side) for _, f in factors)

    def function(self, block, p, port):
        f, name = self.input(block, "input"), p["function"]
        known = {"square": lambda x: x * x, "abs": abs, "sign": lambda x: (x > 0) - (x < 0), "sin": math.sin,
                 "cos": math.cos, "tanh": math.tanh, "atan": math.atan, "floor": math.floor, "ceil": math.ceil}
        if name not in known:
            raise Unknown(block)
        if name in ("abs", "sign"):
            self.kinks(f, 0.0)
        if name in ("floor", "ceil"):
            raise Unknown(block)
        if name in ("square", "sin", "cos"):
            self.fastest *= 2
        g = known[name]
        return lambda t, side: g(f(t, side))

    def saturation(self, block, p, port):
        f, low, high = self.input(block, "input"), p["lower"], p["upper"]
        self.kinks(f, low)
        self.kinks(f, high)
        return lambda t, side: min(max(f(t, side), low), high)

    def dead_zone(self, block, p, port):
        f, low, high = self.input(block, "input"), p["lower"], p["upper"]
        self.kinks(f, low)
        self.kinks(f, high)
        return lambda t, side: (lambda x: x - min(max(x, low), high))(f(t, side))

    def table(self, block, p, port):
        f, x, y = self.input(block, "input"), p["arguments"], p["values"]
        if p.get("interpolation", "linear") != "linear" or p.get("beyond", "clamp") != "clamp":
            raise Unknown(block)
        for at in x:
            self.kinks(f, at)

        def value(t, side):
            u = f(t, side)
            if u <= x[0]:
                return y[0]
            if u >= x[-1]:
                return y[-1]
            i = bisect.bisect_right(x, u) - 1
            return y[i] + (y[i + 1] - y[i]) * (u - x[i]) / (x[i + 1] - x[i])

        return value

    def expression(self, block, p, port):
        text = p["expression"]
        names = p.get("inputs", [])
        if isinstance(text, list) or isinstance(names, dict):
            raise Unknown(block)
        inputs = {n: self.input(block, n) for n in names}
        self.kinked = self.kinked or bool(re.search(r"sign|abs|min|max", text))
        for w in re.findall(r"([0-9.e+]+)\*t", text):
            self.fastest = max(self.fastest, float(w) / (2 * math.pi))
        code = compile(text.replace("^", "**"), block, "eval")
        space = {"sin": math.sin, "cos": math.cos, "pi": math.pi, "abs": abs, "min": min, "max": max,
                 "sign": lambda x: (x > 0) - (x < 0), "__builtins__": {}}
        return lambda t, side: eval(code, space, {"t": t, **{n: f(t, side) for n, f in inputs.items()}})

    def relay(self, block, p, port):
        f, high, low = self.input(block, "input"), p.get("high", 1.0), p.get("low", 0.0)
        up = [(t, 1) for t, way in self.crossings(f, p["rise_at"]) if way > 0]
        down = [(t, 0) for t, way in self.crossings(f, p["fall_at"]) if way < 0]
        start = f(0.0, 1)
        on = start > p["rise_at"] or (p.get("starts") == "high" and start > p["fall_at"])
        return self.held([(t, high if v else low) for t, v in sorted(up + down)], high if on else low)

    def counter(self, block, p, port):
        f = self.input(block, "input")
        if p.get("modulo"):
            raise Unknown(block)
        rises = [t for t, way in self.crossings(f, p.get("threshold", 0.0)) if way > 0]
        return self.held([(t, float(i + 1)) for i, t in enumerate(rises)], 0.0)

    def transport_delay(self, block, p, port):
        f, delay, before = self.input(block, "input"), p["delay"], p.get("initial", 0.0)
        if isinstance(before, list):
            raise Unknown(block)
        # Linear between its samples, and between those and jumps, which it keeps with both their values.
        period = p["period"]
        if self.end / period > MOST_SAMPLES:
            raise Unknown("too many samples")
        jumps = sorted(k for k in self.knots if 0 < k <= self.end and abs(f(k, 1) - f(k, -1)) > EDGE)
        samples = [i * period for i in range(int(self.end / period) + 2)]
        apart = [s for s in samples if all(abs(s - k) > EDGE for k in near(jumps, s))]
        marks = sorted({0.0, *apart, *jumps})
        ends = [(f(k, -1), f(k, 1)) for k in marks]
        # Where they come through, as the same numbers for whoever looks for a jump there.
        come = [k + delay for k in marks]
        self.knots |= {k for k in come if k <= self.end}

        def value(t, side):
            if t < come[0] or (t == come[0] and side < 0):
                return before
            i = (bisect.bisect_right if side > 0 else bisect.bisect_left)(come, t) - 1
            i = max(0, min(i, len(marks) - 2))
            first, last = ends[i][1], ends[i + 1][0]
            return first + (last - first) * (t - come[i]) / (come[i + 1] - come[i])

        return value

    def integrator(self, block, p, port):
        f = self.input(block, "input")
        start = p.get("initial", 0.0)
        start = start[0] if isinstance(start, list) and len(start) == 1 else start
        if isinstance(start, list) or p.get("reset", "none") != "none":
            raise Unknown(block)
        if p.get("lower") is not None or p.get("upper") is not None:
            self.kinks(f, 0.0)
        low, high = p.get("lower", -math.inf), p.get("upper", math.inf)
        low, high = (low if low is not None else -math.inf), (high if high is not None else math.inf)
        cells, sums, x = self.cells(), [start], start
        for a, b in zip(cells, cells[1:]):
            x = min(max(x + gauss(f, a, b), low), high)
            sums.append(x)

        def value(t, side):
            i = max(0, min(bisect.bisect_right(cells, t) - 1, len(cells) - 2))
            return min(max(sums[i] + gauss(f, cells[i], min(t, self.end)), low), high)

        return value


def near(times, t):
    """The times on both sides of t."""
    i = bisect.bisect_left(times, t)
    return times[max(0, i - 1):i + 1]


def gauss(f, a, b):
    """Integral of f over a cell without jumps, by two points."""
    h, m = (b - a) / 2, (a + b) / 2
    if h <= EDGE:
        return 0.0
    d = h / math.sqrt(3)
    return h * (f(m - d, 1) + f(m + d, 1))
