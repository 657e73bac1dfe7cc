"""Options of the simulation that leave the promise of the accuracy as it is, and those of methods of fixed step."""

CHANCES = (
    ("step_control", "h211", 0.06), ("solver", "newton", 0.08), ("threads", 2, 0.04),
    ("sap", {"preset": "approx64"}, 0.05), ("volume", {"sides": 16}, 0.05), ("theta_gamma", {"theta": 0.5}, 0.05),
    ("error_norm", "state", 0.04), ("initial_step", 1e-3, 0.02), ("min_step", 1e-9, 0.01),
    ("non_finite", "keep", 0.02), ("external", "explicit", 0.02), ("feedback", "diagonal", 0.02),
)


def add(scene, rng):
    for key, value, chance in CHANCES:
        if rng.random() < chance:
            scene.simulation[key] = value
