//! Table of the masses of the links of a plant, for inspection of a model.

use crate::diagram::Diagram;
use kinegraph_systems::convex::{BodyStructure, PlantPoint};
use nalgebra::{Matrix3, Vector3};
use std::io::{self, Write};

/// Maximum number of links of a plant that are listed.
const MAX_LINKS: usize = 60;
/// Coordinates of a centre of mass below this are written as zero \[m\].
const ZERO_LENGTH: f64 = 5e-5;

/// Writes mass, centre of mass and moments of inertia of every plant of `diagram` and of its links, in their initial
/// positions.
pub fn write(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    let state = diagram.initial_state();
    for (block, plant) in diagram.plants() {
        let structure = plant.structure();
        let mut point = PlantPoint::default();
        plant.poses(&state.continuous[block.state.clone()][..structure.num_positions], &mut point);
        // Frames without a mass have the mass of the body that they are welded to.
        let has_mass = |body: &BodyStructure| body.moments != [0.0; 3] || body.center_of_mass != [0.0; 3];
        let links: Vec<(usize, &BodyStructure)> =
            structure.bodies.iter().enumerate().skip(1).filter(|(_, body)| has_mass(body) && body.mass > 0.0).collect();
        let mass: f64 = links.iter().map(|(_, body)| body.mass).sum();
        if mass == 0.0 {
            continue;
        }
        let moment = links.iter().fold(Vector3::zeros(), |sum: Vector3<f64>, (i, body)| {
            let R = Matrix3::from_column_slice(&point.R_WB[*i]);
            sum + (Vector3::from(point.p_WB[*i]) + R * Vector3::from(body.center_of_mass)) * body.mass
        });
        let (count, center) = (links.len(), triple((moment / mass).into()));
        writeln!(out, "{}: {mass:.4} kg in {count} links, centre of mass at {center} m at the start", block.name)?;
        let width = links.iter().map(|(_, body)| body.name.len()).max().unwrap_or(0);
        for (_, body) in links.iter().take(MAX_LINKS) {
            let (center, moments) = (triple(body.center_of_mass), body.moments.map(|x| format!("{x:.3e}")).join(", "));
            writeln!(out, "  {:width$}  {:.4} kg at {center} m, moments ({moments}) kg m²", body.name, body.mass)?;
        }
        if count > MAX_LINKS {
            writeln!(out, "  … and {} more", count - MAX_LINKS)?;
        }
    }
    Ok(())
}

fn triple(v: [f64; 3]) -> String {
    format!("({})", v.map(|x| format!("{:.4}", if x.abs() < ZERO_LENGTH { 0.0 } else { x })).join(", "))
}
