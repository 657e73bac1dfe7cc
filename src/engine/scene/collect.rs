//! From a diagram to its scene.

use super::{Pose, Scene, SceneMarker, VERSION};
use kinegraph_core::convex::PlantPoint;
use kinegraph_diagram::{Block, Diagram, Source};

impl Scene {
    /// Scene of `diagram`.
    pub fn of(diagram: &Diagram) -> Self {
        let (blocks, start) = (diagram.blocks(), diagram.initial_state());
        let mut plants = Vec::new();
        // Index of each block among the plants.
        let mut plant_of = vec![None; blocks.len()];
        for (b, block) in blocks.iter().enumerate() {
            let Some(plant) = block.system.as_plant() else { continue };
            plant_of[b] = Some(plants.len());
            let mut scene = plant.scene(&block.name);
            let mut point = PlantPoint::default();
            plant.poses(&start.continuous[block.state.clone()][..plant.structure().num_positions], &mut point);
            for (body, (p_WB, R_WB)) in scene.bodies.iter_mut().zip(point.p_WB.iter().zip(&point.R_WB)) {
                body.start = Pose::from_rotation(*p_WB, R_WB);
            }
            plants.push(scene);
        }
        let markers = blocks.iter().flat_map(|block| markers(block, &plant_of)).collect();
        Scene { version: VERSION, diagram: diagram.name().to_owned(), plants, markers }
    }
}

/// Markers of a block, so far as the poses that it reads come straight from a plant.
fn markers<'a>(block: &'a Block, plant_of: &'a [Option<usize>]) -> impl Iterator<Item = SceneMarker> + 'a {
    block.system.markers().into_iter().filter_map(|marker| {
        let Some(Source::Output { block: from, .. }) = block.sources.get(marker.poses) else { return None };
        Some(SceneMarker {
            block: block.name.clone(),
            name: marker.name,
            kind: marker.kind,
            plant: plant_of[*from]?,
            body: marker.body,
            pose: marker.pose,
        })
    })
}
