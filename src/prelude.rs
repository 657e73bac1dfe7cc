//! Items that most programs need: `use kinegraph::prelude::*;`.

pub use crate::diagram::{Diagram, DiagramBuilder, State};
pub use crate::integrators::{Integrator, OfOptions, Options};
pub use crate::scenario::Scenario;
pub use crate::simulate::Simulation;
pub use kinegraph_systems::control::{InverseDynamicsController, Pid};
pub use kinegraph_systems::grippers::{Cup, Face, Suction, Target, VacuumGripper};
pub use kinegraph_systems::machines::ConveyorBelt;
pub use kinegraph_systems::models::{parse_urdf, read_urdf};
pub use kinegraph_systems::multibody::plant::{
    Actuated, Belt, Collisions, ContactParameters, PlantModel, SurfaceMotion,
};
pub use kinegraph_systems::multibody::{Base, Model, MultibodyPlant, PlantBuilder};
pub use kinegraph_systems::operators::{Adder, Gain};
pub use kinegraph_systems::signal::{BodyPoses, BodyVelocities, SpatialForces};
pub use kinegraph_systems::sources::{Constant, Trajectory};
pub use kinegraph_systems::testing::{Bench, conformance};
pub use kinegraph_systems::{
    Context, Crossing, Dyn, Fixed, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Reset, Sampling, Scalar, Tick,
    Witness,
};
