//! `type: angle_difference`.

use crate::files::form::{BlockType, Group, Reader, SystemSpec, WIDTH, recipe};
use kinegraph_systems::operators::AngleDifference;
use std::convert::Infallible;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "angle_difference",
    group: Group::Operators,
    about: "the difference of two angles, the shorter way round",
    example: "heading_error: {type: angle_difference}",
    files: &[],
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let width = r.get(&WIDTH);
    recipe(move || Ok::<_, Infallible>(AngleDifference::new(width)))
}

#[cfg(test)]
mod tests {
    use crate::files::Catalog;
    use kinegraph_systems::testing::Bench;
    use std::path::Path;

    #[test]
    fn its_parameters_reach_the_block() {
        let catalog = Catalog::empty().with(super::TYPE).unwrap();
        let block = catalog.build("angle_difference", serde_json::json!({"width": 2}), Path::new("")).unwrap();
        let bench = Bench::new(&*block).input_named("desired", [3.0, 1.0]).input_named("measured", [-3.0, 0.5]);
        assert_eq!(bench.eval_named("output"), [6.0 - std::f64::consts::TAU, 0.5]);
    }
}
