//! The scenes of the paper, as diagram files of `tests/data/scenes`.

use kinegraph::files::{Override, load};
use kinegraph::simulate::Scenario;
use std::error::Error;
use std::path::Path;

/// The scene of this name, with values `path=value` in place of those of its file.
pub fn scene(name: &str, values: &[&str]) -> Result<Scenario, Box<dyn Error + Send + Sync>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/scenes/{name}/{name}.yaml"));
    let overrides = values.iter().map(|value| Override::set(value)).collect::<Result<Vec<_>, _>>()?;
    let loaded = load(&path, &overrides).map_err(|error| error.to_string())?;
    Ok(Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())?)
}

/// Opens a scene with the contact of surfaces that the paper has in `cylinder`, `gripper` and `franka`.
pub fn with_surfaces(name: &str) -> Result<Scenario, Box<dyn Error + Send + Sync>> {
    let modulus = if name == "cylinder" { "1e6" } else { "1e7" };
    scene(
        name,
        &[
            "systems.plant.contact.model=hydroelastic_with_fallback",
            &format!("systems.plant.contact.modulus={modulus}"),
            "systems.plant.contact.resolution=0.02",
        ],
    )
}

/// The five scenes of figure 6 in the contact model of the paper.
pub fn five() -> Result<Vec<(&'static str, Scenario)>, Box<dyn Error + Send + Sync>> {
    let mut all = Vec::new();
    for name in ["cylinder", "gripper", "franka"] {
        all.push((name, with_surfaces(name)?));
    }
    for name in ["soft_clutter", "hard_clutter"] {
        all.push((name, scene(name, &[])?));
    }
    Ok(all)
}
