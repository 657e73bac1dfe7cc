//! `<compiler>`, `<option>` and `<size>`: how the file is meant.

use super::attach::Attached;
use super::element::Element;
use super::fields::Fields;
use super::log::Log;
use super::recognition;
use super::schema::words::{ANGLES, COORDINATES, FROM_GEOM, FromGeom, SWITCH};
use crate::faults::MjcfFault;
use kinegraph_multibody::scene_data::{HigherTerms, Medium};
use nalgebra::Vector3;
use std::ops::Range;
use std::path::PathBuf;

/// How the file is meant.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub degrees: bool,
    pub euler: [u8; 3],
    pub autolimits: bool,
    /// True if free joints have the frame of the inertia.
    pub align_free: bool,
    pub from_geom: FromGeom,
    /// The groups of geoms that have inertia.
    pub groups: (f64, f64),
    pub balance: bool,
    pub least_mass: f64,
    pub least_inertia: f64,
    /// The mass that all bodies together are scaled to.
    pub total_mass: Option<f64>,
    /// The folder of the main file, if that is another one than the model's.
    pub folder: Option<PathBuf>,
    pub mesh_folder: PathBuf,
    pub texture_folder: PathBuf,
    pub strip_path: bool,
    /// Settings of the attached files, by their numbers; those of files that these attach come first.
    attached: Vec<(Range<usize>, Settings)>,
    pub gravity: Vector3<f64>,
    pub medium: Medium,
    pub contact: bool,
    pub equality: bool,
    pub limits: bool,
    pub friction_loss: bool,
    pub springs: bool,
    pub dampers: bool,
    pub actuation: bool,
    pub clamp_controls: bool,
    /// Groups of actuators that exert nothing.
    pub idle_groups: Vec<f64>,
    pub parents_apart: bool,
}

impl Settings {
    /// Stiffness and damping of an element, and what else its spring and damper have; those that the flags switch off
    /// are zero.
    pub fn spring_and_damper(&self, f: &Fields<'_>, log: &mut Log<'_>) -> (f64, f64, HigherTerms) {
        let on = |key: &str, on: bool, log: &mut Log<'_>| if on { f.polynomial(key, log) } else { (0.0, [0.0; 2]) };
        let ((stiffness, spring), (damping, damper)) =
            (on("stiffness", self.springs, log), on("damping", self.dampers, log));
        (stiffness, damping, HigherTerms { spring, damper })
    }

    /// Reads the settings of a model and of the files that it attaches; later statements count.
    pub fn read(root: &Element, attached: &[Attached], log: &mut Log<'_>) -> Self {
        let mut s = Settings::usual();
        let own: Vec<&Element> = root.all("compiler").collect();
        own.into_iter().for_each(|element| s.read_compiler(element, log));
        root.all("option").for_each(|element| s.read_option(element, log));
        for Attached { files, root } in attached {
            let usual = Settings::usual();
            let mut of_file = Settings {
                degrees: usual.degrees,
                euler: usual.euler,
                autolimits: usual.autolimits,
                align_free: usual.align_free,
                from_geom: usual.from_geom,
                groups: usual.groups,
                balance: usual.balance,
                least_mass: usual.least_mass,
                least_inertia: usual.least_inertia,
                total_mass: None,
                folder: Some(log.folder_of(&root.at).to_owned()),
                mesh_folder: PathBuf::new(),
                texture_folder: PathBuf::new(),
                strip_path: false,
                attached: Vec::new(),
                ..s.clone()
            };
            root.all("compiler").for_each(|element| of_file.read_compiler(element, log));
            s.attached.push((files.clone(), of_file));
        }
        s
    }

    /// Settings that count for an element: those of the file that it stands in.
    pub fn of(&self, element: &Element) -> &Settings {
        let found = self.attached.iter().find(|(files, _)| files.contains(&element.at.file));
        found.map_or(self, |(_, settings)| settings)
    }

    /// Settings of a file that states none.
    fn usual() -> Self {
        Settings {
            degrees: true,
            euler: *b"xyz",
            autolimits: true,
            align_free: false,
            from_geom: FromGeom::Auto,
            groups: (0.0, 5.0),
            balance: false,
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
            folder: None,
            mesh_folder: PathBuf::new(),
            texture_folder: PathBuf::new(),
            strip_path: false,
            attached: Vec::new(),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            medium: Medium { density: 0.0, viscosity: 0.0, wind: Vector3::zeros() },
            contact: true,
            equality: true,
            limits: true,
            friction_loss: true,
            springs: true,
            dampers: true,
            actuation: true,
            clamp_controls: true,
            idle_groups: Vec::new(),
            parents_apart: true,
        }
    }

    /// An angle of the file \[rad\].
    pub fn angle(&self, written: f64) -> f64 {
        if self.degrees { written.to_radians() } else { written }
    }

    /// True if fluids act and bodies are carried against gravity: not where neither springs nor dampers act.
    pub fn passive(&self) -> bool {
        self.springs || self.dampers
    }

    fn read_compiler(&mut self, element: &Element, log: &mut Log<'_>) {
        recognition::check_attributes(element, log);
        let f = Fields::alone(element);
        self.degrees = f.word("angle", &ANGLES, self.degrees, log);
        if !f.word("coordinate", &COORDINATES, true, log) {
            log.fault(&element.at, MjcfFault::GlobalCoordinates);
        }
        if let Some(text) = f.text("eulerseq") {
            match <[u8; 3]>::try_from(text.as_bytes()) {
                Ok(letters) if letters.iter().all(|c| b"xyzXYZ".contains(c)) => self.euler = letters,
                _ => {
                    let (element, text) = (element.describe(), "eulerseq is three letters of x, y, z, X, Y, Z".into());
                    log.fault(&f.element.at, MjcfFault::Other { element, text });
                }
            }
        }
        self.autolimits = f.flag("autolimits", self.autolimits, log);
        self.align_free = f.flag("alignfree", self.align_free, log);
        self.from_geom = f.word("inertiafromgeom", &FROM_GEOM, self.from_geom, log);
        if let Some([first, last]) = f.exactly("inertiagrouprange", log) {
            self.groups = (first, last);
        }
        self.balance = f.flag("balanceinertia", self.balance, log);
        self.least_mass = f.magnitude_or("boundmass", self.least_mass, log);
        self.least_inertia = f.magnitude_or("boundinertia", self.least_inertia, log);
        if let Some(mass) = f.number("settotalmass", log) {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = f.text(name) {
                self.mesh_folder = PathBuf::from(folder);
            }
        }
        for name in ["assetdir", "texturedir"] {
            if let Some(folder) = f.text(name) {
                self.texture_folder = PathBuf::from(folder);
            }
        }
        self.strip_path = f.flag("strippath", self.strip_path, log);
    }

    fn read_option(&mut self, element: &Element, log: &mut Log<'_>) {
        recognition::check_attributes(element, log);
        let f = Fields::alone(element);
        if let Some(gravity) = f.exactly::<3>("gravity", log) {
            self.gravity = gravity.into();
        }
        recognition::check_children(element, log);
        self.idle_groups.extend(f.list("actuatorgroupdisable", log).unwrap_or_default());
        f.overlay("wind", self.medium.wind.as_mut_slice(), log);
        self.medium.density = f.magnitude_or("density", self.medium.density, log);
        self.medium.viscosity = f.magnitude_or("viscosity", self.medium.viscosity, log);
        for flags in element.all("flag") {
            recognition::check_attributes(flags, log);
            self.read_flags(&Fields::alone(flags), log);
        }
    }

    fn read_flags(&mut self, f: &Fields<'_>, log: &mut Log<'_>) {
        let mut flag = |name: &str, now: bool| f.word(name, &SWITCH, now, log);
        if !flag("gravity", true) {
            self.gravity = Vector3::zeros();
        }
        if !flag("constraint", true) {
            (self.equality, self.limits, self.contact, self.friction_loss) = (false, false, false, false);
        }
        if !flag("passive", true) {
            (self.springs, self.dampers) = (false, false);
        }
        self.equality &= flag("equality", true);
        self.limits &= flag("limit", true);
        self.contact &= flag("contact", true);
        self.friction_loss &= flag("frictionloss", true);
        self.springs &= flag("spring", true);
        self.dampers &= flag("damper", true);
        self.actuation &= flag("actuation", true);
        self.clamp_controls &= flag("clampctrl", true);
        self.parents_apart &= flag("filterparent", true);
    }
}
