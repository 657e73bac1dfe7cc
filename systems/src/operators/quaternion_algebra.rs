//! Algebra of quaternions [w, x, y, z], of any length: what turns does not depend on it.

use kinegraph_core::Scalar;

/// The product a b: of two rotations, b happens first.
pub(super) fn product<S: Scalar>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// The scalar product.
fn dot<S: Scalar>(a: [S; 4], b: [S; 4]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The quaternion of the opposite rotation: q⁻¹, with q q⁻¹ = 1.
pub(super) fn inverse<S: Scalar>(q: [S; 4]) -> [S; 4] {
    let square = dot(q, q);
    [q[0] / square, -q[1] / square, -q[2] / square, -q[3] / square]
}

/// The vector v, rotated: q v q⁻¹.
pub(super) fn rotate<S: Scalar>(q: [S; 4], v: [S; 3]) -> [S; 3] {
    let [_, x, y, z] = product(product(q, [S::zero(), v[0], v[1], v[2]]), inverse(q));
    [x, y, z]
}

/// The quaternion of length 1 of a rotation by roll about x, then pitch about y, then yaw about z, all fixed axes.
pub(super) fn from_rpy<S: Scalar>(rpy: [S; 3]) -> [S; 4] {
    let half = S::constant(0.5);
    let [[sr, cr], [sp, cp], [sy, cy]] = rpy.map(|angle| [(angle * half).sin(), (angle * half).cos()]);
    [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]
}

/// Part of the length of a quaternion below which its pitch counts as vertical: there roll and yaw are one rotation,
/// and their formulas are quotients of rounding errors.
const VERTICAL: f64 = 1e-12;

/// Roll, pitch and yaw of a rotation; pitch from -π/2 to π/2. At a vertical pitch roll is zero and yaw has the rest.
pub(super) fn to_rpy<S: Scalar>([w, x, y, z]: [S; 4]) -> [S; 3] {
    let two = S::constant(2.0);
    let (roll_y, roll_x) = (two * (w * x + y * z), w * w - x * x - y * y + z * z);
    let (yaw_y, yaw_x) = (two * (w * z + x * y), w * w + x * x - y * y - z * z);
    let sine = two * (w * y - x * z);
    let square = w * w + x * x + y * y + z * z;
    if roll_y.value().hypot(roll_x.value()) <= VERTICAL * square.value() {
        let quarter = S::constant(std::f64::consts::FRAC_PI_2.copysign(sine.value()));
        return [S::zero(), quarter, two * z.atan2(w)];
    }
    let cosine = (roll_y * roll_y + roll_x * roll_x).sqrt();
    [roll_y.atan2(roll_x), sine.atan2(cosine), yaw_y.atan2(yaw_x)]
}

/// Angle between two quaternions \[rad\] below which the arc is taken as a chord: they differ by less than its cube.
const CHORD: f64 = 1e-5;

/// The quaternion of length 1 that lies by the fraction f on the shorter arc from a to b: rotation at a constant rate
/// about a fixed axis. (Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985.)
pub(super) fn slerp<S: Scalar>(a: [S; 4], b: [S; 4], f: S) -> [S; 4] {
    let unit = |q: [S; 4]| {
        let length = dot(q, q).sqrt();
        q.map(|x| x / length)
    };
    let (a, mut b) = (unit(a), unit(b));
    if dot(a, b).value() < 0.0 {
        b = b.map(|x| -x);
    }
    let combine = |s: S, t: S| -> [S; 4] { std::array::from_fn(|i| s * a[i] + t * b[i]) };
    let apart = combine(-S::one(), S::one());
    let chord = dot(apart, apart);
    if chord.value() < CHORD * CHORD {
        return unit(combine(S::one() - f, f));
    }
    // The half of the angle from the chord: accurate also where the cosine of the angle is nearly 1.
    let angle = S::constant(2.0) * (chord.sqrt() * S::constant(0.5)).asin();
    let sine = angle.sin();
    combine(((S::one() - f) * angle).sin() / sine, (f * angle).sin() / sine)
}
