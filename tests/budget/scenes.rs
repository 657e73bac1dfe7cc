//! The scenes whose cost is pinned, and a run of one of them.

use kinegraph::files::{Catalog, Override};
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

/// A diagram file with the values that take the place of the file's.
pub struct Scene {
    pub name: &'static str,
    file: &'static str,
    values: &'static [&'static str],
}

const fn scene(name: &'static str, file: &'static str, values: &'static [&'static str]) -> Scene {
    Scene { name, file, values }
}

const BALLS: &str = "tests/data/scenes/scaleb_005/scaleb_005.yaml";

/// By name. Each takes less than 0.1 s, and a hundred times as long under valgrind.
pub const SCENES: [Scene; 20] = [
    // A free arm of seven joints.
    scene("arm7", "tests/data/scenes/arm7/arm7.yaml", &[]),
    // Blocks without a plant, by an explicit method.
    scene("cascade", "examples/cascade/cascade.yaml", &[]),
    scene("chain", "tests/budget/scenes/chain.yaml", &[]),
    // A pile in a bin, and one of stiffer balls and cubes.
    scene("clutter", "examples/clutter/clutter.yaml", &["simulation.duration=0.3"]),
    scene("conveyor", "examples/conveyor/conveyor.yaml", &[]),
    // The trapezoid.
    scene("elastic_ball", "examples/elastic_ball/elastic_ball.yaml", &["simulation.duration=3"]),
    scene("franka", "examples/franka/franka.yaml", &[]),
    scene("hard_clutter", "examples/hard_clutter/hard_clutter.yaml", &["simulation.duration=0.3"]),
    // Arms under stiff and compliant controllers.
    scene("high_gain", "examples/high_gain/high_gain.yaml", &[]),
    // Contact surfaces in place of points.
    scene(
        "hydroelastic",
        BALLS,
        &[
            "systems.plant.contact={model: hydroelastic, modulus: 1e6, dissipation: 10, static_friction: 0.5}",
            "systems.plant.hydroelastic={bin: rigid}",
            "simulation.duration=0.16",
        ],
    ),
    scene("impedance", "examples/impedance/impedance.yaml", &["simulation.duration=1.5"]),
    scene("plate_rack", "examples/plate_rack/plate_rack.yaml", &["simulation.duration=0.1"]),
    scene("quadruped", "examples/quadruped/quadruped.yaml", &["simulation.duration=0.7"]),
    scene("sap", BALLS, &["simulation.integrator=sap", "simulation.step=0.01", "simulation.duration=1"]),
    // A closed loop.
    scene("slider_crank", "tests/budget/scenes/slider_crank.yaml", &[]),
    scene("stick_slip", "examples/stick_slip/stick_slip.yaml", &[]),
    scene("stops", "tests/budget/scenes/stops.yaml", &[]),
    scene(
        "theta_gamma",
        BALLS,
        &["simulation.integrator=theta-gamma", "simulation.step=0.01", "simulation.duration=0.35"],
    ),
    // Convex parts, exact triangles, a hull.
    scene("three_meshes", "examples/three_meshes/three_meshes.yaml", &["simulation.duration=0.15"]),
    scene("vacuum", "examples/vacuum/vacuum.yaml", &["simulation.duration=1.5"]),
];

/// The scene of this name.
pub fn named(name: &str) -> &'static Scene {
    SCENES.iter().find(|scene| scene.name == name).unwrap_or_else(|| panic!("no scene `{name}`"))
}

impl Scene {
    /// The simulation at its start, and its end \[s\].
    pub fn start(&self) -> (Simulation, f64) {
        let values: Vec<Override> = self.values.iter().map(|value| Override::set(value).expect("path=value")).collect();
        let name = self.name;
        let loaded = Catalog::standard().load(Path::new(self.file), &values);
        let loaded = loaded.unwrap_or_else(|error| panic!("{name}: {error}"));
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
        let scenario = scenario.unwrap_or_else(|| panic!("{name}: {}", loaded.failed()));
        let simulation = scenario.simulation().unwrap_or_else(|error| panic!("{name}: {error}"));
        (simulation, scenario.duration)
    }
}

/// The steps of a simulation to its end. Valgrind counts the instructions of this function, by its name.
#[inline(never)]
pub fn counted_steps(simulation: &mut Simulation, end: f64) {
    simulation.advance_to(end).expect("a run to the end");
    assert_eq!(simulation.time(), end);
}
