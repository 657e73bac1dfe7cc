//! SDFormat: the XML format of Gazebo: models, and worlds of models.
//!
//! Conventions of the format, as read here:
//! - Values are the text of elements. A `<pose>` is x y z roll pitch yaw (about the fixed axes), in the frame that
//!   `relative_to` names. The default is the frame of the model; for a joint, that of its child; for a `<frame>`, that
//!   of its `attached_to`.
//! - A joint has its own frame, not the child's; the `<xyz>` of an axis is in it, unless `expressed_in` names another.
//!   In files of a version before 1.5 it is in the frame of the model, which is noted. The poses of the file determine
//!   where parent and child meet.
//! - A box's `size` is its full edge lengths; cylinders and capsules lie along z; the length of a capsule is without
//!   its caps.
//! - A link without `<inertial>` has 1 kg and 1 kg m² about each axis, which is noted.
//! - A limit that is not stated, and one of 1e16 or more, is no limit; nor is a negative `effort`.
//! - `<include>` is a nested model in the model or in the world, with names `NAME::link`. The included file is searched
//!   for like meshes, and its own includes must stay in its folder.
//! - The root links of a world's models float; those of a static model are fixed, and so are its joints.
//!
//! Everything that is not simulated gets a note.

mod bushings;
mod draft;
mod frames;
mod geometry;
mod includes;
mod inertial;
mod joints;
mod links;
mod model;
mod placing;
mod pose;
mod root;
mod text;
mod version;

use super::options::LoadOptions;
use super::report::{LoadError, Loaded, Report};
use super::several_roots;
use crate::notes::SdfNote;
use crate::xml;
use crate::xml::Element;
use draft::Draft;
use frames::Frames;
use kinegraph_multibody::{JointKind, Model};
use nalgebra::Isometry3;
use root::Root;
use version::Version;

/// Reads SDFormat text with `options`; `source_name` is the file name in messages, in whose folder other files are
/// searched for.
///
/// # Errors
/// All faults of the text, and of the files it includes, together.
pub fn parse_sdf(text: &str, source_name: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    xml::with_root(text, source_name, options, |root, report| {
        let version = Version::of(root, report);
        let Some(root) = Root::of(root, report) else { return Model::default() };
        let mut draft = Draft::new(source_name);
        draft.version = version;
        let element = root.read(&mut draft, report);
        let is_scene = matches!(root, Root::Scene(_));
        finish(draft, element, is_scene, report)
    })
}

/// Resolves poses, places joints, and attaches the root links.
fn finish(draft: Draft, element: Element<'_, '_>, is_scene: bool, report: &mut Report<'_>) -> Model {
    let Draft { mut model, frames, joints, sites, bushings, sensors, field_W, still, X_WM, placed_by, .. } = draft;
    let Frames { poses, links } = frames.resolve(report);
    if !report.is_clean() {
        return Model::default();
    }
    let pose = |name: &str| poses.get(name).copied().unwrap_or_else(Isometry3::identity);
    joints.into_iter().for_each(|joint| joint.place(&mut model, &pose, &links, report));
    sites.into_iter().for_each(|site| site.place(&mut model, &pose, &links));
    sensors.into_iter().for_each(|sensor| sensor.place(&mut model, &pose, &links, field_W));
    bushings.into_iter().for_each(|bushing| bushing.place(&mut model, &pose, &links, report));
    let X_WM = placed_by.map_or(X_WM, |frame| X_WM * pose(&frame.name).inverse());
    let roots = roots(&model);
    if model.links.iter().all(|link| link.name == frames::WORLD) {
        report.fault(element.span(), super::faults::FaultKind::NoLinks);
    }
    let held = |root: &usize| {
        let link = &model.links[*root].name;
        let kind = if still.contains(link) { JointKind::Fixed } else { JointKind::Floating };
        (*root, X_WM * pose(link), kind)
    };
    let stands: Vec<(usize, Isometry3<f64>, JointKind)> = roots.iter().map(held).collect();
    match stands[..] {
        _ if is_scene || stands.iter().any(|(_, _, kind)| *kind == JointKind::Fixed) => {
            several_roots::hang(&mut model, &stands)
        }
        [(root, X_WR, _)] => {
            let link = model.links[root].name.clone();
            let p = X_WR.translation.vector;
            if link != frames::WORLD && (p.norm() > 0.0 || X_WR.rotation.angle() > 0.0) {
                report.note(element.span(), SdfNote::RootPose { link, position: p.into() }.into());
            }
        }
        [] => {}
        [(first, _, _), ..] => {
            let (count, first) = (stands.len(), model.links[first].name.clone());
            report.note(element.span(), SdfNote::SeveralRoots { count, first }.into());
            model.scene.separate_roots = roots.iter().map(|root| model.links[*root].name.clone()).collect();
            several_roots::hang(&mut model, &stands);
        }
    }
    model
}

/// The links that are not the child of a joint.
fn roots(model: &Model) -> Vec<usize> {
    let is_child = |name: &str| model.joints.iter().any(|joint| joint.child == name);
    (0..model.links.len()).filter(|&link| !is_child(&model.links[link].name)).collect()
}
