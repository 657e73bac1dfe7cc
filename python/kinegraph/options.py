"""The options of an integrator, which simulations and worlds take by name."""

from __future__ import annotations

from typing import Any, Dict, Optional


def integrator_options(
    integrator: Optional[str] = None,
    accuracy: Optional[float] = None,
    step: Optional[float] = None,
    max_step: Optional[float] = None,
    min_step: Optional[float] = None,
    initial_step: Optional[float] = None,
) -> Dict[str, Any]:
    """The options by name; `None` leaves what the file says. Steps are in seconds."""
    return {
        "integrator": integrator,
        "accuracy": accuracy,
        "step": step,
        "max_step": max_step,
        "min_step": min_step,
        "initial_step": initial_step,
    }
