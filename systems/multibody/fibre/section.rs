//! Cross sections of fibres, and their stiffnesses.
//!
//! The axes y and z of a section are its principal axes. Shear coefficients are those of Cowper (1966); torsion of a
//! rectangle is that of Saint-Venant within 0.5 % (Roark, table 10.7).

use super::{FibreError, FibreMaterial};
use std::f64::consts::PI;

/// A cross section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// A solid circle.
    Circle {
        /// Radius \[m\].
        radius: f64,
    },
    /// A ring.
    Tube {
        /// Outer radius \[m\].
        outer: f64,
        /// Inner radius \[m\].
        inner: f64,
    },
    /// A rectangle.
    Rectangle {
        /// Along y \[m\].
        width: f64,
        /// Along z \[m\].
        height: f64,
    },
    /// A section given by its stiffnesses.
    Given {
        /// EA, GA_2, GA_3 \[N\].
        stretch: [f64; 3],
        /// GJ, EI_2 (about y), EI_3 (about z) \[N m²\].
        bend: [f64; 3],
        /// Mass per length \[kg/m\].
        mass: f64,
        /// Radius of the collision shape \[m\], which also determines the rotary inertia of the section.
        radius: f64,
    },
}

/// Stiffnesses and mass of a section of a given material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionStiffness {
    /// EA, GA_2, GA_3 \[N\].
    pub stretch: [f64; 3],
    /// GJ, EI_2, EI_3 \[N m²\].
    pub bend: [f64; 3],
    /// Mass per length \[kg/m\].
    pub mass: f64,
    /// Squared radii of gyration about y and z \[m²\].
    pub gyration: [f64; 2],
    /// Half the size along y and z \[m\].
    pub half_size: [f64; 2],
}

impl Section {
    /// The stiffnesses of the section for `material`.
    ///
    /// # Errors
    /// A number out of range.
    pub fn stiffness(&self, material: &FibreMaterial) -> Result<SectionStiffness, FibreError> {
        let positive = |what, value: f64| {
            let valid = value > 0.0 && value.is_finite();
            if valid {
                Ok(())
            } else {
                Err(FibreError::OutOfRange { what, value, expected: "a finite number above zero" })
            }
        };
        let FibreMaterial { young, shear, density, .. } = *material;
        if let Section::Given { stretch, bend, mass, radius } = *self {
            stretch.into_iter().try_for_each(|x| positive("stiffness of its section", x))?;
            bend.into_iter().try_for_each(|x| positive("stiffness of its section", x))?;
            positive("mass per length of its section", mass)?;
            positive("radius of its section", radius)?;
            let gyration = [0.25 * radius * radius; 2];
            return Ok(SectionStiffness { stretch, bend, mass, gyration, half_size: [radius; 2] });
        }
        positive("Young's modulus", young)?;
        positive("shear modulus", shear)?;
        positive("density", density)?;
        // Poisson's ratios of anisotropic materials are clamped to the range of isotropic ones.
        let poisson = (0.5 * young / shear - 1.0).clamp(0.0, 0.5);
        let (area, [about_y, about_z], torsion, coefficient, half_size) = match *self {
            Section::Circle { radius } => {
                positive("radius of its section", radius)?;
                let second = 0.25 * PI * radius.powi(4);
                let coefficient = 6.0 * (1.0 + poisson) / (7.0 + 6.0 * poisson);
                (PI * radius * radius, [second; 2], 2.0 * second, coefficient, [radius; 2])
            }
            Section::Tube { outer, inner } => {
                positive("outer radius of its section", outer)?;
                if !(0.0..outer).contains(&inner) {
                    let (what, expected) = ("inner radius of its section", "zero or more, and less than the outer one");
                    return Err(FibreError::OutOfRange { what, value: inner, expected });
                }
                let second = 0.25 * PI * (outer.powi(4) - inner.powi(4));
                let m2 = (inner / outer).powi(2);
                let square = (1.0 + m2).powi(2);
                let coefficient =
                    6.0 * (1.0 + poisson) * square / ((7.0 + 6.0 * poisson) * square + (20.0 + 12.0 * poisson) * m2);
                (PI * (outer * outer - inner * inner), [second; 2], 2.0 * second, coefficient, [outer; 2])
            }
            Section::Rectangle { width, height } => {
                positive("width of its section", width)?;
                positive("height of its section", height)?;
                let (long, short) = (width.max(height), width.min(height));
                let slim = short / long;
                let torsion = long * short.powi(3) * (1.0 / 3.0 - 0.21 * slim * (1.0 - slim.powi(4) / 12.0));
                let seconds = [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0];
                let coefficient = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
                (width * height, seconds, torsion, coefficient, [0.5 * width, 0.5 * height])
            }
            Section::Given { stretch, bend, mass, radius } => {
                let gyration = [0.25 * radius * radius; 2];
                return Ok(SectionStiffness { stretch, bend, mass, gyration, half_size: [radius; 2] });
            }
        };
        let across = coefficient * shear * area;
        Ok(SectionStiffness {
            stretch: [young * area, across, across],
            bend: [shear * torsion, young * about_y, young * about_z],
            mass: density * area,
            gyration: [about_y / area, about_z / area],
            half_size,
        })
    }
}
