//! Random numbers without memory: a bijection of a counter under a key, so that sample k is a function of (seed, k)
//! alone.
//!
//! Philox 4x32 with 10 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). The
//! vectors in the tests are those of its reference implementation, Random123.

/// Four random words for a counter and a key.
pub fn philox([mut a, mut b, mut c, mut d]: [u32; 4], [mut key0, mut key1]: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let (left, right) = (0xD251_1F53 * u64::from(a), 0xCD9E_8D57 * u64::from(c));
        (a, b, c, d) = ((right >> 32) as u32 ^ b ^ key0, right as u32, (left >> 32) as u32 ^ d ^ key1, left as u32);
        key0 = key0.wrapping_add(0x9E37_79B9);
        key1 = key1.wrapping_add(0xBB67_AE85);
    }
    [a, b, c, d]
}

/// Sample `k` of channel `channel` under `seed`: standard normal (Box and Muller, 1958).
pub fn normal(seed: u64, channel: u64, k: u64) -> f64 {
    let words = |x: u64| [x as u32, (x >> 32) as u32];
    let ([k0, k1], [c0, c1]) = (words(k), words(channel));
    let [a, b, c, d] = philox([k0, k1, c0, c1], words(seed));
    // 53 bits each; the half keeps the logarithm away from zero.
    let uniform =
        |low: u32, high: u32| (((u64::from(high) << 32 | u64::from(low)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    (-2.0 * uniform(a, b).ln()).sqrt() * (std::f64::consts::TAU * uniform(c, d)).cos()
}
