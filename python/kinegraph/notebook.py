"""How simulations look in a notebook."""

from __future__ import annotations

import html
from typing import Any, Mapping, Optional, Protocol

from .diagram import Diagram
from .errors import KinegraphError
from .recording import Recording

#: Height of the page in its frame [pixels].
HEIGHT = 480


class Shown(Protocol):
    """Display of a simulation in a notebook."""

    diagram: Diagram
    recording: Optional[Recording]

    @property
    def integrator(self) -> str: ...

    @property
    def time(self) -> float: ...

    @property
    def energy(self) -> Optional[float]: ...

    @property
    def statistics(self) -> Mapping[str, Any]: ...

    def page(self) -> str: ...


def html_of(simulation: Shown) -> str:
    """The diagram, a summary, and the page of the last run in a frame."""
    parts = ["<details><summary>diagram</summary>", simulation.diagram.to_svg(), "</details>", summary(simulation)]
    try:
        page = html.escape(simulation.page(), quote=True)
        # A frame of its own: nothing in the page reaches the notebook.
        style = f"width:100%;height:{HEIGHT}px;border:0"
        parts.append(f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>')
    except KinegraphError as error:
        parts.append(f"<pre>{html.escape(str(error))}</pre>")
    return "\n".join(parts)


def summary(simulation: Shown) -> str:
    """Where the simulation is, and what its integrator counted, as a table."""
    counts = simulation.statistics
    rows = [
        ("diagram", simulation.diagram.name),
        ("integrator", simulation.integrator),
        ("time", f"{simulation.time:g} s"),
        ("steps", f"{counts['steps']} ({counts['rejected_steps']} rejected)"),
    ]
    if simulation.energy is not None:
        rows.append(("energy", f"{simulation.energy:.4g} J"))
    if counts["max_contacts"]:
        deepest = f"deepest {counts['max_penetration']:.4g} m"
        rows.append(("contact", f"at most {counts['max_contacts']} contact points, {deepest}"))
    if simulation.recording is not None:
        rows.append(("recorded", repr(simulation.recording)))
    cells = "".join(f"<tr><th>{key}</th><td>{html.escape(value)}</td></tr>" for key, value in rows)
    return f"<table>{cells}</table>"
