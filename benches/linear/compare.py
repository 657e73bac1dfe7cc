"""Linear models of random diagrams beside python-control and SciPy.

    python benches/linear/compare.py target/release/kinegraph [--count 300] [--seed 1]

Each diagram is a chain of blocks (state spaces, transfer functions, delays, sampled blocks of one or more rates). The
same chain is composed here from its numbers, by python-control and SciPy alone, and compared: frequency responses,
poles, zeros, margins, the peak of the sensitivity, the order of a minimal realization, Hankel singular values. Where
the two differ by more than the tolerance, mpmath decides with 40 digits. Needs numpy, scipy, control, slycot, mpmath.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import control
import mpmath
import numpy as np
import scipy.linalg
import scipy.optimize

TOLERANCE = 1e-8
KINDS = ["state space", "transfer functions", "delays", "sampled", "several rates"]


def rows(matrix):
    return [[float(x) for x in row] for row in np.atleast_2d(matrix)]


def diagram(systems, wires):
    """Text of a diagram file: JSON is YAML."""
    return json.dumps({"kinegraph": 1, "systems": systems, "connections": wires, "simulation": {"duration": 1}})


def kinegraph(program, file, *options):
    done = subprocess.run([program, "linearize", file, "--json", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{file} {options}: {done.stderr}")
    return json.loads(done.stdout)


class Part:
    """A block: its entry in the file, and x' = A x + B u, y = C x + D u (or the same at samples)."""

    def __init__(self, entry, a, b, c, d):
        self.entry = entry
        self.a, self.b, self.c, self.d = (np.atleast_2d(np.asarray(m, float)) for m in (a, b, c, d))
        if self.a.size == 0:
            self.a, self.b, self.c = np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0))


def random_state_space(random, stable, through):
    n = int(random.integers(1, 5))
    a = random.normal(size=(n, n)) * 10 ** random.uniform(-0.5, 0.5)
    if stable:
        a -= np.eye(n) * (max(np.linalg.eigvals(a).real) + random.uniform(0.05, 1.0))
    b, c = random.normal(size=(n, 1)), random.normal(size=(1, n))
    d = [[random.normal() if through else 0.0]]
    entry = {"type": "state_space", "A": rows(a), "B": rows(b), "C": rows(c), "D": rows(d)}
    return Part(entry, a, b, c, d)


def random_transfer_function(random, stable, through):
    n = int(random.integers(1, 4))
    poles = []
    while len(poles) < n:
        w = 10 ** random.uniform(-0.7, 1.0)
        side = -1.0 if stable else random.choice([-1.0, 1.0], p=[0.8, 0.2])
        if n - len(poles) >= 2 and random.random() < 0.5:
            zeta = random.uniform(0.05, 0.9)
            pole = w * complex(side * zeta, np.sqrt(1 - zeta * zeta))
            poles += [pole, pole.conjugate()]
        else:
            poles.append(side * w)
    denominator = np.real(np.poly(poles))
    numerator = random.normal(size=int(random.integers(1, n + 1)) + (1 if through else 0))
    numbers = {"numerator": list(map(float, numerator)), "denominator": list(map(float, denominator))}
    entry = {"type": "transfer_function", **numbers}
    full = np.concatenate([np.zeros(n + 1 - len(numerator)), numerator])
    d = full[0]
    rest = full[1:] - d * denominator[1:]
    a = np.zeros((n, n))
    a[:-1, 1:] = np.eye(n - 1)
    a[-1] = -denominator[:0:-1]
    b = np.zeros((n, 1))
    b[-1] = 1.0
    return Part(entry, a, b, rest[::-1], [[d]])


def random_sampled(random, period):
    n = int(random.integers(1, 3))
    a = random.normal(size=(n, n))
    a *= random.uniform(0.2, 0.95) / max(abs(np.linalg.eigvals(a)))
    b, c, d = random.normal(size=(n, 1)), random.normal(size=(1, n)), [[random.normal()]]
    entry = {"type": "discrete_state_space", "A": rows(a), "B": rows(b), "C": rows(c), "D": rows(d), "period": period}
    return Part(entry, a, b, c, d)


def series(parts):
    """State space of a chain, the first part first, by block matrices."""
    a, b, c, d = np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), np.eye(1)
    for part in parts:
        a = np.block([[a, np.zeros((len(a), len(part.a)))], [part.b @ c, part.a]])
        b = np.vstack([b, part.b @ d])
        c, d = np.hstack([part.d @ c, part.c]), part.d @ d
    return a, b, c, d


def held(part, period):
    """Exact discretization of a part whose input is held."""
    n = len(part.a)
    flow = scipy.linalg.expm(np.block([[part.a, part.b], [np.zeros((1, n + 1))]]) * period)
    return flow[:n, :n], flow[:n, n:]


def response_exact(system, w, period=None):
    """C (s I - A)⁻¹ B + D by 40 digits."""
    a, b, c, d = system
    with mpmath.workdps(40):
        s = mpmath.expj(mpmath.mpf(w) * mpmath.mpf(period)) if period else mpmath.mpc(0, w)
        if len(a) == 0:
            return complex(d[0][0])
        pencil = mpmath.eye(len(a)) * s - mpmath.matrix(a.tolist())
        x = mpmath.lu_solve(pencil, mpmath.matrix(b.tolist()))
        return complex((mpmath.matrix(c.tolist()) * x)[0] + mpmath.mpf(float(d[0][0])))


class Record:
    """Worst differences by quantity."""

    def __init__(self):
        self.worst, self.counts, self.differ, self.less_exact = {}, {}, [], {}

    def see(self, quantity, difference, where):
        difference = float(difference)
        self.counts[quantity] = self.counts.get(quantity, 0) + 1
        if not difference <= self.worst.get(quantity, (-1.0,))[0]:
            self.worst[quantity] = (difference, where)
        if not difference <= TOLERANCE and "rounding" not in quantity:
            self.differ.append((quantity, difference, where))

    def theirs(self, quantity, difference):
        """A difference where 40 digits agree with Kinegraph."""
        count, worst = self.less_exact.get(quantity, (0, 0.0))
        self.less_exact[quantity] = (count + 1, max(worst, float(difference)))


def matched(found, expected, size):
    """Largest distance of two sets of numbers, matched to be as near as possible, relative to `size`."""
    if len(found) != len(expected):
        return np.inf
    if len(found) == 0:
        return 0.0
    far = abs(np.subtract.outer(np.asarray(found), np.asarray(expected)))
    order = scipy.optimize.linear_sum_assignment(far)
    return far[order].max() / size


def roots_exact(matrix, pencil=None):
    """Eigenvalues by 40 digits."""
    with mpmath.workdps(40):
        return [complex(x) for x in mpmath.eig(mpmath.matrix(matrix.tolist()), left=False, right=False)]


def zeros_exact(system):
    """Zeros of one input and one output by 40 digits: poles of the inverse, after as many derivatives as needed."""
    a, b, c, d = system
    with mpmath.workdps(60):
        A, B, C, D = (mpmath.matrix(m.tolist()) for m in (a, b, c, np.asarray(d, float)))
        # y's first derivative that the input enters at once.
        row, through = C, D[0]
        order = 0
        tiny = mpmath.mpf(10) ** -11
        while abs(through) < tiny * (mpmath.norm(row) * mpmath.norm(B) + abs(through)) and order < len(a):
            through = (row * B)[0]
            row = row * A
            order += 1
        if order == 0:
            inner = A - B * C / D[0]
        else:
            inner = A - B * row / through
        zeros = [x for x in mpmath.eig(inner, left=False, right=False)]
        # The derivatives add zeros in the origin, one each.
        zeros.sort(key=abs)
        return [complex(x) for x in zeros[order:]], [complex(x) for x in zeros[:order]]


def poles_of(report):
    return [complex(p["re"], p["im"]) for p in report["poles"]]


def zeros_of(report):
    return [complex(p["re"], p["im"]) for p in report.get("zeros", [])]


def conditioned(matrix, roots):
    """Size by which roots are compared: rounding moves an eigenvalue by its condition times that of the matrix."""
    if len(matrix) == 0:
        return 1.0
    values, left, right = scipy.linalg.eig(matrix, left=True, right=True)
    overlap = abs(np.sum(left.conj() * right, axis=0)) / (np.linalg.norm(left, axis=0) * np.linalg.norm(right, axis=0))
    worst = 1.0 / max(overlap.min(), 1e-300)
    return max(np.linalg.norm(matrix, 2) * max(1.0, worst * 1e-7), 1e-300)


def compare_model(report, system, period, delay, where, record):
    """Responses, poles, zeros and margins of a report beside a system composed here."""
    a, b, c, d = system
    theirs = control.ss(a, b, c, d, *([period] if period else []))
    points = report.get("response", [])
    # A few hundred of them, spread over the range.
    points = [points[k] for k in sorted(set(np.linspace(0, len(points) - 1, 200).astype(int)))] if points else []
    w = np.array([p["w"] for p in points])
    ours = np.array([complex(p["re"], p["im"]) for p in points])
    if len(w):
        s = np.exp(1j * w * period) if period else 1j * w
        late = np.exp(-1j * w * delay) if delay else 1.0
        values = np.atleast_1d(theirs(s)).reshape(-1) * late
        for k in range(len(w)):
            size = abs(values[k])
            if size == 0.0 or not np.isfinite(size):
                continue
            difference = abs(ours[k] - values[k]) / size
            if difference > 1e-2 * TOLERANCE:
                exact = response_exact(system, w[k], period) * (np.exp(-1j * w[k] * delay) if delay else 1.0)
                mine = abs(ours[k] - exact) / abs(exact)
                if mine <= TOLERANCE < difference:
                    record.theirs("response", difference)
                difference = min(difference, mine)
            record.see("response", difference, where)
    if not delay:
        poles = poles_of(report)
        size = conditioned(a, poles)
        difference = matched(poles, theirs.poles(), size)
        if difference > TOLERANCE:
            exact = matched(poles, roots_exact(a), size)
            if exact <= TOLERANCE:
                record.theirs("poles", difference)
                difference = exact
        record.see("poles", difference, where)
        compare_zeros(report, system, theirs, where, record)
    if len(w):
        compare_margins(report, theirs, w, delay, period, where, record)


def compare_zeros(report, system, theirs, where, record):
    a, b, c, d = system
    # A zero far beyond the dynamics is one at infinity to rounding.
    far = 1e5 * max(np.linalg.norm(a, 2), 1e-6) if len(a) else 1e5
    near = lambda zeros: [z for z in zeros if abs(z) < far]
    ours, other = near(zeros_of(report)), near(theirs.zeros())
    size = max([abs(z) for z in other] + [1e-300])
    difference = matched(ours, other, size)
    if difference > TOLERANCE:
        exact, _ = zeros_exact(system)
        exact = near(exact)
        size = max([abs(z) for z in exact] + [1e-300])
        mine, others = matched(ours, exact, size), matched(other, exact, size)
        if mine <= TOLERANCE:
            record.theirs("zeros", difference)
            difference = mine
        elif mine <= max(others * 1.5, 10.0 * moved_by_rounding(system, exact, near, size)):
            # Rounding of the matrices moves them as far.
            record.see("zeros that rounding moves so far", mine, where)
            return
    record.see("zeros", difference, where)


def moved_by_rounding(system, zeros, near, size):
    """How far changes of the matrices by a few units in the last place move the zeros."""
    random = np.random.default_rng(0)
    moved = []
    for _ in range(4):
        changed = [m * (1.0 + random.uniform(-1, 1, size=np.shape(m)) * 4e-16) for m in map(np.asarray, system)]
        moved.append(matched(near(zeros_exact(changed)[0]), zeros, size))
    return max(moved)


def crossings(f, w):
    """Zeros of f between neighbours of w."""
    values = np.array([f(x) for x in w])
    found = []
    for k in range(len(w) - 1):
        if values[k] * values[k + 1] < 0 and np.isfinite(values[k] * values[k + 1]):
            found.append(scipy.optimize.brentq(f, w[k], w[k + 1], xtol=1e-300, rtol=8.9e-16))
    return found


def compare_margins(report, theirs, w, delay, period, where, record):
    """Margins by python-control (without delays), and by roots of the exact response with them."""
    margins = report.get("margins")
    if margins is None:
        return

    def at(x):
        s = np.exp(1j * x * period) if period else 1j * x
        value = theirs.C @ np.linalg.solve(s * np.eye(theirs.nstates) - theirs.A, theirs.B) + theirs.D
        return complex(value[0, 0]) * (np.exp(-1j * x * delay) if delay else 1.0)

    grid = np.geomspace(w[0], w[-1] * (1 - 1e-12), 3000)
    gains = [x for x in crossings(lambda x: abs(at(x)) - 1.0, grid)]
    phases = [(x, np.degrees(np.angle(-at(x)))) for x in gains]
    if phases and margins["phase_deg"] is not None:
        x, phase = min(phases, key=lambda one: abs(one[1]))
        record.see("phase margin", abs(abs(phase) - abs(margins["phase_deg"])) / 180.0, where)
    elif (not phases) != (margins["phase_deg"] is None):
        record.see("phase margin", np.inf, where)
    real = [x for x in crossings(lambda x: at(x).imag, grid) if at(x).real < 0]
    factors = [1.0 / -at(x).real for x in real]
    if factors and margins["gain"] is not None:
        nearest = min(factors, key=lambda g: abs(np.log(g)))
        difference = abs(margins["gain"] / nearest - 1.0)
        # A crossing at zero or at the Nyquist frequency is none of the grid.
        if abs(np.log(margins["gain"])) < abs(np.log(nearest)) * (1 - 1e-9):
            edge = [x for x in (0.0, np.pi / period if period else None) if x is not None]
            values = [at(x).real for x in edge]
            if any(v < 0 and abs(margins["gain"] * -v - 1.0) < TOLERANCE for v in values):
                difference = 0.0
        record.see("gain margin", difference, where)
    if not delay and not period:
        gm, pm, sm, wpc, wgc, wms = control.stability_margins(theirs)
        if margins["phase_deg"] is not None and np.isfinite(pm) and abs(abs(pm) - abs(margins["phase_deg"])) < 1.0:
            record.see("phase margin, python-control", abs(abs(pm) - abs(margins["phase_deg"])) / 180.0, where)
    peak = margins.get("peak_sensitivity")
    if peak is not None and np.isfinite(peak):
        values = [1.0 / max(abs(1.0 + at(x)), 1e-300) for x in grid]
        k = int(np.argmax(values))
        low, high = grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
        best = scipy.optimize.minimize_scalar(
            lambda x: abs(1.0 + at(x)), bounds=(low, high), method="bounded", options={"xatol": 1e-12 * high}
        )
        found = max(values[k], 1.0 / best.fun)
        # The grid bounds it from below.
        record.see("peak sensitivity", max(0.0, found / peak - 1.0), where)


def compare_reductions(program, file, system, options, period, where, record):
    a, b, c, d = system
    if len(a) == 0:
        return
    report = kinegraph(program, file, *options, "--minimal")
    theirs = control.minreal(control.ss(a, b, c, d, *([period] if period else [])), verbose=False, tol=1e-9)
    same = len(report["states"]) == theirs.nstates
    if not same:
        # The order by the rank of the product of the Gramians' factors, in 40 digits: of stable systems alone.
        same = len(report["states"]) == exact_order(system, period)
        if same:
            record.theirs("minimal order", 1.0)
    record.see("minimal order", 0.0 if same else 1.0, where)
    if period is None and max(np.linalg.eigvals(a).real) < 0:
        report = kinegraph(program, file, *options, "--reduce", "1") if len(a) > 1 else None
        if report and report.get("reduction"):
            ours = np.array(report["reduction"]["hankel"])
            # The values of the system at hand, by SciPy's Lyapunov equations.
            reach = scipy.linalg.solve_continuous_lyapunov(a, -b @ b.T)
            observe = scipy.linalg.solve_continuous_lyapunov(a.T, -c.T @ c)
            values = np.sort(np.sqrt(np.maximum(np.linalg.eigvals(reach @ observe).real, 0)))[::-1]
            difference = abs(ours - values[: len(ours)]).max() / values[0]
            if difference > TOLERANCE:
                # The square root halves the digits of small values.
                exact = hankel_exact(system)
                if abs(ours - exact[: len(ours)]).max() <= TOLERANCE * exact[0]:
                    record.theirs("Hankel singular values", difference)
                    difference = abs(ours - exact[: len(ours)]).max() / exact[0]
            record.see("Hankel singular values", difference, where)


def hankel_exact(system):
    """Hankel singular values by 40 digits, in the eigenvectors of A, where a Gramian is a fraction by entries."""
    a, b, c, _ = system
    with mpmath.workdps(60):
        values, vectors = mpmath.eig(mpmath.matrix(a.tolist()))
        n = len(values)
        b, c = mpmath.inverse(vectors) * mpmath.matrix(b.tolist()), mpmath.matrix(c.tolist()) * vectors
        reach, observe = mpmath.matrix(n, n), mpmath.matrix(n, n)
        for i in range(n):
            for j in range(n):
                reach[i, j] = -b[i] * mpmath.conj(b[j]) / (values[i] + mpmath.conj(values[j]))
                observe[i, j] = -mpmath.conj(c[i]) * c[j] / (mpmath.conj(values[i]) + values[j])
        squares = mpmath.eig(reach * observe, left=False, right=False)
        return np.sort([float(mpmath.sqrt(abs(x))) for x in squares])[::-1]


def exact_order(system, period):
    """Rank of the reachability matrix of the observable part, by 60 digits."""
    a, b, c, _ = system
    with mpmath.workdps(60):
        size = mpmath.mpf(float(np.linalg.norm(a, 2))) or 1
        A = mpmath.matrix(a.tolist()) / size
        n = len(a)
        column, row = mpmath.matrix(b.tolist()), mpmath.matrix(c.tolist())
        markov = []
        for _ in range(2 * n):
            markov.append((row * column)[0])
            column = A * column
        hankel = mpmath.matrix(n, n)
        for i in range(n):
            for j in range(n):
                hankel[i, j] = markov[i + j]
        values = mpmath.svd_r(hankel, compute_uv=False)
        return sum(1 for k in range(n) if values[k] > values[0] * mpmath.mpf(10) ** -14)


def chain(parts):
    """Systems and wires of a chain from `first` to `last`."""
    systems = {"source": {"type": "constant", "value": 0.0}}
    wires, before = [], "source.output"
    for k, part in enumerate(parts):
        systems[f"b{k}"] = part if isinstance(part, dict) else part.entry
        wires.append(f"{before} -> b{k}.input")
        before = f"b{k}.output"
    return systems, wires, ["--input", "b0.input", "--output", before]


def lifted(parts, periods, period):
    """One period of a chain of parts, each in continuous time or with its own sampling, event by event.

    The state is that just before the events at k T, the input is held over T, the output just after the events.
    """
    sizes = [len(p.a) + (1 if t else 0) for p, t in zip(parts, periods)]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    n = starts[-1]

    def outputs(x, u):
        """Signals after each part: a sampled part shows what it holds."""
        signals, signal = [], u
        for k, (part, t) in enumerate(zip(parts, periods)):
            own = x[starts[k] : starts[k + 1]]
            signals.append(signal)
            signal = own[0] if t else float((part.c @ own)[0] if len(own) else 0.0) + float(part.d[0, 0]) * signal
        return signals, signal

    def fire(x, u, instant):
        signals, _ = outputs(x, u)
        after = x.copy()
        for k, (part, t) in enumerate(zip(parts, periods)):
            if t and abs(instant / t - round(instant / t)) < 1e-9:
                own = x[starts[k] + 1 : starts[k + 1]]
                after[starts[k]] = float((part.c @ own)[0]) + float(part.d[0, 0]) * signals[k]
                after[starts[k] + 1 : starts[k + 1]] = part.a @ own + part.b[:, 0] * signals[k]
        return after

    def rates(x, u):
        signals, _ = outputs(x, u)
        rate = np.zeros(n)
        for k, (part, t) in enumerate(zip(parts, periods)):
            if not t:
                own = x[starts[k] : starts[k + 1]]
                rate[starts[k] : starts[k + 1]] = part.a @ own + part.b[:, 0] * signals[k]
        return rate

    basis = np.eye(n + 1)
    field = np.column_stack([np.append(rates(basis[:n, j], basis[n, j]), 0.0) for j in range(n + 1)])
    instants = sorted({round(i * t, 12) for t in periods if t for i in range(int(round(period / t)))} | {0.0})
    columns, shown = [], []
    for j in range(n + 1):
        x, u = basis[:n, j].copy(), basis[n, j]
        for i, instant in enumerate(instants):
            x = fire(x, u, instant)
            if i == 0:
                shown.append(outputs(x, u)[1])
            end = instants[i + 1] if i + 1 < len(instants) else period
            x = (scipy.linalg.expm(field * (end - instant)) @ np.append(x, u))[:n]
        columns.append(x)
    whole = np.column_stack(columns)
    return whole[:, :n], whole[:, n:], np.array([shown[:n]]), np.array([[shown[n]]])


def one(program, random, kind, folder, number, record):
    where = f"{number} ({kind})"
    file = str(Path(folder) / f"{number}.yaml")
    period, delay, options, reductions = None, 0.0, [], True
    stable = random.random() < 0.8
    if kind == "state space":
        parts = [random_state_space(random, stable, random.random() < 0.4) for _ in range(int(random.integers(1, 4)))]
    elif kind == "transfer functions":
        count = int(random.integers(1, 4))
        parts = [random_transfer_function(random, stable, random.random() < 0.3) for _ in range(count)]
    elif kind == "delays":
        parts = [random_transfer_function(random, True, False) for _ in range(int(random.integers(1, 3)))]
    elif kind == "sampled":
        period = float(round(10 ** random.uniform(-2, -0.5), 4))
        parts = [random_transfer_function(random, stable, False)]
        parts += [random_sampled(random, period)] if random.random() < 0.7 else []
    else:
        base = float(round(10 ** random.uniform(-2, -1), 3))
        periods = [base * int(random.integers(1, 4)), None, base * int(random.integers(1, 4))]
        multiple = int(np.lcm(*[int(round(t / base)) for t in periods if t]))
        period = multiple * base
        first, middle = random_sampled(random, periods[0]), random_transfer_function(random, True, False)
        parts = [first, middle, random_sampled(random, periods[2])]
    if kind in ("state space", "transfer functions", "delays"):
        system = series(parts)
        entries = list(parts)
        if kind == "delays":
            delay = float(round(10 ** random.uniform(-2, 0), 4))
            late = {"type": "transport_delay", "delay": delay, "period": delay / 50}
            entries.insert(int(random.integers(0, len(entries) + 1)), late)
            reductions = False
        systems, wires, ports = chain(entries)
    else:
        periods = [p.entry.get("period") for p in parts]
        system = lifted(parts, periods, period)
        systems, wires, ports = chain(parts)
        options = ["--sampled"] if any(periods) else ["--sampled", repr(period)]
    Path(file).write_text(diagram(systems, wires))
    report = kinegraph(program, file, *ports, *options, "--margins")
    if period and abs(report["period"] - period) > 1e-12:
        record.see("period", abs(report["period"] - period), where)
    compare_model(report, system, period, delay, where, record)
    if reductions:
        compare_reductions(program, file, system, ports + options, period, where, record)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program kinegraph")
    parser.add_argument("--count", type=int, default=300, help="number of diagrams")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this diagram alone")
    options = parser.parse_args()
    record = Record()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            if options.only in (None, number):
                random = np.random.default_rng([options.seed, number])
                one(options.program, random, KINDS[number % len(KINDS)], folder, number, record)
    print(f"{options.count} diagrams, seed {options.seed}; control {control.__version__}, scipy {scipy.__version__}")
    for quantity in sorted(record.counts):
        difference, where = record.worst[quantity]
        count = record.counts[quantity]
        print(f"  {quantity:<30} {count:>6} compared, worst difference {difference:.1e} in diagram {where}")
    for quantity, (count, worst) in sorted(record.less_exact.items()):
        print(f"  {quantity}: {count} times 40 digits agree with Kinegraph, and not with the other (up to {worst:.1e})")
    for quantity, difference, where in record.differ[:40]:
        print(f"  beyond {TOLERANCE:.0e}: {quantity} {difference:.1e} in diagram {where}")
    sys.exit(1 if record.differ else 0)


if __name__ == "__main__":
    main()
