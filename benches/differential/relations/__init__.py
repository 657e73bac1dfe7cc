"""Relations: the same system, said in different ways, must move the same way.

Each module has `NAME`, `applies(scene)` and `check(program, scene, rng)`, which gives a `Finding` or None, or raises
`Unjudged` where the runs do not allow a judgement.
"""


class Unjudged(Exception):
    """Runs did not end, or were refused, in a way that says nothing of the relation."""


class Dear(Exception):
    """The relation holds, at a cost that is worth a line."""


def both(first, second):
    """Whether both runs ended; `Unjudged` where one was late or both failed."""
    if first.ended == "late" or second.ended == "late":
        raise Unjudged("late")
    if not first.done and not second.done:
        raise Unjudged(first.ended)
    return first.done and second.done


def all_relations():
    from relations import (closed, conservation, frame, idle, linear, method, momentum, readout, redundant, resume,
                           sweep, switch, time, units, wording)

    modules = (method, frame, wording, idle, units, resume, conservation, time, linear, momentum, closed, redundant,
               readout, switch, sweep)
    return {m.NAME: m for m in modules}
