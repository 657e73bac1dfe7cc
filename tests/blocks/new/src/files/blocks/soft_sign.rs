//! `type: soft_sign`.

use crate::files::form::{BlockType, Group, Needs, Number, POSITIVE, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::operators::SoftSign;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "soft_sign",
    group: Group::Operators,
    about: "the sign of each input, smooth near zero",
    example: "rubbing: {type: soft_sign, scale: 0.01, width: 2}",
    files: &[],
    read,
};

const SCALE: Needs<Number> = needs("scale", POSITIVE, "where the output is 0.71 [that of the input]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (scale, width) = (r.get(&SCALE), r.get(&WIDTH));
    let scale = scale?;
    recipe(move || SoftSign::new(width, scale))
}

#[cfg(test)]
mod tests {
    use crate::files::Catalog;
    use kinegraph_systems::testing::Bench;
    use std::path::Path;

    #[test]
    fn its_parameters_reach_the_block() {
        let catalog = Catalog::empty().with(super::TYPE).unwrap();
        let block = catalog.build("soft_sign", serde_json::json!({"scale": 4, "width": 2}), Path::new("")).unwrap();
        assert_eq!(Bench::new(&*block).input_named("input", [3.0, -3.0]).eval_named("output"), [0.6, -0.6]);
    }
}
