//! Pseudo-random numbers that are the same in every run, on every machine.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
pub(super) struct Random(pub u64);

impl Random {
    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A unit quaternion (w, x, y, z), uniformly distributed.
    pub fn unit_quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.uniform(-1.0, 1.0));
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&norm) {
                return q.map(|c| c / norm);
            }
        }
    }
}
