//! The version of the format of a file, and the meanings that differ in earlier ones.
//!
//! Before 1.5 the axes of joints are in the frame of the model, after that in the frame of the joint
//! (`use_parent_model_frame` of 1.5 and 1.6 and `expressed_in` since 1.7 change this for a single axis). Before 1.6 the
//! gravity and the magnetic field of a world are in its `<physics>`. Source: libsdformat's conversions between
//! versions.

use crate::notes::SdfNote;
use crate::report::Report;
use crate::xml::Element;

/// A version: major, minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(u32, u32);

impl Version {
    /// Version of a file that states none.
    pub const LATEST: Version = Version(1, 12);
    const AXES_IN_JOINTS: Version = Version(1, 5);
    const GRAVITY_IN_WORLDS: Version = Version(1, 6);
    const AXES_EXPRESSED_IN: Version = Version(1, 7);

    /// Version of a file. One that is not stated, or not readable, is the latest, which is noted. One with axes in the
    /// frame of the model is noted, too.
    pub fn of(root: Element<'_, '_>, report: &mut Report<'_>) -> Self {
        let stated = root.attribute("version").and_then(|version| Self::read(version.value));
        let Some(version) = stated else {
            let (element, how) = (root.describe(), "has no version of the format; it is read as the latest");
            report.note(root.span(), SdfNote::Differs { element, how }.into());
            return Version::LATEST;
        };
        if version.has_axes_in_model() {
            let Version(major, minor) = version;
            report.note(root.span(), SdfNote::AxesInModel { version: format!("{major}.{minor}") }.into());
        }
        version
    }

    fn read(text: &str) -> Option<Self> {
        let (major, rest) = text.trim().split_once('.')?;
        let minor = rest.split('.').next()?;
        Some(Version(major.parse().ok()?, minor.parse().ok()?))
    }

    /// True if the axes of joints are in the frame of the model by default.
    pub fn has_axes_in_model(self) -> bool {
        self < Version::AXES_IN_JOINTS
    }

    /// True if gravity and magnetic field of a world are in its `<physics>`.
    pub fn has_gravity_in_physics(self) -> bool {
        self < Version::GRAVITY_IN_WORLDS
    }

    /// True if `use_parent_model_frame` is no longer part of the format.
    pub fn has_expressed_in(self) -> bool {
        self >= Version::AXES_EXPRESSED_IN
    }
}
