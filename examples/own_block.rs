//! A diagram file that names a block of this program: `cargo run --example own_block`.

use kinegraph::files::Catalog;
use kinegraph::prelude::*;

/// `force = -coefficient |velocity| velocity`, and its form in diagram files.
pub mod quadratic_drag {
    use kinegraph::files::form::{BlockType, Group, Needs, Number, POSITIVE, Reader, SystemSpec, needs, recipe};
    use kinegraph::prelude::*;
    use kinegraph::systems::parameter::{self, ParameterError};

    /// Drag of a body in air.
    pub struct QuadraticDrag {
        /// \[m/s\].
        pub velocity: In<Fixed<1>>,
        /// \[N\].
        pub force: Out<Fixed<1>>,
        coefficient: f64,
        ports: Ports,
    }

    impl QuadraticDrag {
        /// Drag with a coefficient above zero \[N s²/m²\].
        pub fn new(coefficient: f64) -> Result<Self, ParameterError> {
            parameter::positive("coefficient", &[coefficient])?;
            let mut ports = Ports::new();
            Ok(QuadraticDrag { velocity: ports.input("velocity"), force: ports.output("force"), coefficient, ports })
        }
    }

    impl LeafSystem for QuadraticDrag {
        fn ports(&self) -> &Ports {
            &self.ports
        }

        fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
            let v = ctx.get(self.velocity)[0];
            out.slice(self.force)[0] = v.abs() * v * S::constant(-self.coefficient);
        }
    }

    /// Its entry in a catalog.
    pub const TYPE: BlockType = BlockType {
        name: "quadratic_drag",
        group: Group::Own("blocks of this program"),
        about: "drag that grows with the square of the speed",
        example: "drag: {type: quadratic_drag, coefficient: 0.25}",
        files: &[],
        read,
    };

    const COEFFICIENT: Needs<Number> = needs("coefficient", POSITIVE, "force over the square of the speed [N s²/m²]");

    fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
        let coefficient = r.get(&COEFFICIENT)?;
        recipe(move || QuadraticDrag::new(coefficient))
    }
}

/// Loads a file that names the block and runs it.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = Catalog::standard().with(quadratic_drag::TYPE)?;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/own_block/skydiver.yaml");
    let scenario = Scenario::open_over(&catalog, file)?;
    let mut simulation = scenario.simulation()?;
    simulation.advance_to(scenario.duration)?;

    let speed = simulation.channel("velocity.output")?;
    let (weight, coefficient, mass): (f64, f64, f64) = (80.0 * 9.81, 0.25, 80.0);
    let expected = (weight / coefficient).sqrt() * (scenario.duration * (9.81 * coefficient / mass).sqrt()).tanh();
    println!("{speed:.4} m/s after {} s of free fall, {expected:.4} m/s expected", scenario.duration);
    assert!((speed - expected).abs() < 1e-4, "the skydiver is at {speed} m/s");
    Ok(())
}
