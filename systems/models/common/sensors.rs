//! `<sensor>`: of links and joints of SDFormat, and of URDF's `<gazebo reference="…">`, which has the same elements.
//!
//! Sensors of motion and of forces become outputs of the plant, `MODEL.sensors.SENSOR`: exact, without the rate and the
//! noise of the file. Ray sensors are read by a block, `model_sensor`, at the rate and with the noise of the file. The
//! frame of a sensor has x ahead and z up; that of a lens z ahead and y down.

use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_core::convex::{RayKind, RaySensor};
use kinegraph_geometry::Shape;
use kinegraph_multibody::sensor_data::{FrameOnLink, ModelSensor, OfFrame, Quantity};
use kinegraph_multibody::{Joint, Model};
use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};

const SENSOR: Known = Known {
    attributes: &["name", "type"],
    once: &[
        "pose",
        "update_rate",
        "imu",
        "force_torque",
        "contact",
        "ray",
        "lidar",
        "camera",
        "depth_camera",
        "altimeter",
    ],
    many: &[],
    ignored: &[
        "always_on",
        "visualize",
        "topic",
        "enable_metrics",
        "plugin",
        "gps",
        "navsat",
        "magnetometer",
        "sonar",
        "logical_camera",
        "rfid",
        "rfidtag",
        "transceiver",
        "wireless_receiver",
        "wireless_transmitter",
        "air_pressure",
        "air_speed",
        "frame_id",
        "ignition_frame_id",
        "gz_frame_id",
    ],
    ignored_attributes: &[],
};
const FORCE_TORQUE: Known = Known {
    attributes: &[],
    once: &["frame", "measure_direction"],
    many: &[],
    ignored: &["force", "torque"],
    ignored_attributes: &[],
};
const IMU: Known = Known {
    attributes: &[],
    once: &[],
    many: &[],
    ignored: &[
        "angular_velocity",
        "linear_acceleration",
        "orientation_reference_frame",
        "enable_orientation",
        "noise",
        "topic",
    ],
    ignored_attributes: &[],
};
const CONTACT: Known =
    Known { attributes: &[], once: &[], many: &["collision"], ignored: &["topic"], ignored_attributes: &[] };
const RAY: Known = Known {
    attributes: &[],
    once: &["scan", "range", "noise"],
    many: &[],
    ignored: &["visibility_mask"],
    ignored_attributes: &[],
};
const SCAN: Known =
    Known { attributes: &[], once: &["horizontal", "vertical"], many: &[], ignored: &[], ignored_attributes: &[] };
const LAYERS: Known = Known {
    attributes: &[],
    once: &["samples", "resolution", "min_angle", "max_angle"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};
const RANGE: Known =
    Known { attributes: &[], once: &["max", "resolution"], many: &[], ignored: &["min"], ignored_attributes: &[] };
const NOISE: Known = Known {
    attributes: &["type"],
    once: &["type", "mean", "stddev"],
    many: &[],
    ignored: &["bias_mean", "bias_stddev", "dynamic_bias_stddev", "dynamic_bias_correlation_time", "precision"],
    ignored_attributes: &[],
};
const CAMERA: Known = Known {
    attributes: &["name"],
    once: &["pose", "horizontal_fov", "image", "clip", "depth_camera"],
    many: &[],
    ignored: &[
        "noise",
        "save",
        "distortion",
        "lens",
        "visibility_mask",
        "trigger_topic",
        "triggered",
        "camera_info_topic",
        "segmentation_type",
        "box_type",
        "anti_aliasing",
        "optical_frame_id",
    ],
    ignored_attributes: &[],
};
const IMAGE: Known = Known {
    attributes: &[],
    once: &["width", "height"],
    many: &[],
    ignored: &["format", "anti_aliasing"],
    ignored_attributes: &[],
};
const CLIP: Known = Known { attributes: &[], once: &["far"], many: &[], ignored: &["near"], ignored_attributes: &[] };

/// Default rate of ray sensors \[Hz\].
const USUAL_RATE: f64 = 10.0;
/// Default magnetic field, that of the format \[T\].
pub(crate) const MAGNETIC_FIELD: [f64; 3] = [5.5645e-6, 22.8758e-6, -42.3884e-6];
/// Largest number of columns or rows of a scan or a picture: more is a mistake.
const MAX_COUNT: f64 = 16_384.0;
/// Size of a zone around a link that contains all its contacts \[m\].
const EVERYWHERE: f64 = 1e6;

/// A sensor with its pose.
pub(crate) struct Sensor {
    name: String,
    /// Pose of its frame in that of the link or joint that carries it.
    X: Isometry3<f64>,
    kind: Kind,
}

enum Kind {
    Imu,
    Altimeter,
    Magnetometer,
    Contact,
    ForceTorque(Wrench),
    Rays { kind: RayKind, rate: f64, bias: f64, noise: f64, resolution: f64 },
}

/// Axes in which a force is measured, and side of the joint on which it acts.
struct Wrench {
    axes: Axes,
    on_child: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Axes {
    Child,
    Parent,
    Sensor,
}

/// Reads the pose of an element, in its format; identity if there is none.
pub(crate) type ReadPose = fn(Element<'_, '_>, &mut Report<'_>) -> Isometry3<f64>;

/// Attachment of a sensor.
pub(crate) struct Place<'a> {
    /// The link that carries it; for a joint, its child.
    pub link: &'a str,
    /// Pose of its frame in that of the link.
    pub X_LS: Isometry3<f64>,
    /// The joint that it belongs to.
    pub joint: Option<&'a str>,
}

/// Reads a sensor of a joint or of a link; `None` if it is not simulated, which is noted, and after a fault.
pub(crate) fn read(
    element: Element<'_, '_>,
    of_joint: bool,
    pose: ReadPose,
    report: &mut Report<'_>,
) -> Option<Sensor> {
    element.check(&SENSOR, report);
    let name = element.required_name("sensor", report);
    let kind = element.required("type", report)?;
    let X = pose(element, report);
    let turned = |(kind, inner): (Kind, Isometry3<f64>), X: Isometry3<f64>| (kind, X * inner);
    let (kind, X) = match kind.value {
        "imu" => (checked(element, "imu", &IMU, Kind::Imu, report), X),
        "altimeter" => (Kind::Altimeter, X),
        "magnetometer" => (Kind::Magnetometer, X),
        "contact" => (checked(element, "contact", &CONTACT, Kind::Contact, report), X),
        "force_torque" if of_joint => (Kind::ForceTorque(wrench(element, report)), X),
        "force_torque" => {
            differs(element, "is not of a joint, whose force it could measure, and is ignored", report);
            return None;
        }
        "ray" | "lidar" | "gpu_ray" | "gpu_lidar" => {
            let of = element.child("lidar").or_else(|| element.child("ray"));
            (lidar(element, of, report)?, X)
        }
        "depth" | "depth_camera" | "rgbd_camera" | "rgbd" => turned(camera(element, false, pose, report)?, X),
        "segmentation" | "segmentation_camera" => turned(camera(element, true, pose, report)?, X),
        _ => {
            differs(element, "has a type that is not simulated", report);
            return None;
        }
    };
    Some(Sensor { name, X, kind })
}

fn checked(element: Element<'_, '_>, name: &str, known: &Known, kind: Kind, report: &mut Report<'_>) -> Kind {
    if let Some(child) = element.child(name) {
        child.check(known, report);
    }
    if element.child("update_rate").is_some() {
        differs(element, "is an output of the plant, without the rate and the noise of the file", report);
    }
    kind
}

fn differs(element: Element<'_, '_>, how: &'static str, report: &mut Report<'_>) {
    report.note(element.span(), NoteKind::ElementDiffers { element: element.describe(), how });
}

/// The number in the text of a child of `parent`, by default `otherwise`.
fn number(parent: Option<Element<'_, '_>>, name: &str, otherwise: f64, report: &mut Report<'_>) -> f64 {
    let child = parent.and_then(|parent| parent.child(name));
    let Some(child) = child else { return otherwise };
    child.check(&Known::TEXT, report);
    child.content().number(report).unwrap_or(otherwise)
}

fn wrench(element: Element<'_, '_>, report: &mut Report<'_>) -> Wrench {
    let of = element.child("force_torque");
    if let Some(of) = of {
        of.check(&FORCE_TORQUE, report);
    }
    let text = |name: &str| of.and_then(|of| of.child(name)).map_or("", |child| child.text());
    let axes = match text("frame") {
        "parent" => Axes::Parent,
        "sensor" => Axes::Sensor,
        _ => Axes::Child,
    };
    Wrench { axes, on_child: text("measure_direction") == "parent_to_child" }
}

/// Rate of a ray sensor \[Hz\].
fn rate(element: Element<'_, '_>, report: &mut Report<'_>) -> f64 {
    differs(element, "looks along rays: a block of the type `model_sensor` reads it", report);
    let rate = number(Some(element), "update_rate", 0.0, report);
    if rate > 0.0 {
        return rate;
    }
    differs(element, "states no update_rate; it reads ten times a second", report);
    USUAL_RATE
}

/// A count, at least one.
fn count(parent: Option<Element<'_, '_>>, name: &str, otherwise: f64, report: &mut Report<'_>) -> usize {
    number(parent, name, otherwise, report).round().clamp(1.0, MAX_COUNT) as usize
}

fn lidar(element: Element<'_, '_>, of: Option<Element<'_, '_>>, report: &mut Report<'_>) -> Option<Kind> {
    let check = |element: Option<Element<'_, '_>>, known: &Known, report: &mut Report<'_>| {
        if let Some(element) = element {
            element.check(known, report);
        }
    };
    let within = |name: &str| of.and_then(|of| of.child(name));
    let (scan, range, noise) = (within("scan"), within("range"), within("noise"));
    let (flat, upright) =
        (scan.and_then(|scan| scan.child("horizontal")), scan.and_then(|scan| scan.child("vertical")));
    for (element, known) in
        [(of, &RAY), (scan, &SCAN), (flat, &LAYERS), (upright, &LAYERS), (range, &RANGE), (noise, &NOISE)]
    {
        check(element, known, report);
    }
    let mut rays = |layers: Option<Element<'_, '_>>, samples: f64| {
        let count = count(layers, "samples", samples, report) as f64 * number(layers, "resolution", 1.0, report);
        let count = count.round().clamp(1.0, MAX_COUNT) as usize;
        (count, [number(layers, "min_angle", 0.0, report), number(layers, "max_angle", 0.0, report)])
    };
    let (columns, azimuths) = rays(flat, 640.0);
    let (layers, [low, high]) = rays(upright, 1.0);
    let step = (high - low) / (layers.max(2) - 1) as f64;
    let elevations = (0..layers).map(|i| low + i as f64 * step).collect();
    let max_range = number(range, "max", 0.0, report);
    if max_range <= 0.0 || azimuths[1] < azimuths[0] {
        differs(element, "has no range or no scan, and is ignored", report);
        return None;
    }
    let resolution = number(range, "resolution", 0.0, report).max(0.0);
    Some(Kind::Rays {
        kind: RayKind::Lidar { columns, azimuths, elevations, max_range },
        rate: rate(element, report),
        bias: number(noise, "mean", 0.0, report),
        noise: number(noise, "stddev", 0.0, report).max(0.0),
        resolution,
    })
}

fn camera(
    element: Element<'_, '_>,
    labels: bool,
    pose: ReadPose,
    report: &mut Report<'_>,
) -> Option<(Kind, Isometry3<f64>)> {
    let of = element.child("camera");
    let depth = of.and_then(|of| of.child("depth_camera"));
    let image = of.and_then(|of| of.child("image"));
    // The depth part of a camera may have its own range.
    let clips = [depth.and_then(|depth| depth.child("clip")), of.and_then(|of| of.child("clip"))];
    for (element, known) in [(of, &CAMERA), (image, &IMAGE), (clips[0], &CLIP), (clips[1], &CLIP)] {
        if let Some(element) = element {
            element.check(known, report);
        }
    }
    let clip = clips.into_iter().flatten().find(|clip| clip.child("far").is_some());
    let inner = of.map_or_else(Isometry3::identity, |of| pose(of, report));
    let field_of_view = number(of, "horizontal_fov", 1.047, report);
    let kind = RayKind::Camera {
        columns: count(image, "width", 320.0, report),
        rows: count(image, "height", 240.0, report),
        field_of_view,
        max_depth: number(clip, "far", 100.0, report),
        labels,
    };
    if !(field_of_view > 0.0 && field_of_view < std::f64::consts::PI) {
        differs(element, "has a field of view that no lens without distortion has, and is ignored", report);
        return None;
    }
    // Columns: right, down and ahead of the picture, in the axes of the sensor.
    let turn = Matrix3::from_columns(&[-Vector3::y(), -Vector3::z(), Vector3::x()]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    let kind = Kind::Rays { kind, rate: rate(element, report), bias: 0.0, noise: 0.0, resolution: 0.0 };
    Some((kind, inner * turn))
}

impl Sensor {
    /// Pose of its frame in that of the link or joint that carries it.
    pub fn X(&self) -> &Isometry3<f64> {
        &self.X
    }

    /// Adds the sensor to `model`, whose links and joints are placed; `field_W` is the magnetic field \[T\].
    pub fn add(self, model: &mut Model, place: &Place<'_>, field_W: Vector3<f64>) {
        let (link, X_LS) = (place.link.to_owned(), place.X_LS);
        let name = self.free_name(model, &link);
        let frame = || FrameOnLink { link: link.clone(), X_LF: X_LS };
        let of_frame =
            |part: &'static str, what: OfFrame| (part, Quantity::Frame { frame: frame(), seen_from: None, what });
        let found = match self.kind {
            Kind::Imu => vec![
                of_frame(".orientation", OfFrame::Orientation),
                of_frame(".angular_velocity", OfFrame::OwnAngularVelocity),
                of_frame(".linear_acceleration", OfFrame::SpecificForce),
            ],
            Kind::Altimeter => {
                vec![of_frame(".position", OfFrame::Position), of_frame(".velocity", OfFrame::LinearVelocity)]
            }
            Kind::Magnetometer => vec![("", Quantity::Field { frame: frame(), field_W })],
            Kind::Contact => {
                let zone = Shape::Sphere { radius: EVERYWHERE };
                vec![("", Quantity::Touch { frame: frame(), zone })]
            }
            Kind::ForceTorque(Wrench { axes, on_child }) => {
                let is_its = |joint: &&Joint| Some(joint.name.as_str()) == place.joint;
                let Some(joint) = model.joints.iter().find(is_its) else { return };
                // About the origin of the joint, in any axes.
                let turn = if axes == Axes::Sensor { X_LS.rotation } else { UnitQuaternion::identity() };
                let X_LF = Isometry3::from_parts(joint.X_BM.translation, turn);
                let frame = FrameOnLink { link: link.clone(), X_LF };
                let parent = FrameOnLink { link: joint.parent.clone(), X_LF: Isometry3::identity() };
                let seen_from = (axes == Axes::Parent).then_some(parent);
                let (force, torque) = match on_child {
                    true => (OfFrame::Force, OfFrame::Torque),
                    false => (OfFrame::ForceOnParent, OfFrame::TorqueOnParent),
                };
                let of = |what| Quantity::Frame { frame: frame.clone(), seen_from: seen_from.clone(), what };
                vec![(".force", of(force)), (".torque", of(torque))]
            }
            Kind::Rays { kind, rate, bias, noise, resolution } => {
                let period = 1.0 / rate;
                model.scene.rays.push(RaySensor { name, link, X_LS, kind, period, bias, noise, resolution });
                return;
            }
        };
        for (part, quantity) in found {
            let name = format!("{name}{part}");
            model.scene.sensors.push(ModelSensor { name, quantity, cutoff: f64::INFINITY });
        }
    }

    /// Its name, with that of the link if another sensor has it.
    fn free_name(&self, model: &Model, link: &str) -> String {
        let is_of = |full: &str, name: &str| {
            full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let taken = |name: &String| {
            model.scene.sensors.iter().any(|other| is_of(&other.name, name))
                || model.scene.rays.iter().any(|other| other.name == *name)
        };
        let name = self.name.replace('.', "_");
        let numbered = (2..).map(|i| format!("{name}{i}"));
        let mut names = [name.clone(), format!("{link}_{name}")].into_iter().chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }
}
