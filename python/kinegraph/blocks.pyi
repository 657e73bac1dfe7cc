"""A class for every block type of the catalog. Written by `python -m kinegraph.stubs`."""

from typing import Any, Dict, List

from .ports import Named, Port

CATALOG: List[Dict[str, Any]]
TYPES: Dict[str, type]

class CatalogBlock(Named):
    type_name: str
    parameters: Dict[str, Any]
    def __init__(self, **parameters: Any) -> None: ...

def class_name(type_name: str) -> str: ...
def argument_name(key: str) -> str: ...
def doc_of(facts: Dict[str, Any]) -> str: ...

class MultibodyPlant(CatalogBlock):
    """Rigid bodies with joints, contact and gravity.

    gravity: in world axes [m/s²]; that of an MJCF file, where there is one; 3 numbers [x, y, z] in m/s²
        (default: [0, 0, -9.81])
    contact: the contact law of every pair of shapes; the contact law, such as `{model: point,
        stiffness: 1e5}` (default: that of its keys)
        model: `point`: shapes touch in points; `hydroelastic`: with the surface on which their
            pressures balance, and a pair that has none is a fault; `hydroelastic_with_fallback`: such a
            pair touches in points; `volume`: with the pressure of the volume in which they overlap;
            point, hydroelastic, hydroelastic_with_fallback or volume (default: point)
        modulus: with surfaces: pressure in the core of compliant shapes [Pa]; a number above 0
            (default: 1e7)
        resolution: with surfaces: edge length of the meshes of curved shapes [m]; a number above 0
            (default: a fifth of the half thickness of the shape)
        curved: with surfaces: meshes of curved shapes have the volume of the shape, or their vertices
            on its surface, which is softer; volume_preserving or inscribed (default: volume_preserving)
        stiffness: of a pair [N/m]; a number above 0 (default: 100000)
        dissipation: Hunt-Crossley dissipation [s/m]; a number that is not negative (default: 10)
        static_friction: coefficient of friction at rest; a number that is not negative (default: 0.5,
            or `dynamic_friction` where that is given)
        dynamic_friction: coefficient of friction in motion, at most the static one; a number that is
            not negative (default: `static_friction`)
        stiction_tolerance: slip velocity below which contact sticks [m/s]; a number above 0 (default:
            0.0001)
        points: `manifold`: the corners of an overlap share the stiffness of the pair, each in
            proportion to its part of the area; `deepest`: its deepest point has all of it;
            `local_minima`: one at each local minimum of the distance, by which meshes that collide as
            they are (`exact`) touch each other, too; manifold, deepest or local_minima (default:
            manifold)
        torsional_friction: largest torque about the normal per normal force [m]: what spins comes to
            rest; of shapes that touch in points; a number that is not negative (default: 0)
        rolling_friction: largest torque across the normal per normal force [m]: what rolls comes to
            rest; of shapes that touch in points; a number that is not negative (default: 0)
    hydroelastic: what shapes are in contact with surfaces: `{NAME: compliant}`, `rigid`, `none`, or a
        map; NAME is a model, MODEL/LINK, MODEL/LINK/SHAPE or `ground`; shapes with what they are made
        of (default: `compliant`, the ground `rigid`, or what a model file says)
        kind: whether it is compliant; `none` touches in points; compliant, rigid or none (default: as
            without this)
        modulus: pressure in the core of a compliant shape [Pa]; a number above 0 (default: that of
            `contact`)
        resolution: edge length of its mesh where it is curved [m]; a number above 0 (default: that of
            `contact`)
        margin: how far its pressure field goes on outside, with negative pressures [m]; a number that
            is not negative (default: 0)
        slab_thickness: of a compliant ground, which needs it: the depth at which the pressure is the
            modulus [m]; a number above 0 (default: none)
        dissipation: its Hunt-Crossley dissipation [s/m]; a number that is not negative (default: that
            of `contact`)
    ground: a half-space that nothing moves; the ground, such as `{height: 0}` (default: none)
        height: it is below this z [m]; a number (default: 0)
    models: bodies with joints, each from a URDF, SDFormat or MJCF file; a list of models (required)
        name: unique in the plant; a name of letters, digits, `_` and `-` that begins with a letter
            (required)
        file: a URDF, SDFormat or MJCF file in the folder of the diagram file, or below it, or
            `package://NAME/...`. Its collision meshes (`.obj`, `.stl`, `.ply`, `.dae`, `.msh`, `.vtk`,
            `.gltf`, `.glb`) collide as `meshes` says; the name of a model file (required)
        base: `fixed`: the root link is fixed to the world; `floating`: it is free; `MODEL/LINK`: welded
            to a link of a model that stands before this one. An MJCF file says itself what floats: the
            root link is its world; fixed, floating or MODEL/LINK (default: the file says it (MJCF); a
            URDF file does not)
        inertia: of a link that no body has: `raw` takes it as written, as long as what the link is
            welded to makes up for it; `project` takes the nearest possible one; `strict` refuses the
            file; raw, project or strict (default: raw)
        missing_meshes: of collision meshes that are not found, not read, or flat: `error`, or `ignore`
            to leave them out; error or ignore (default: error)
        meshes: what of its collision meshes collides: the convex `hull`, the mesh `decomposed` into
            convex parts, or its triangles (`exact`: rigid, from their front side, against convex
            shapes); or a map `{LINK: decomposed, LINK/COLLISION: exact, default: hull}`; hull,
            decomposed, exact or a map such as `{LINK: exact, default: hull}` (default: hull)
        pose: of the root link in the frame of the base; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0,
            0, 0]}` (default: identity)
            xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
            quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
            rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers
                [roll, pitch, yaw] in rad (default: not turned)
        velocity: of a floating base, in world axes; the joints are at rest but for `initial`: it is
            that of the whole model; a velocity, such as `{linear: [1, 0, 0]}` (default: zero)
            angular: angular velocity [rad/s]; 3 numbers [x, y, z] in rad/s (default: [0, 0, 0])
            linear: velocity of the root link's origin [m/s]; 3 numbers [x, y, z] in m/s (default: [0,
                0, 0])
        actuated: which joints have motors; where the file names no transmissions, every joint of one
            axis that is no mimic joint has; all, none or a list of joints (default: the joints of
            transmissions)
        keyframe: the named state of an MJCF file in which the model starts; `initial` changes single
            joints of it; the name of a keyframe (default: none)
        surfaces: whose stiffness, dissipation and friction its shapes have: that of the model `file`
            (MJCF), or the `contact` of the `plant`. Which shapes touch each other the file says in any
            case; file or plant (default: file)
        links: values of links in place of those of the file; links with their values, such as `{box:
            {mass: 2}}` (default: as in the file)
            mass: mass; the inertia stays as it is [kg]; a number above 0 (default: that of the file)
            inertia: rotational inertia about the centre of mass, in link axes: `[ixx, iyy, izz]`, or
                `[ixx, iyy, izz, ixy, ixz, iyz]` [kg m²]; [ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz,
                iyz] in kg m² (default: that of the file)
            com: centre of mass in the frame of the link [m]; 3 numbers [x, y, z] in m (default: that of
                the file)
        joints: values of joints in place of those of the file; joints with their values, such as
            `{hinge: {damping: 0.1}}` (default: as in the file)
            damping: viscous damping [N m s/rad, N s/m]; a number that is not negative (default: that of
                the file)
            friction: dry friction: largest effort that resists motion [N m, N]; a number that is not
                negative (default: that of the file)
            limits: lower and upper stop [rad, m]; [lower, upper], the lower one first (default: those
                of the file)
            effort: largest effort of its motor [N m, N]; a number above 0 (default: that of the file)
            armature: inertia of the rotor as the joint feels it [kg m², kg]; a number that is not
                negative (default: that of the file)
        materials: contact laws of shapes in place of those of the file, by `LINK`, `LINK/COLLISION` or
            `default`; links with the contact laws of their shapes, such as `{pad: {friction: 1}}`
            (default: as in the file)
            stiffness: of this side: two equal sides touch with half of it [N/m]; a number above 0
                (default: that of the file, or of the plant)
            dissipation: Hunt-Crossley dissipation [s/m]; a number that is not negative (default: that
                of the file, or of the plant)
            friction: coefficient of friction; of two shapes that state one the larger counts; a number
                that is not negative (default: that of the file, or of the plant)
            friction_across: coefficient of friction in the directions orthogonal to `friction_along`,
                as of a skate or of brushed metal; `friction` then holds along it; a number that is not
                negative (default: `friction`)
            friction_along: with `friction_across`: direction in the frame of the link in which
                `friction` holds, of any length; 3 numbers [x, y, z] (default: [1, 0, 0])
    fibres: ropes, cables, strips and rings: chains of nodes `n0`, `n1`, … with a beam between each two;
        a list of fibres (default: none)
        name: unique among the models and fibres of the plant; a name of letters, digits, `_` and `-`
            that begins with a letter (required)
        points: its axis at the start, straight from point to point, in world [m]; in a file, one point
            `x, y, z` a line; a list of points [x, y, z], or the name of a file (default: see `circle`,
            `helix`)
        circle: instead of `points`: a closed ring; a circle, such as `{radius: 0.1, axis: [0, 0, 1]}`
            (default: see `points`)
            centre: of a circle; where the axis of a helix starts; 3 numbers [x, y, z] in m (default:
                [0, 0, 0])
            axis: about which it goes round; 3 numbers [x, y, z] (default: [0, 0, 1])
            radius: [m]; a number above 0 (required)
        helix: instead of `points`: a coil; a helix, such as `{radius: 0.1, pitch: 0.05, turns: 4}`
            (default: see `points`)
            centre: of a circle; where the axis of a helix starts; 3 numbers [x, y, z] in m (default:
                [0, 0, 0])
            axis: about which it goes round; 3 numbers [x, y, z] (default: [0, 0, 1])
            radius: [m]; a number above 0 (required)
            pitch: travel along the axis per turn [m]; a number (required)
            turns: how many; negative: left-handed; a number (required)
        elements: how many beams it is made of, of equal length; a whole number that is not negative
            (default: see `element_length`)
        element_length: instead of `elements`: no beam is longer [m]; a number above 0 (default: see
            `elements`)
        section: its cross section: a circle by its `radius`, a tube by `radius` and `inner_radius`, a
            rectangle by `width` and `height`, or by its stiffness; a cross section, such as `{radius:
            0.005}` (required)
            radius: of a circle or tube; where the stiffness is given, of what touches [m]; a number
                above 0 (default: see `width`)
            inner_radius: of a tube [m]; a number that is not negative (default: none)
            width: of a rectangle along its y axis [m]; a number above 0 (default: see `radius`)
            height: of a rectangle along its z axis [m]; a number above 0 (default: see `radius`)
            stretch: stiffness in stretch and shear [N]; 3 numbers [EA, GA2, GA3] in N (default: from
                the material)
            bend: stiffness in twist and in bending about its y and z axis [N m²]; 3 numbers [GJ, EI2,
                EI3] in N m² (default: from the material)
            mass: mass per length, where the stiffness is given [kg/m]; a number above 0 (default: from
                the material)
        material: what it is made of; a material, such as `{young: 2e11, density: 7800}` (default:
            required, unless the section has its stiffness)
            young: Young's modulus [Pa]; a number above 0 (required)
            poisson: Poisson's ratio, from which the shear modulus follows; a number (default: 0.3)
            shear: shear modulus [Pa]; a number above 0 (default: by `poisson`)
            density: [kg/m³]; a number above 0 (required)
            damping: stress per rate of strain, over the modulus [s]; a number that is not negative
                (default: 0)
        start: what holds its start: nothing, `{clamped: LINK}` or `{pinned: LINK}`; what holds an end,
            such as `{clamped: arm/hand}` (default: free)
            clamped: `MODEL/LINK`, or `world`: place and direction stay on it as they start; world or a
                link as `model/link` (default: none)
            pinned: `MODEL/LINK`, or `world`: the place stays on it; the fibre turns freely; world or a
                link as `model/link` (default: none)
        end: what holds its end; what holds an end, such as `{clamped: arm/hand}` (default: free)
            clamped: `MODEL/LINK`, or `world`: place and direction stay on it as they start; world or a
                link as `model/link` (default: none)
            pinned: `MODEL/LINK`, or `world`: the place stays on it; the fibre turns freely; world or a
                link as `model/link` (default: none)
        natural: its shape without load: that in which it starts, or straight; start or straight
            (default: start)
        up: direction in world to which the z axis of the section is as close as it can be, where the
            fibre starts; 3 numbers [x, y, z] (default: any)
        twist: by what angle the section turns from the start to the end [rad]; a number (default: 0)
        contact_radius: of what touches [m]; 0: nothing touches it; a number that is not negative
            (default: that of the section; a rectangle touches as a box)
        self_contact: whether it touches itself; true or false (default: false)
        smooth_contact: whether contact passes from node to node without jumps; true or false (default:
            false)
    initial: positions of joints at the start, `{MODEL: {JOINT: 0.1}}`, or positions and velocities,
        `{MODEL: {JOINT: {q: 0.1, v: 0}}}`; models with the states of their joints (default: zeros)
        q: position [rad, m]; a number (default: 0)
        v: velocity [rad/s, m/s]; a number (default: 0)
    springs: forces `-stiffness (q - rest)` on joints; a list of springs (default: none)
        joint: `MODEL/JOINT`; a joint as `model/joint` (required)
        stiffness: force per displacement [N m/rad, N/m]; a number that is not negative (required)
        rest: position without force [rad, m]; a number (default: 0)
    belts: surfaces that move; each has an `axis` or a `direction`; a list of belts (default: none)
        name: unique among the belts of the plant; its speed is the input `NAME.speed`; a name of
            letters, digits, `_` and `-` that begins with a letter (required)
        link: `MODEL/LINK` or `ground`: every collision shape of it gets the moving surface; a link as
            `model/link`, or ground (required)
        axis: as a belt on rollers that turn about this axis, in link axes: the surface moves along axis
            × outward normal (`[0, 1, 0]`: the upper side along x, the lower one back); 3 numbers [x, y,
            z] (default: see `direction`)
        direction: instead of `axis`: every side moves in this direction, in link axes; 3 numbers [x, y,
            z] (default: see `axis`)
        speed: speed while nothing is connected to the input [m/s]; a number (default: 0)
    collisions: what each model collides with: `{MODEL: all}`, `ground_only`, `none`, or a map; models
        with what they collide with (default: all)
        with: what the model collides with; all, ground_only or none (default: all)
        exclude: pairs of links of the model that do not collide with each other: `[[LINK, LINK], ...]`;
            a list of pairs of links (default: none)
        srdf: an SRDF file; the pairs in its `<disable_collisions>` do not collide with each other; the
            name of an SRDF file (default: none)
        exclude_touching_at_start: whether links of the model that overlap in the initial positions do
            not collide with each other; what lies on a floating link no deeper than the weight of all
            that floats presses it in does not overlap; true or false (default: true)
    constraints: what holds links together, and joints; a list of constraints (default: none)
        name: unique in the plant; a name of letters, digits, `_` and `-` that begins with a letter
            (required)
        type: `weld`: frame b stays on frame a; `bushing`: six springs and dampers hold it there;
            `ball`: only its origin does; `distance`: the origins keep their distance; `coupler`: q of
            the first joint = `ratio` times q of the second + `offset`, or a `polynomial` of it, or
            `coefficients` times q of any number of joints = `offset`; weld, bushing, ball, distance or
            coupler (required)
        active: whether it acts where its input is not connected; true or false (default: true)
        capture: `true`: from the moment it is switched on (or the start) it holds the pose, point,
            distance or offset it finds then; true or false (default: false)
        stiffness: where given the constraint is compliant, a spring and a damper; of a weld in position
            [N/m, N m/rad]; a number that is not negative (default: rigid)
        damping: of that damper [N s/m, N m s/rad]; a number that is not negative (default: 0)
        angular_stiffness: of a weld in orientation [N m/rad]; a number that is not negative (default:
            rigid)
        angular_damping: of a weld in orientation [N m s/rad]; a number that is not negative (default:
            0)
        force_stiffness: of a bushing along the axes of frame a [N/m]; 3 numbers [x, y, z] (default:
            required)
        force_damping: of a bushing along the axes of frame a [N s/m]; 3 numbers [x, y, z] (default: [0,
            0, 0])
        torque_stiffness: of a bushing about the axes of frame a [N m/rad]; 3 numbers [x, y, z]
            (default: required)
        torque_damping: of a bushing about the axes of frame a [N m s/rad]; 3 numbers [x, y, z]
            (default: [0, 0, 0])
        a: a frame on a link or in the world; a frame on a link, such as `{link: hand/palm}` (default:
            required, except of a coupler)
            link: `MODEL/LINK`, or `world`; world or a link as `model/link` (required)
            pose: of the frame on the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
                (default: identity)
                xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
                quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
                rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers
                    [roll, pitch, yaw] in rad (default: not turned)
        b: the frame that is held to it; a frame on a link, such as `{link: hand/palm}` (default:
            required, except of a coupler)
            link: `MODEL/LINK`, or `world`; world or a link as `model/link` (required)
            pose: of the frame on the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
                (default: identity)
                xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
                quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
                rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers
                    [roll, pitch, yaw] in rad (default: not turned)
        length: of a distance [m]; a number that is not negative (default: required, unless `capture`)
        joints: of a coupler: two joints of one axis `[MODEL/JOINT, MODEL/JOINT]`, or any number with
            `coefficients`; of any models; a list of joints as `model/joint` (default: required)
        ratio: of a coupler of two joints; a number (default: 1)
        offset: of a coupler [any]; a number (default: 0)
        coefficients: of a coupler, one for each joint: their sum times the positions is `offset`; a
            differential has `[0.5, 0.5, -1]`.      Where joints turn and slide, a coefficient has the
            unit m/rad or rad/m; a list of numbers, none of them 0 (default: see `ratio`)
        polynomial: of a coupler of two joints: q of the first = `[c0, c1, c2, ...]` times 1, q, q^2,
            ... of the second; a list of 2 to 5 numbers (default: see `ratio`)
    locked: `MODEL/JOINT` (a floating base by the name of its link) of what stands still to the last
        bit, unless its input `MODEL.JOINT.lock` says otherwise; a list of joints as `model/joint`
        (default: none)
    lockable: the same for joints that move unless that input says otherwise; a list of joints as
        `model/joint` (default: none)
    stops: how joints meet their limits: `{MODEL: {JOINT: {restitution: 0.5}}}` or `{MODEL: {JOINT:
        {stiffness: 1e5}}}`; models with the stops of their joints (default: rigid, without restitution)
        restitution: the part of the speed that a rigid stop gives back where it is struck; a number
            from 0 to 1 (default: 0)
        stiffness: where given the stops are compliant, with the force `stiffness x (1 + dissipation
            x')`, x the way beyond the limit [N/m, N m/rad]; a number above 0 (default: rigid)
        dissipation: of that force [s/m, s/rad]; a number that is not negative (default: 0)
    correction_speed: largest speed at which joint limits and rigid constraints remove a violation [m/s,
        rad/s]; a pose far off its constraints returns instead of being thrown; a number above 0
        (default: 2)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        plant:
          type: multibody_plant
          models: [{name: pendulum, file: pendulum.urdf, base: fixed}]
          initial: {pendulum: {pivot: {q: 0.5}}}
    """
    @property
    def actuation(self) -> Port: ...
    @property
    def applied_generalized_force(self) -> Port: ...
    @property
    def applied_spatial_force(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    @property
    def body_poses(self) -> Port: ...
    @property
    def body_velocities(self) -> Port: ...
    @property
    def contact_results(self) -> Port: ...
    @property
    def reaction_forces(self) -> Port: ...
    @property
    def net_actuation(self) -> Port: ...
    @property
    def constraint_forces(self) -> Port: ...
    def __init__(
        self,
        *,
        models: Any,
        gravity: Any = None,
        contact: Any = None,
        hydroelastic: Any = None,
        ground: Any = None,
        fibres: Any = None,
        initial: Any = None,
        springs: Any = None,
        belts: Any = None,
        collisions: Any = None,
        constraints: Any = None,
        locked: Any = None,
        lockable: Any = None,
        stops: Any = None,
        correction_speed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ConveyorBelt(CatalogBlock):
    """The drive of a belt: speed within a largest acceleration.

    acceleration: the largest one [m/s²]; a number above 0 (required)
    time_constant: of the speed control [s]; a number above 0 (default: 0.02)
    initial_speed: speed at the start [m/s]; a number (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        drive: {type: conveyor_belt, acceleration: 2}
    """
    @property
    def command(self) -> Port: ...
    @property
    def on(self) -> Port: ...
    @property
    def speed(self) -> Port: ...
    @property
    def travel(self) -> Port: ...
    def __init__(
        self,
        *,
        acceleration: Any,
        time_constant: Any = None,
        initial_speed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DcMotor(CatalogBlock):
    """Brushed motors with winding, gear and current limit, as drives of joints.

    resistance: of the winding [Ω]; a number above 0 or a list of such numbers (required)
    inductance: of the winding; without it the current follows at once [H]; a number that is not
        negative or a list of such numbers (default: 0)
    torque_constant: k_t [N m/A]; a number above 0 or a list of such numbers (required)
    back_emf_constant: k_e [V s/rad]; a number above 0 or a list of such numbers (default: the torque
        constant)
    gear_ratio: angle of the motor per joint position [-, rad/m]; a number or a list of numbers
        (default: 1)
    efficiency: of the gear, whichever side drives; at most 1; a number above 0 or a list of such
        numbers (default: 1)
    reversal_speed: joint speed at which a gear with losses distinguishes driving from being driven
        [rad/s, m/s]; a number above 0 or a list of such numbers (default: 0.01)
    current_limit: largest current [A]; a number above 0 or a list of such numbers (default: none)
    voltage_limit: largest voltage [V]; a number above 0 or a list of such numbers (default: none)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        motor: {type: dc_motor, resistance: 2, inductance: 0.01, torque_constant: 0.05, gear_ratio: 50, current_limit: 9}
    """
    @property
    def voltage(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    @property
    def torque(self) -> Port: ...
    @property
    def current(self) -> Port: ...
    def __init__(
        self,
        *,
        resistance: Any,
        torque_constant: Any,
        inductance: Any = None,
        back_emf_constant: Any = None,
        gear_ratio: Any = None,
        efficiency: Any = None,
        reversal_speed: Any = None,
        current_limit: Any = None,
        voltage_limit: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class VacuumGripper(CatalogBlock):
    """Suction cups on links of a plant that hold what they touch.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    suction: force over the distance d: c/(d + d0), or falling smoothly from `force` to zero at `reach`;
        a force law, such as `{force: 20, reach: 0.005}` (required)
        c: c of the force c/(d + d0) [N m]; a number above 0 (default: see `force`)
        d0: d0 of the force c/(d + d0) [m]; a number above 0 (default: see `force`)
        force: the force in touch [N]; a number above 0 (default: see `c`)
        reach: where it has fallen to zero [m]; a number above 0 (default: see `c`)
    cups: the tips; a list of cups (required)
        link: the link it is on; a link as `model/link` (required)
        point: a point, in link axes [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        reaction: a link that gets the opposite of the force on the cup, so that only the joints between
            the two feel it; a link as `model/link` (default: none)
    targets: the faces, each one of `plane`, `box` and `sphere` in link axes; a list of targets
        (required)
        link: the link it is on; a link as `model/link` (required)
        plane: an unbounded plane; a plane, such as `{point: [0, 0, 0.1], normal: [0, 0, 1]}` (default:
            none)
            point: a point, in link axes [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
            normal: outward direction, in link axes; 3 numbers [x, y, z] (default: [0, 0, 1])
        box: a box along the link's axes; a box, such as `{size: [0.2, 0.2, 0.1]}` (default: none)
            size: lengths of its edges [m]; 3 numbers [x, y, z] in m (required)
            center: its middle, in link axes [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        sphere: a sphere; a sphere, such as `{radius: 0.1}` (default: none)
            radius: its radius [m]; a number above 0 (required)
            center: its middle, in link axes [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        gripper:
          type: vacuum_gripper
          plant: plant
          suction: {force: 15, reach: 0.005}
          cups: [{link: pendulum/rod, point: [0, 0, -1]}]
          targets: [{link: pendulum/base, plane: {point: [0, 0, -1.1]}}]
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def on(self) -> Port: ...
    @property
    def others(self) -> Port: ...
    @property
    def applied_spatial_force(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    @property
    def distance(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        suction: Any,
        cups: Any,
        targets: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Clock(CatalogBlock):
    """The time that a clock shows: read every period, drifting, late.

    drift: by how much it goes faster, as a part of the time; a number (default: 0)
    start: what it shows at time zero [s]; a number (default: 0)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        clock: {type: clock, period: 0.001, drift: 1.0e-5, start: 10, resolution: 1.0e-6, latency: 0.002}
    """
    @property
    def time(self) -> Port: ...
    def __init__(
        self,
        *,
        period: Any,
        drift: Any = None,
        start: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ContactSensor(CatalogBlock):
    """The sum of the contact forces on a link, and whether it is touched, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    threshold: the force above which the link is touched [N]; a number that is not negative (default: 0)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        skin: {type: contact_sensor, plant: plant, link: pendulum/rod, threshold: 0.5, period: 0.005}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def contact_results(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    @property
    def touching(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        period: Any,
        pose: Any = None,
        threshold: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DepthCamera(CatalogBlock):
    """A picture of distances along the axis of a camera to the first collision shape, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the camera in the frame of the link: it looks along z, x is right and y down in the
        picture; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}` (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    columns: pixels of a row; a whole number from 1 to 16384 (required)
    rows: rows of the picture; a whole number from 1 to 16384 (required)
    field_of_view: angle between the left and the right edge of the picture [rad]; a number above 0
        (default: 1)
    max_depth: the end of the range, read where there is nothing [m]; a number above 0 (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        camera: {type: depth_camera, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 8, rows: 6, field_of_view: 60°, max_depth: 10, period: 0.1, noise: 0.005}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def depth(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        columns: Any,
        rows: Any,
        max_depth: Any,
        period: Any,
        pose: Any = None,
        field_of_view: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ForceTorqueSensor(CatalogBlock):
    """Force and torque on a link at a frame of it: of the joint that carries it, or of its contacts.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        wrist: {type: force_torque_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def spatial_forces(self) -> Port: ...
    @property
    def torque(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        pose: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class FrameSensor(CatalogBlock):
    """Pose and velocity of a frame of a link, in the world or as seen from another link.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    reference: from where it is seen; a link as `model/link` (default: the world)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        tip: {type: frame_sensor, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def body_velocities(self) -> Port: ...
    @property
    def pose(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        pose: Any = None,
        reference: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Imu(CatalogBlock):
    """Specific force and angular velocity of a link, with bias and noise.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    period: time between two readings [s]; a number above 0 (required)
    accelerometer_bias: what is added to the specific force, for all axes or one each [m/s²]; a number
        or a list of numbers (default: 0)
    accelerometer_noise: standard deviation of each reading; for a noise density N, N/√period [m/s²]; a
        number that is not negative or a list of such numbers (default: 0)
    gyroscope_bias: what is added to the angular velocity [rad/s]; a number or a list of numbers
        (default: 0)
    gyroscope_noise: standard deviation of each reading [rad/s]; a number that is not negative or a list
        of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        imu: {type: imu, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, period: 0.01, gyroscope_noise: 0.01}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def body_velocities(self) -> Port: ...
    @property
    def specific_force(self) -> Port: ...
    @property
    def angular_velocity(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        period: Any,
        pose: Any = None,
        accelerometer_bias: Any = None,
        accelerometer_noise: Any = None,
        gyroscope_bias: Any = None,
        gyroscope_noise: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class JointEncoder(CatalogBlock):
    """Positions of joints as encoders count them, and velocities from their differences, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    joints: the joints, each of one coordinate; a list of joints as `model/joint` (required)
    counts_per_turn: counts of the encoder per turn of its shaft: in place of `resolution`; a number
        above 0 (default: `resolution` says it)
    gear_ratio: turns of the shaft of the encoder per turn of the joint; a number above 0 (default: 1)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        encoder: {type: joint_encoder, plant: plant, joints: [pendulum/pivot], counts_per_turn: 4096, gear_ratio: 50, period: 0.001, latency: 0.002}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def state(self) -> Port: ...
    @property
    def position(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        joints: Any,
        period: Any,
        counts_per_turn: Any = None,
        gear_ratio: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Lidar(CatalogBlock):
    """Distances along many rays of a scan to the first collision shape, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    columns: how many azimuths there are; a whole number from 1 to 1000000 (required)
    azimuths: the first and the last, from x towards y; of a whole turn the last stands one angle before
        the first [rad]; 2 numbers [first, last] in rad (default: [-3.141592653589793,
        3.141592653589793])
    elevations: angles of the layers above the plane of x and y [rad]; a list of angles, one for each
        layer (default: one layer, flat)
    max_range: the end of the range, read where there is nothing [m]; a number above 0 (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        lidar: {type: lidar, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 12, azimuths: [-90°, 90°], elevations: [0, 10°], max_range: 20, period: 0.1, noise: 0.02}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def ranges(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        columns: Any,
        max_range: Any,
        period: Any,
        pose: Any = None,
        azimuths: Any = None,
        elevations: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Magnetometer(CatalogBlock):
    """The magnetic field in the axes of a sensor on a link, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    magnetic_field: in the axes of the world [T]; by default that of middle latitudes, with y to the
        north; 3 numbers [x, y, z] in T (default: [0, 2e-5, -4.5e-5])
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        compass: {type: magnetometer, plant: plant, link: pendulum/rod, magnetic_field: [2.0e-5, 0, -4.5e-5], period: 0.01, noise: 1.0e-7}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def field(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        period: Any,
        pose: Any = None,
        magnetic_field: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ModelSensor(CatalogBlock):
    """A lidar or a camera of a model file (SDFormat, or Gazebo's in URDF), with its rays, rate and noise.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    sensor: the sensor of the model file; a sensor as `model/sensor` (required)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        front: {type: model_sensor, plant: plant, sensor: scanner/front, latency: 0.01}
        plant: {type: multibody_plant, models: [{name: scanner, file: scanner.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def ranges(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        sensor: Any,
        latency: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class RangeFinder(CatalogBlock):
    """Distance along x of the sensor to the first collision shape, sampled.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the sensor in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}`
        (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    max_range: the end of the range, read where there is nothing [m]; a number above 0 (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    bias: what is added to each reading, for all numbers or one each, in their unit [any]; a number or a
        list of numbers (default: 0)
    noise: standard deviation of each reading, in its unit [any]; a number that is not negative or a
        list of such numbers (default: 0)
    resolution: readings are multiples of this, in their unit; 0: they are not rounded [any]; a number
        that is not negative or a list of such numbers (default: 0)
    seed: another seed gives other noise; a whole number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        finder: {type: range_finder, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, max_range: 5, period: 0.02, noise: 0.01}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def range(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        max_range: Any,
        period: Any,
        pose: Any = None,
        offset: Any = None,
        latency: Any = None,
        bias: Any = None,
        noise: Any = None,
        resolution: Any = None,
        seed: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class SegmentationCamera(CatalogBlock):
    """Which body and which collision shape stands in each pixel of a camera, sampled; 0 is nothing.

    plant: the plant's block, in the same file; the name of the plant's block (required)
    link: the link that it is on; a link as `model/link` (required)
    pose: of the camera in the frame of the link: it looks along z, x is right and y down in the
        picture; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}` (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    columns: pixels of a row; a whole number from 1 to 16384 (required)
    rows: rows of the picture; a whole number from 1 to 16384 (required)
    field_of_view: angle between the left and the right edge of the picture [rad]; a number above 0
        (default: 1)
    max_depth: the end of the range, read where there is nothing [m]; a number above 0 (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    latency: time from when a reading is taken until it is there [s]; a number that is not negative
        (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        camera: {type: segmentation_camera, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, columns: 8, rows: 6, field_of_view: 60°, max_depth: 10, period: 0.1}
        plant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}
    """
    @property
    def body_poses(self) -> Port: ...
    @property
    def bodies(self) -> Port: ...
    @property
    def shapes(self) -> Port: ...
    def __init__(
        self,
        *,
        plant: Any,
        link: Any,
        columns: Any,
        rows: Any,
        max_depth: Any,
        period: Any,
        pose: Any = None,
        field_of_view: Any = None,
        offset: Any = None,
        latency: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ImpedanceController(CatalogBlock):
    """Makes the end of an arm a spring and a damper towards a desired pose.

    plant_model: instead of `model`: a model of the plant as it stands there, with `base_pose` and
        gravity of the plant; a model of a plant, such as `{of: plant.arm, lump: [hand]}` (default:
        required without `model`)
        of: the robot: a model of a plant in the same file, its root link fixed to the world; a model of
            a plant, as `PLANT.MODEL` (required)
        lump: other models of the plant that it carries, as rigid parts of it: their joints hold the
            positions of `initial`; a list of models (default: none)
    model: the controller's own model; its root link is fixed to the world; the controller's model, such
        as `{file: robot.urdf}` (default: required without `plant_model`)
        file: the model; the name of a model file (required)
    gravity: gravity that it compensates, in world axes [m/s²]; 3 numbers [x, y, z] in m/s² (default:
        `[0, 0, -9.81]`; with `plant_model` that of the plant)
    base_pose: of the model's root link in the world: that of the robot in the plant, where it hangs
        from a wall or a ceiling; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}` (default:
        identity; with `plant_model` that in the plant)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    link: the link of the model that carries the end effector; a link of the model (required)
    tool_pose: of the end effector in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1,
        0, 0, 0]}` (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    posture: joint positions that the nullspace is drawn to, while the input `posture` is not connected
        [rad, m]; a number or a list of numbers (default: 0)
    largest_mass: of the end effector in any direction; near singular postures, where it has more, it is
        followed less [kg]; a number above 0 (default: 10 times that of the model)
    largest_inertia: the same for rotations [kg m²]; a number above 0 (default: `largest_mass` times
        (0.1 m)²)
    translational_stiffness: along x, y, z of the desired frame, one for all or one each [N/m]; a number
        that is not negative or a list of such numbers (required)
    translational_damping: likewise [N s/m]; a number that is not negative or a list of such numbers
        (required)
    rotational_stiffness: about x, y, z of the desired frame [N m/rad]; a number that is not negative or
        a list of such numbers (required)
    rotational_damping: likewise [N m s/rad]; a number that is not negative or a list of such numbers
        (required)
    nullspace_stiffness: of the joints towards the posture, as far as the end effector does not feel it
        [N m/rad, N/m]; a number that is not negative or a list of such numbers (default: 0)
    nullspace_damping: likewise [N m s/rad, N s/m]; a number that is not negative or a list of such
        numbers (default: 0)
    compensation: what is taken off the arm: its weight; with `bias`, Coriolis and centrifugal forces,
        too; gravity, bias or none (default: gravity)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        controller:
          type: impedance_controller
          model: {file: pendulum.urdf}
          link: rod
          tool_pose: {xyz: [0, 0, -1]}
          translational_stiffness: 100
          translational_damping: 20
          rotational_stiffness: 0
          rotational_damping: 0
    """
    @property
    def estimated_state(self) -> Port: ...
    @property
    def desired_pose(self) -> Port: ...
    @property
    def desired_velocity(self) -> Port: ...
    @property
    def posture(self) -> Port: ...
    @property
    def generalized_force(self) -> Port: ...
    @property
    def pose(self) -> Port: ...
    def __init__(
        self,
        *,
        link: Any,
        translational_stiffness: Any,
        translational_damping: Any,
        rotational_stiffness: Any,
        rotational_damping: Any,
        plant_model: Any = None,
        model: Any = None,
        gravity: Any = None,
        base_pose: Any = None,
        tool_pose: Any = None,
        posture: Any = None,
        largest_mass: Any = None,
        largest_inertia: Any = None,
        nullspace_stiffness: Any = None,
        nullspace_damping: Any = None,
        compensation: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class InverseDynamicsController(CatalogBlock):
    """Tracks joint positions and velocities with the inverse dynamics of its own model.

    plant_model: instead of `model`: a model of the plant as it stands there, with `base_pose` and
        gravity of the plant; a model of a plant, such as `{of: plant.arm, lump: [hand]}` (default:
        required without `model`)
        of: the robot: a model of a plant in the same file, its root link fixed to the world; a model of
            a plant, as `PLANT.MODEL` (required)
        lump: other models of the plant that it carries, as rigid parts of it: their joints hold the
            positions of `initial`; a list of models (default: none)
    model: the controller's own model; its root link is fixed to the world; the controller's model, such
        as `{file: robot.urdf}` (default: required without `plant_model`)
        file: the model; the name of a model file (required)
    gravity: gravity that it compensates, in world axes [m/s²]; 3 numbers [x, y, z] in m/s² (default:
        `[0, 0, -9.81]`; with `plant_model` that of the plant)
    base_pose: of the model's root link in the world: that of the robot in the plant, where it hangs
        from a wall or a ceiling; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}` (default:
        identity; with `plant_model` that in the plant)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    kp: gain on the position error, for all joints or one each [1/s²]; a number that is not negative or
        a list of such numbers (required)
    ki: gain on the integral of the position error [1/s³]; a number that is not negative or a list of
        such numbers (default: 0)
    kd: gain on the velocity error [1/s]; a number that is not negative or a list of such numbers
        (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        controller: {type: inverse_dynamics_controller, model: {file: pendulum.urdf}, kp: 100, kd: 20}
    """
    @property
    def estimated_state(self) -> Port: ...
    @property
    def desired_state(self) -> Port: ...
    @property
    def desired_acceleration(self) -> Port: ...
    @property
    def generalized_force(self) -> Port: ...
    def __init__(
        self,
        *,
        kp: Any,
        kd: Any,
        plant_model: Any = None,
        model: Any = None,
        gravity: Any = None,
        base_pose: Any = None,
        ki: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class KalmanFilter(CatalogBlock):
    """Estimates the state of a linear system from noisy measurements.

    A: of ẋ = A x + B u; a square matrix, as a list of rows (required)
    B: of ẋ = A x + B u; a matrix with one row per state, one column per input (required)
    C: of y = C x; a matrix with one row per measurement, one column per state (required)
    process_noise: intensity of the white noise on ẋ; a symmetric matrix with one row per state
        (required)
    measurement_noise: intensity of the white noise on y; a symmetric matrix with one row per
        measurement (required)
    initial: estimate at the start [any]; a number or a list of numbers (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        filter: {type: kalman_filter, A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1, 0]], process_noise: [[0, 0], [0, 1]], measurement_noise: [[0.01]]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def measurement(self) -> Port: ...
    @property
    def estimate(self) -> Port: ...
    def __init__(
        self,
        *,
        A: Any,
        B: Any,
        C: Any,
        process_noise: Any,
        measurement_noise: Any,
        initial: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Lqr(CatalogBlock):
    """The state feedback that is best for a linear system and quadratic cost.

    of: instead of A and B: the model or block that is linearized, by itself; a model of a plant as
        `PLANT.MODEL`, or another block of the file (default: `A` and `B` say it)
    at: with `of`: at the equilibrium that the section `trim` of the file describes, by default the
        nearest, or at the initial state, which must be one; trim or initial (default: `trim`)
    contact: with `of`: what becomes of contacts: their laws, constraints of what sticks (`hold`), or
        nothing (`none`); law, hold or none (default: `law`)
    inputs: with `of`: the efforts that it drives, such as the joints of the model; a list of efforts
        (default: those that wires of the block drive, or all)
    A: of ẋ = A x + B u; a square matrix, as a list of rows (default: with `of`: that of the block)
    B: of ẋ = A x + B u; a matrix with one row per state, one column per effort (default: with `of`:
        that of the block)
    Q: weights of the states, positive semidefinite; a list is a diagonal; a symmetric matrix with one
        row per state, its diagonal as a list, or one number for all of it (required)
    R: weights of the efforts, positive definite; a list is a diagonal; a symmetric matrix with one row
        per effort, its diagonal as a list, or one number for all of it (required)
    period: time between two samples, over which the effort is held; the cost is then the sum over the
        samples [s]; a number above 0 (default: continuous)
    offset: with `period`: time of the first sample [s]; a number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        lqr: {type: lqr, A: [[0, 1], [0, 0]], B: [[0], [1]], Q: [1, 1], R: 1}
    """
    @property
    def state(self) -> Port: ...
    @property
    def desired_state(self) -> Port: ...
    @property
    def effort(self) -> Port: ...
    def __init__(
        self,
        *,
        Q: Any,
        R: Any,
        of: Any = None,
        at: Any = None,
        contact: Any = None,
        inputs: Any = None,
        A: Any = None,
        B: Any = None,
        period: Any = None,
        offset: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Mixer(CatalogBlock):
    """Allocates commands to actuators with limits.

    matrix: output = matrix times command: one row per actuator, one column per command [any]; a list of
        rows, each a list of numbers (required)
    lower: smallest output, for all actuators or one each [any]; a number or a list of numbers (default:
        none)
    upper: largest output, for all actuators or one each [any]; a number or a list of numbers (default:
        none)
    overload: `clip`: each actuator stops at its limit; `scale`: all are reduced by one factor, with
        limits to both sides of 0; clip or scale (default: clip)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        rotors: {type: mixer, matrix: [[0.5, 1], [0.5, -1]], lower: -1, upper: 5, overload: scale}
    """
    @property
    def command(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        matrix: Any,
        lower: Any = None,
        upper: Any = None,
        overload: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class OperationalSpaceController(CatalogBlock):
    """Makes the end of an arm follow a desired motion with a linear, decoupled error.

    plant_model: instead of `model`: a model of the plant as it stands there, with `base_pose` and
        gravity of the plant; a model of a plant, such as `{of: plant.arm, lump: [hand]}` (default:
        required without `model`)
        of: the robot: a model of a plant in the same file, its root link fixed to the world; a model of
            a plant, as `PLANT.MODEL` (required)
        lump: other models of the plant that it carries, as rigid parts of it: their joints hold the
            positions of `initial`; a list of models (default: none)
    model: the controller's own model; its root link is fixed to the world; the controller's model, such
        as `{file: robot.urdf}` (default: required without `plant_model`)
        file: the model; the name of a model file (required)
    gravity: gravity that it compensates, in world axes [m/s²]; 3 numbers [x, y, z] in m/s² (default:
        `[0, 0, -9.81]`; with `plant_model` that of the plant)
    base_pose: of the model's root link in the world: that of the robot in the plant, where it hangs
        from a wall or a ceiling; a pose, such as `{xyz: [0, 0, 1], quat: [1, 0, 0, 0]}` (default:
        identity; with `plant_model` that in the plant)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    link: the link of the model that carries the end effector; a link of the model (required)
    tool_pose: of the end effector in the frame of the link; a pose, such as `{xyz: [0, 0, 1], quat: [1,
        0, 0, 0]}` (default: identity)
        xyz: position [m]; 3 numbers [x, y, z] in m (default: [0, 0, 0])
        quat: orientation, a unit quaternion; 4 numbers [w, x, y, z] (default: not turned)
        rpy: instead of `quat`: turned about x, then y, then z, all axes fixed [rad]; 3 numbers [roll,
            pitch, yaw] in rad (default: not turned)
    posture: joint positions that the nullspace is drawn to, while the input `posture` is not connected
        [rad, m]; a number or a list of numbers (default: 0)
    largest_mass: of the end effector in any direction; near singular postures, where it has more, it is
        followed less [kg]; a number above 0 (default: 10 times that of the model)
    largest_inertia: the same for rotations [kg m²]; a number above 0 (default: `largest_mass` times
        (0.1 m)²)
    task: what of the end effector is moved; the rest is left to the posture; pose, position or
        orientation (default: pose)
    kp: gain on the error, one for all or six: about, then along x, y, z of the desired frame [1/s²]; a
        number that is not negative or a list of such numbers (required)
    kd: gain on its rate, likewise [1/s]; a number that is not negative or a list of such numbers
        (default: 2 √kp, critical)
    nullspace_kp: gain on the way to the posture, for all joints or one each [1/s²]; a number that is
        not negative or a list of such numbers (default: 0)
    nullspace_kd: gain on its rate, likewise [1/s]; a number that is not negative or a list of such
        numbers (default: 2 √nullspace_kp)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        controller:
          type: operational_space_controller
          model: {file: pendulum.urdf}
          link: rod
          tool_pose: {xyz: [0, 0, -1]}
          task: position
          kp: 100
    """
    @property
    def estimated_state(self) -> Port: ...
    @property
    def desired_pose(self) -> Port: ...
    @property
    def desired_velocity(self) -> Port: ...
    @property
    def desired_acceleration(self) -> Port: ...
    @property
    def posture(self) -> Port: ...
    @property
    def generalized_force(self) -> Port: ...
    @property
    def pose(self) -> Port: ...
    def __init__(
        self,
        *,
        link: Any,
        kp: Any,
        plant_model: Any = None,
        model: Any = None,
        gravity: Any = None,
        base_pose: Any = None,
        tool_pose: Any = None,
        posture: Any = None,
        largest_mass: Any = None,
        largest_inertia: Any = None,
        task: Any = None,
        kd: Any = None,
        nullspace_kp: Any = None,
        nullspace_kd: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Pid(CatalogBlock):
    """Proportional, integral and derivative feedback per coordinate.

    kp: gain on the error, for all signals or one each [any]; a number or a list of numbers (required)
    ki: gain on the integral of the error [1/s]; a number or a list of numbers (default: 0)
    kd: gain on the rate of the error [any]; a number or a list of numbers (default: 0)
    input: `state`: positions and rates, measured and desired; `error`: the error alone; state or error
        (default: state)
    derivative_filter: time constant of the low-pass on the rate [s]; a number above 0 or a list of such
        numbers (default: none; kd/(10 kp) with `input: error`)
    lower: smallest effort [any]; a number or a list of numbers (default: none)
    upper: largest effort [any]; a number or a list of numbers (default: none)
    anti_windup: at a limit: `back_calculation` draws the integral back so that the effort returns to
        the limit with the tracking time; `clamping` stops the integral; `none`; back_calculation,
        clamping or none (default: back_calculation)
    tracking_time: how fast back calculation draws the integral back [s]; a number above 0 or a list of
        such numbers (default: kp/ki)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        pid: {type: pid, kp: 60, ki: 40, kd: 15}
    """
    @property
    def measured(self) -> Port: ...
    @property
    def desired(self) -> Port: ...
    @property
    def effort(self) -> Port: ...
    def __init__(
        self,
        *,
        kp: Any,
        ki: Any = None,
        kd: Any = None,
        input: Any = None,
        derivative_filter: Any = None,
        lower: Any = None,
        upper: Any = None,
        anti_windup: Any = None,
        tracking_time: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Pid2dof(CatalogBlock):
    """A PID controller with setpoint weights and a manual mode with bumpless transfer.

    kp: gain on the error, for all signals or one each [any]; a number or a list of numbers (required)
    ki: gain on the integral of the error [1/s]; a number or a list of numbers (default: 0)
    kd: gain on the rate of the error [any]; a number or a list of numbers (default: 0)
    b: weight of the reference in the proportional part kp (b r - y); a number or a list of numbers
        (default: 1)
    c: weight of the reference in the derivative part, kd times the rate of c r - y; a number or a list
        of numbers (default: 0)
    manual: `true`: inputs `manual` and `track`; while the first is above 0.5, the effort is the second;
        true or false (default: false)
    derivative_filter: time constant of the low-pass on the rate [s]; a number above 0 or a list of such
        numbers (default: kd/(10 kp))
    lower: smallest effort [any]; a number or a list of numbers (default: none)
    upper: largest effort [any]; a number or a list of numbers (default: none)
    anti_windup: at a limit: `back_calculation` draws the integral back so that the effort returns to
        the limit with the tracking time; `clamping` stops the integral; `none`; back_calculation,
        clamping or none (default: back_calculation)
    tracking_time: how fast back calculation draws the integral back [s]; a number above 0 or a list of
        such numbers (default: kp/ki)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        position_loop: {type: pid_2dof, kp: 60, ki: 40, kd: 15, b: 0.6, manual: false}
    """
    @property
    def measured(self) -> Port: ...
    @property
    def reference(self) -> Port: ...
    @property
    def effort(self) -> Port: ...
    def __init__(
        self,
        *,
        kp: Any,
        ki: Any = None,
        kd: Any = None,
        b: Any = None,
        c: Any = None,
        manual: Any = None,
        derivative_filter: Any = None,
        lower: Any = None,
        upper: Any = None,
        anti_windup: Any = None,
        tracking_time: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class StateMachine(CatalogBlock):
    """One of several states is active, by conditions over inputs and time; outputs depend on it.

    inputs: names of the inputs, one number each; a list of names (default: none)
    outputs: names of the outputs, with their widths where these are not 1; names such as [gain], or
        names with widths such as {gain: 1, goal: 7} (default: none)
    variables: numbers that actions change, with their initial values; each is an output; names with
        numbers (default: none)
    states: states by name: values of outputs, `enter` and `exit` (new values of variables), `to`
        (transitions, earlier ones first), `final`, and `states` within with their `initial`; states by
        name, such as `hold: {gain: 1, to: [{search: "after 1 s"}]}` (required)
    initial: the state at the start; the name of a state (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        mode:
          type: state_machine
          inputs: [position, speed]
          outputs: {gain: 1}
          variables: {count: 0}
          states:
            search: {gain: 1, to: [{swing: "position > 0.4 and speed < 0.1"}, {fault: "after 10 s"}]}
            swing: {gain: "3*position", enter: {count: count + 1}, to: [{search: "every 1 s and count < 5"}]}
            fault: {gain: 0, final: true}
          initial: search
    """
    @property
    def position(self) -> Port: ...
    @property
    def speed(self) -> Port: ...
    @property
    def gain(self) -> Port: ...
    @property
    def count(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    @property
    def changed(self) -> Port: ...
    @property
    def transitions(self) -> Port: ...
    @property
    def is_search(self) -> Port: ...
    @property
    def is_swing(self) -> Port: ...
    @property
    def is_fault(self) -> Port: ...
    def __init__(
        self,
        *,
        states: Any,
        initial: Any,
        inputs: Any = None,
        outputs: Any = None,
        variables: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Chirp(CatalogBlock):
    """Sine waves whose frequency (rad/s) goes linearly from one value to another.

    amplitude: amplitude [any]; a number or a list of numbers (default: 1)
    frequencies: the first and the last angular frequency [rad/s]; 2 numbers [first, last] in rad/s
        (required)
    duration: time of the sweep [s]; a number above 0 (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        sweep: {type: chirp, frequencies: [1, 100], duration: 10}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        frequencies: Any,
        duration: Any,
        amplitude: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Constant(CatalogBlock):
    """Numbers that never change.

    value: a number, or a list of numbers [any]; a number or a list of numbers (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        goal: {type: constant, value: [1, 0]}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        value: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Noise(CatalogBlock):
    """Normal random numbers, held for a period.

    standard_deviation: standard deviation [any]; a number that is not negative or a list of such
        numbers (required)
    mean: mean [any]; a number or a list of numbers (default: 0)
    period: how long each number is held [s]; a number above 0 (required)
    seed: another seed gives other numbers; a whole number that is not negative (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        wind: {type: noise, standard_deviation: 0.1, period: 0.01}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        standard_deviation: Any,
        period: Any,
        mean: Any = None,
        seed: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class OperatorInput(CatalogBlock):
    """What a person decides at a gamepad or by keys, on the page of a live run; zero in every other run.

    signals: one number each, from -1 to 1; a list of signals (required)
        name: its name; a name of letters, digits, `_` and `-` that begins with a letter (required)
        axis: number of an axis of the gamepad, from 1; a whole number from 1 to 64 (default: none)
        button: number of a button of the gamepad, from 1: 0 to 1; a whole number from 1 to 64 (default:
            none)
        keys: keys of the page: `[KEY]` for 1, `[KEY, KEY]` for -1 and 1; the key of 1, or those of -1
            and 1 (default: none)
    scale: what a signal of 1 gives [any]; a number or a list of numbers (default: 1)
    dead_zone: deflections of a stick below this give zero, of 1; a number that is not negative
        (default: 0.1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        stick: {type: operator_input, scale: [0.5, 1], dead_zone: 0.1, signals: [{name: forward, axis: 2, keys: [ArrowDown, ArrowUp]}, {name: grip, button: 1, keys: [Space]}]}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        signals: Any,
        scale: Any = None,
        dead_zone: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class PiecewisePolynomial(CatalogBlock):
    """Polynomials of time between breaks, with their first two rates.

    breaks: times [s] between which the polynomials hold; a list of increasing times in s (required)
    coefficients: per segment and signal, of rising powers of the time since the segment's begin [any];
        for each segment, for each channel, the coefficients of rising powers (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        path: {type: piecewise_polynomial, breaks: [0, 1, 2], coefficients: [[[0, 1]], [[1, 1, -0.5]]]}
    """
    @property
    def position(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    @property
    def acceleration(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    def __init__(
        self,
        *,
        breaks: Any,
        coefficients: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Playback(CatalogBlock):
    """Plays back columns of a recording: a table (CSV, JSON lines) or MCAP.

    file: recording, in the folder of this file or below it; the name of a recording (.csv, .jsonl,
        .mcap) (required)
    channels: columns that are the output, in this order; a list of names of columns (default: all but
        the times)
    time: column of times [s]; the name of a column (default: `time`)
    hold: between rows: `linear`, `zero`, the row before, or `cubic`, a natural spline; linear, zero or
        cubic (default: linear)
    before: before the first row: `first`, its values, or `fault`, the run stops; first or fault
        (default: first)
    after: after the last row: `last`, its values, or `fault`, the run stops; last or fault (default:
        last)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        logged: {type: playback, file: samples.csv, channels: [effort], hold: zero}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        file: Any,
        channels: Any = None,
        time: Any = None,
        hold: Any = None,
        before: Any = None,
        after: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Pulse(CatalogBlock):
    """A square wave between zero and an amplitude.

    amplitude: value during a pulse [any]; a number or a list of numbers (default: 1)
    period: time between two pulses [s]; a number above 0 (required)
    width_fraction: part of the period that a pulse takes; a number between 0 and 1 (default: 0.5)
    delay: time of the first pulse [s]; a number (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        clock: {type: pulse, period: 0.1, width_fraction: 0.2}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        period: Any,
        amplitude: Any = None,
        width_fraction: Any = None,
        delay: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Ramp(CatalogBlock):
    """Numbers that rise at a constant rate from a start, to a stop.

    slope: rate [1/s]; a number or a list of numbers (required)
    initial: value at the start [any]; a number or a list of numbers (default: 0)
    start: when it begins to move [s]; a number (default: 0)
    stop: when it stops [s]; a number (default: never)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        speed: {type: ramp, slope: 2, start: 0.5, stop: 1.5}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        slope: Any,
        initial: Any = None,
        start: Any = None,
        stop: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Sine(CatalogBlock):
    """Sine waves and their rates; frequency in rad/s.

    amplitude: amplitude [any]; a number or a list of numbers (default: 1)
    frequency: angular frequency [rad/s]; a number or a list of numbers (required)
    phase: phase at time zero [rad]; a number or a list of numbers (default: 0)
    offset: mean value [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        wave: {type: sine, amplitude: 0.2, frequency: 6.28}
    """
    @property
    def output(self) -> Port: ...
    @property
    def rate(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    def __init__(
        self,
        *,
        frequency: Any,
        amplitude: Any = None,
        phase: Any = None,
        offset: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Step(CatalogBlock):
    """Numbers that jump once.

    time: when it jumps [s]; a number (required)
    initial: value before [any]; a number or a list of numbers (default: 0)
    final: value from then on [any]; a number or a list of numbers (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        load: {type: step, time: 0.5, final: 10}
    """
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        time: Any,
        final: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Trajectory(CatalogBlock):
    """A path through knots: values, then their rates.

    interpolation: cubic polynomials between knots; cubic (default: cubic)
    times: times of the knots, increasing [s]; a list of increasing times in s (required)
    values: numbers at each knot [any]; a list with the numbers of each knot (required)
    velocities: rates at each knot, shaped like `values` [1/s]; a list with the numbers of each knot
        (default: at rest at each knot)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        goal: {type: trajectory, times: [0, 1], values: [[0, 0], [0.5, -1]]}
    """
    @property
    def position(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    def __init__(
        self,
        *,
        times: Any,
        values: Any,
        interpolation: Any = None,
        velocities: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Waypoints(CatalogBlock):
    """The fastest path from waypoint to waypoint within limits of velocity, acceleration and jerk.

    points: numbers at each waypoint, at which the path rests [any]; a list with the numbers of each
        waypoint (required)
    velocity: largest velocity, for all signals or one each [1/s]; a number above 0 or a list of such
        numbers (required)
    acceleration: largest acceleration [1/s²]; a number above 0 or a list of such numbers (required)
    jerk: largest jerk [1/s³]; a number above 0 or a list of such numbers (default: no limit)
    start: time at which the path leaves the first waypoint [s]; a number (default: 0)
    dwell: rest at each waypoint between the first and the last [s]; a number that is not negative
        (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        tour: {type: waypoints, points: [[0, 0], [0.5, -1]], velocity: 1, acceleration: 4, jerk: 40, dwell: 0.1}
    """
    @property
    def position(self) -> Port: ...
    @property
    def velocity(self) -> Port: ...
    @property
    def acceleration(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    def __init__(
        self,
        *,
        points: Any,
        velocity: Any,
        acceleration: Any,
        jerk: Any = None,
        start: Any = None,
        dwell: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Adder(CatalogBlock):
    """Adds and subtracts inputs of equal width.

    signs: the sign of each input, such as `"+-"` or `[1, -1]`; one sign per input, such as "+-"
        (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        error: {type: adder, signs: "+-"}
    """
    @property
    def input0(self) -> Port: ...
    @property
    def input1(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        signs: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class AngleDifference(CatalogBlock):
    """The difference of two angles, the shorter way round.

    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        heading_error: {type: angle_difference}
    """
    @property
    def desired(self) -> Port: ...
    @property
    def measured(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Backlash(CatalogBlock):
    """Motion of a part that is driven through a gap: it rests within the gap and follows at its sides.

    gap: the whole play, from side to side [any]; a number above 0 or a list of such numbers (required)
    initial: output at the start, carried to within half of the gap from the input [any]; a number or a
        list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        gear: {type: backlash, gap: 0.1}
    """
    @property
    def input(self) -> Port: ...
    @property
    def rate(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        gap: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class BinaryFunction(CatalogBlock):
    """A function of two inputs (atan2, hypot, min, max, power).

    function: name of the function; atan2, hypot, min, max or power (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        angle: {type: binary_function, function: atan2}
    """
    @property
    def a(self) -> Port: ...
    @property
    def b(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        function: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Comparator(CatalogBlock):
    """1 while a signal is above another one or a threshold, otherwise 0.

    threshold: the output is 1 while `input` less `reference` is above it [any]; a number or a list of
        numbers (default: 0)
    hysteresis: distance of the level at which it rises from that at which it falls, the threshold
        between them [any]; a number that is not negative or a list of such numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        warm: {type: comparator, threshold: 0.5, hysteresis: 0.1}
    """
    @property
    def input(self) -> Port: ...
    @property
    def reference(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        threshold: Any = None,
        hysteresis: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DeadZone(CatalogBlock):
    """Zero between two bounds, the excess beyond.

    lower: where the zone begins [any]; a number or a list of numbers (required)
    upper: where it ends [any]; a number or a list of numbers (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        stick: {type: dead_zone, lower: -0.1, upper: 0.1}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        lower: Any,
        upper: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Demultiplexer(CatalogBlock):
    """Splits a vector into several.

    widths: of the outputs; a list with the width of each part (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        split: {type: demultiplexer, widths: [2, 1]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output0(self) -> Port: ...
    @property
    def output1(self) -> Port: ...
    def __init__(
        self,
        *,
        widths: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Expression(CatalogBlock):
    """Formulas of the time and of named inputs, one number each.

    inputs: names of the inputs, with their widths where these are not 1; names such as [a, b], or names
        with widths such as {a: 1, q: 7} (default: none)
    expression: a formula of inputs and the time t [s] per number of the output; a formula such as
        "a*sin(t)", or a list of formulas (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        law: {type: expression, inputs: {a: 1, q: 2}, expression: ["a*sin(2*pi*t)", "q[0] - q[1]"]}
    """
    @property
    def a(self) -> Port: ...
    @property
    def q(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        expression: Any,
        inputs: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Friction(CatalogBlock):
    """The force of Coulomb, viscous and Stribeck friction at a velocity, smooth about zero.

    coulomb: friction of fast sliding without its viscous part [N or N m]; a number above 0 or a list of
        such numbers (required)
    breakaway: friction of the slowest sliding [N or N m]; a number above 0 or a list of such numbers
        (default: `coulomb`)
    stribeck_speed: speed over which it falls from `breakaway` to `coulomb` [m/s or rad/s]; a number
        above 0 or a list of such numbers (default: 0.01)
    viscous: friction per speed besides [N s/m or N m s/rad]; a number that is not negative or a list of
        such numbers (default: 0)
    transition_speed: v_t of the factor tanh(v/v_t), with which the force goes through zero [m/s or
        rad/s]; a number above 0 or a list of such numbers (default: 0.001)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        rail: {type: friction, coulomb: 5, breakaway: 7, viscous: 0.4, stribeck_speed: 0.1, transition_speed: 1.0e-3}
    """
    @property
    def velocity(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    def __init__(
        self,
        *,
        coulomb: Any,
        breakaway: Any = None,
        stribeck_speed: Any = None,
        viscous: Any = None,
        transition_speed: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Function(CatalogBlock):
    """An elementary function of each input (sin, sqrt, abs, …).

    function: name of the function; sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10,
        sqrt, abs, sign, square, … (20 in all) (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        squash: {type: function, function: tanh}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        function: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Gain(CatalogBlock):
    """Multiplies each input by a factor.

    gain: factor of all signals, or one each [any]; a number or a list of numbers (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        scale: {type: gain, gain: [2, 0.5]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        gain: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class MatrixGain(CatalogBlock):
    """Multiplies a vector by a matrix.

    matrix: output = matrix times input [any]; a list of rows, each a list of numbers (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        mix: {type: matrix_gain, matrix: [[1, 0.5], [0, 2]]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        matrix: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Multiplexer(CatalogBlock):
    """Joins inputs into one vector.

    widths: of the inputs; a list with the width of each part (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        join: {type: multiplexer, widths: [2, 1]}
    """
    @property
    def input0(self) -> Port: ...
    @property
    def input1(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        widths: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class MultiportSwitch(CatalogBlock):
    """Passes one of several inputs, by the number of it.

    inputs: number of signals, at least 2; a whole number from 1 to 1000 (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        pick: {type: multiport_switch, inputs: 3}
    """
    @property
    def select(self) -> Port: ...
    @property
    def input0(self) -> Port: ...
    @property
    def input1(self) -> Port: ...
    @property
    def input2(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        inputs: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Product(CatalogBlock):
    """Multiplies and divides inputs of equal width.

    factors: whether each input multiplies or divides, such as `"*/"`; one `*` or `/` per input, such as
        "*/" (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        ratio: {type: product, factors: "*/"}
    """
    @property
    def input0(self) -> Port: ...
    @property
    def input1(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        factors: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Quantizer(CatalogBlock):
    """Rounds each input to a multiple of an interval.

    interval: distance of two levels [any]; a number above 0 or a list of such numbers (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        encoder: {type: quantizer, interval: 0.001}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        interval: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Quaternion(CatalogBlock):
    """An operation on quaternions [w, x, y, z]: products, rotated vectors, roll, pitch and yaw, slerp.

    operation: with the inputs `a` and `b` (product: b turns first), `q` (inverse, to_rpy), `q` and the
        vector `v` (rotate), `rpy` (from_rpy), `a`, `b` and `fraction` (slerp); product, inverse,
        rotate, from_rpy, to_rpy or slerp (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        attitude: {type: quaternion, operation: rotate}
    """
    @property
    def q(self) -> Port: ...
    @property
    def v(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        operation: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Relay(CatalogBlock):
    """Switches between two values with hysteresis.

    rise_at: input at which it goes to `high` [any]; a number or a list of numbers (required)
    fall_at: input at which it goes to `low` [any]; a number or a list of numbers (required)
    high: output in the high mode [any]; a number or a list of numbers (default: 1)
    low: output in the low mode [any]; a number or a list of numbers (default: 0)
    starts: mode at the start, `high` or `low`; high or low (default: low)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        heater: {type: relay, rise_at: 0.5, fall_at: -0.5, high: 100}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        rise_at: Any,
        fall_at: Any,
        high: Any = None,
        low: Any = None,
        starts: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Saturation(CatalogBlock):
    """Bounds each input.

    lower: smallest output [any]; a number or a list of numbers (required)
    upper: largest output [any]; a number or a list of numbers (required)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        limit: {type: saturation, lower: -10, upper: 10}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        lower: Any,
        upper: Any,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Switch(CatalogBlock):
    """Passes one of two inputs, as a control is above a threshold or below.

    threshold: of the input `control` [any]; a number (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        choose: {type: switch, threshold: 0.5}
    """
    @property
    def control(self) -> Port: ...
    @property
    def above(self) -> Port: ...
    @property
    def below(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        threshold: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Table(CatalogBlock):
    """Reads a function off a table of points.

    arguments: inputs for which the output is known [any]; a list of increasing numbers (required)
    values: outputs there [any]; a list with the value at each argument (required)
    interpolation: between the points: `linear`, `monotone` cubic, `natural` cubic spline; linear,
        monotone or natural (default: linear)
    beyond: outside of the points: `clamp`, the last value, or `extend`, its tangent; clamp or extend
        (default: clamp)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        valve: {type: table, arguments: [0, 0.5, 1], values: [0, 0.2, 1]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        arguments: Any,
        values: Any,
        interpolation: Any = None,
        beyond: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Butterworth(CatalogBlock):
    """A low pass, high pass or band pass that is flat in its band.

    order: n: the gain falls by 20 n dB per decade; a band pass has 2 n states; a whole number from 1 to
        30 (required)
    from_: lower end of the band [rad/s]; a number above 0 (default: none: a low pass)
    to: upper end of the band [rad/s]; a number above 0 (default: none: a high pass)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        flat: {type: butterworth, order: 4, to: 60}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        order: Any,
        from_: Any = None,
        to: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ElectricalNetwork(CatalogBlock):
    """An electrical circuit of elements between nodes; wires in it have no direction.

    elements: its elements; their nodes have the names that they give them; elements by name (required)
        type: sources have an input of the element's name; a `motor` is a winding without resistance
            whose input is its speed [rad/s] and which gives `torque.NAME`; a `diode` conducts from its
            first node to its second; resistor, capacitor, inductor, voltage_source, current_source,
            motor or diode (required)
        nodes: the nodes at its ends; what flows through it is positive from the first to the second,
            which is `ground` if it is left out; a list of one or two names (required)
        resistance: of a resistor [Ω]; a number above 0 (default: required)
        capacitance: of a capacitor [F]; a number above 0 (default: required)
        inductance: of an inductor [H]; a number above 0 (default: required)
        voltage: of a source whose input is not connected: the first node is above the second [V]; a
            number (default: its input)
        current: of a source whose input is not connected: through it from the first node to the second
            [A]; a number (default: its input)
        torque_constant: of a motor: torque per current, and voltage per speed [N m/A, V s/rad]; a
            number above 0 (default: required)
        saturation_current: of a diode: I of its current I (e^(v/V) - 1), beside which lies 1e-12 S [A];
            a number above 0 (default: 1e-14)
        thermal_voltage: of a diode: V, k T/q times its ideality factor [V]; a number above 0 (default:
            0.02585)
        initial: voltage of a capacitor [V] or current of an inductor [A] at the start; a number
            (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        circuit:
          type: electrical_network
          elements:
            supply: {type: voltage_source, nodes: [cell], voltage: 12}
            inner: {type: resistor, nodes: [cell, in], resistance: 0.2}
            filter: {type: capacitor, nodes: [in], capacitance: 10 mF, initial: 0}
            lamp: {type: current_source, nodes: [in], current: 0.1}
            winding: {type: resistor, nodes: [in, a], resistance: 2}
            freewheel: {type: diode, nodes: [ground, a]}
            coil: {type: inductor, nodes: [a, b], inductance: 5 mH, initial: 0}
            motor: {type: motor, nodes: [b], torque_constant: 0.05}
    """
    @property
    def supply(self) -> Port: ...
    @property
    def lamp(self) -> Port: ...
    @property
    def motor(self) -> Port: ...
    @property
    def cell(self) -> Port: ...
    @property
    def a(self) -> Port: ...
    @property
    def b(self) -> Port: ...
    @property
    def inner(self) -> Port: ...
    @property
    def filter(self) -> Port: ...
    @property
    def winding(self) -> Port: ...
    @property
    def freewheel(self) -> Port: ...
    @property
    def coil(self) -> Port: ...
    def __init__(
        self,
        *,
        elements: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class FirstOrderLag(CatalogBlock):
    """A first-order low-pass per signal.

    time_constant: T of T ẋ + x = gain u [s]; a number above 0 or a list of such numbers (required)
    gain: gain of slow signals [any]; a number or a list of numbers (default: 1)
    initial: output at the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        filter: {type: first_order_lag, time_constant: 0.05}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        time_constant: Any,
        gain: Any = None,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class HydraulicNetwork(CatalogBlock):
    """A hydraulic circuit of elements between nodes; flow in it has no declared direction.

    elements: its elements; their nodes have the names that they give them; elements by name (required)
        type: a `pipe` has laminar flow, an `orifice` turbulent flow; a `check_valve` lets through what
            flows from its first node to its second; sources have an input of the element's name; the
            input of a `cylinder` is the speed [m/s] with which it takes fluid in at its first node, and
            it gives `force.NAME`; pipe, tank, fluid_mass, pressure_source, flow_source, cylinder,
            orifice or check_valve (required)
        nodes: the nodes at its ends; what flows through it is positive from the first to the second,
            which is `ground` if it is left out; a list of one or two names (required)
        resistance: of a pipe, or of a check valve that is open: pressure per flow [Pa s/m³]; a number
            above 0 (default: required)
        capacity: of a tank, volume per pressure; an open one has its area over density and gravity
            [m³/Pa]; a number above 0 (default: required)
        inertance: of a fluid mass in a pipe, its density times length over area [Pa s²/m³]; a number
            above 0 (default: required)
        pressure: of a source whose input is not connected: the first node is above the second [Pa]; a
            number (default: its input)
        flow: of a source whose input is not connected: through it from the first node to the second
            [m³/s]; a number (default: its input)
        area: of the piston of a cylinder, of the opening of an orifice [m²]; a number above 0 (default:
            required)
        discharge: of an orifice: the part of its area that the jet has; a number above 0 (default:
            0.61)
        density: of the fluid in an orifice [kg/m³]; a number above 0 (default: 1000)
        opening: of a check valve: the pressure across it above which it opens [Pa]; a number that is
            not negative (default: 0)
        transition: of an orifice: the pressure across it below which the flow is laminar; of a check
            valve: the width over which it opens [Pa]; a number above 0 (default: 100)
        initial: pressure of a tank [Pa] or flow of a fluid mass [m³/s] at the start; a number (default:
            0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        lift:
          type: hydraulic_network
          elements:
            pump: {type: flow_source, nodes: [ground, high], flow: 1e-4}
            leak: {type: pipe, nodes: [high], resistance: 1e11}
            relief: {type: check_valve, nodes: [high], opening: 5e6, resistance: 1e9}
            line: {type: pipe, nodes: [high, middle], resistance: 1e9}
            column: {type: fluid_mass, nodes: [middle, low], inertance: 1e7, initial: 0}
            accumulator: {type: tank, nodes: [middle], capacity: 1e-10, initial: 1e5}
            cylinder: {type: cylinder, nodes: [low], area: 1e-3}
            return: {type: pressure_source, nodes: [back], pressure: 2e5}
            valve: {type: orifice, nodes: [low, back], area: 2e-6}
    """
    @property
    def pump(self) -> Port: ...
    @property
    def cylinder(self) -> Port: ...
    @property
    def high(self) -> Port: ...
    @property
    def middle(self) -> Port: ...
    @property
    def low(self) -> Port: ...
    @property
    def back(self) -> Port: ...
    @property
    def leak(self) -> Port: ...
    @property
    def relief(self) -> Port: ...
    @property
    def line(self) -> Port: ...
    @property
    def column(self) -> Port: ...
    @property
    def accumulator(self) -> Port: ...
    @property
    def valve(self) -> Port: ...
    def __init__(
        self,
        *,
        elements: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Hysteresis(CatalogBlock):
    """The force of a spring that yields and keeps a part of its deformation (Bouc-Wen).

    stiffness: k before it yields [N/m or N m/rad]; a number above 0 or a list of such numbers
        (required)
    yield_displacement: d at which it yields [m or rad]; a number above 0 or a list of such numbers
        (required)
    yielded_stiffness_ratio: α, stiffness of the yielded spring over that before; a number from 0 to 1
        or a list of such numbers (default: 0)
    exponent: n, sharpness of the bend where it yields; a number of at least 1 or a list of such numbers
        (default: 1)
    shape: b: it unloads at first with the stiffness 2 b k; a number from 0.5 to 1 or a list of such
        numbers (default: 0.5)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        yielding: {type: hysteresis, stiffness: 1000, yield_displacement: 0.01, yielded_stiffness_ratio: 0.1, exponent: 2, shape: 0.6}
    """
    @property
    def displacement(self) -> Port: ...
    @property
    def rate(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    def __init__(
        self,
        *,
        stiffness: Any,
        yield_displacement: Any,
        yielded_stiffness_ratio: Any = None,
        exponent: Any = None,
        shape: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Integrator(CatalogBlock):
    """Integrates each input over time, within limits if they are given.

    initial: integral at the start [any]; a number or a list of numbers (default: 0)
    lower: smallest integral [any]; a number or a list of numbers (default: none)
    upper: largest integral [any]; a number or a list of numbers (default: none)
    reset: an input `reset` that starts the integral anew when it crosses zero `rising`, `falling` or
        `either` way; none, rising, falling or either (default: none)
    reset_to: what it starts anew from: its `initial` value, or from the `input` named `reset_value`;
        initial or input (default: initial)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        position: {type: integrator, initial: [0, 1]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        initial: Any = None,
        lower: Any = None,
        upper: Any = None,
        reset: Any = None,
        reset_to: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class LeadLag(CatalogBlock):
    """Advances or delays the phase: gain (1 + lead s)/(1 + lag s).

    lead: time constant of the zero [s]; a number that is not negative or a list of such numbers
        (required)
    lag: time constant of the pole [s]; a number above 0 or a list of such numbers (required)
    gain: gain of slow signals [any]; a number or a list of numbers (default: 1)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        advance: {type: lead_lag, lead: 0.1, lag: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        lead: Any,
        lag: Any,
        gain: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class LugreFriction(CatalogBlock):
    """The force of friction that sticks, breaks away and slips, with bristles as its state.

    coulomb: friction of fast sliding without its viscous part [N or N m]; a number above 0 or a list of
        such numbers (required)
    breakaway: friction of the slowest sliding [N or N m]; a number above 0 or a list of such numbers
        (default: `coulomb`)
    stribeck_speed: speed over which it falls from `breakaway` to `coulomb` [m/s or rad/s]; a number
        above 0 or a list of such numbers (default: 0.01)
    viscous: friction per speed besides [N s/m or N m s/rad]; a number that is not negative or a list of
        such numbers (default: 0)
    stiffness: σ₀ of the bristles [N/m or N m/rad]; a number above 0 or a list of such numbers
        (required)
    damping: σ₁ of the bristles [N s/m or N m s/rad]; a number that is not negative or a list of such
        numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        slide: {type: lugre_friction, coulomb: 1, breakaway: 1.5, viscous: 0.4, stiffness: 1.0e5, damping: 316}
    """
    @property
    def velocity(self) -> Port: ...
    @property
    def force(self) -> Port: ...
    @property
    def deflection(self) -> Port: ...
    def __init__(
        self,
        *,
        coulomb: Any,
        stiffness: Any,
        breakaway: Any = None,
        stribeck_speed: Any = None,
        viscous: Any = None,
        damping: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Notch(CatalogBlock):
    """Takes one frequency out of a signal.

    frequency: ω of (s² + 2 depth ζ ω s + ω²)/(s² + 2 ζ ω s + ω²) [rad/s]; a number above 0 or a list of
        such numbers (required)
    damping_ratio: ζ: the notch is 2 ζ ω wide; a number above 0 or a list of such numbers (default: 0.5)
    depth: gain at the frequency itself; a number that is not negative or a list of such numbers
        (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        calm: {type: notch, frequency: 40, damping_ratio: 0.2}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        frequency: Any,
        damping_ratio: Any = None,
        depth: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class RateLimiter(CatalogBlock):
    """Follows its input with a lag and a bounded rate.

    rising: largest rate [1/s]; a number above 0 or a list of such numbers (required)
    falling: largest rate downwards [1/s]; a number above 0 or a list of such numbers (required)
    time_constant: of the lag below these rates [s]; a number above 0 (required)
    initial: output at the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        gentle: {type: rate_limiter, rising: 1, falling: 2, time_constant: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        rising: Any,
        falling: Any,
        time_constant: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class SecondOrder(CatalogBlock):
    """A damped oscillator per signal that follows its input.

    natural_frequency: ω of ẍ + 2 ζ ω ẋ + ω² x = gain ω² u [rad/s]; a number above 0 or a list of such
        numbers (required)
    damping_ratio: ζ; a number that is not negative or a list of such numbers (default: 1)
    gain: gain of slow signals [any]; a number or a list of numbers (default: 1)
    initial: position at the start, at rest [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        actuator: {type: second_order, natural_frequency: 60, damping_ratio: 0.7}
    """
    @property
    def input(self) -> Port: ...
    @property
    def position(self) -> Port: ...
    @property
    def rate(self) -> Port: ...
    @property
    def state(self) -> Port: ...
    def __init__(
        self,
        *,
        natural_frequency: Any,
        damping_ratio: Any = None,
        gain: Any = None,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class StateSpace(CatalogBlock):
    """A linear system: dx/dt = A x + B u, y = C x + D u.

    A: of ẋ = A x + B u; a square matrix, as a list of rows (required)
    B: of ẋ = A x + B u; a matrix with one row per state, one column per input (required)
    C: of y = C x + D u; a matrix with one row per output, one column per state (required)
    D: of y = C x + D u; a matrix with one row per output, one column per input (default: zeros)
    initial: state at the start [any]; a number or a list of numbers (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        motor: {type: state_space, A: [[0, 1], [0, -2]], B: [[0], [1]], C: [[1, 0]]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        A: Any,
        B: Any,
        C: Any,
        D: Any = None,
        initial: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Thermal(CatalogBlock):
    """The temperature of a thermal mass that loses heat through a resistance.

    capacity: heat per temperature [J/K]; a number above 0 or a list of such numbers (required)
    resistance: temperature over `ambient` per heat that flows out [K/W]; a number above 0 or a list of
        such numbers (required)
    initial: temperature at the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        winding: {type: thermal, capacity: 50, resistance: 2, initial: 20}
    """
    @property
    def heat(self) -> Port: ...
    @property
    def ambient(self) -> Port: ...
    @property
    def temperature(self) -> Port: ...
    @property
    def loss(self) -> Port: ...
    def __init__(
        self,
        *,
        capacity: Any,
        resistance: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ThermalNetwork(CatalogBlock):
    """Masses of one temperature each, with heat conductors between them.

    elements: its elements; their nodes have the names that they give them; elements by name (required)
        type: sources have an input of the element's name; `ground` has the temperature 0 of the scale
            that is used, which must be kelvin where there is `radiation`; conductor, mass,
            temperature_source, heat_source or radiation (required)
        nodes: the nodes at its ends; what flows through it is positive from the first to the second,
            which is `ground` if it is left out; a list of one or two names (required)
        resistance: of a conductor, temperature per heat flow [K/W]; a number above 0 (default:
            required)
        capacity: of a mass, heat per temperature [J/K]; a number above 0 (default: required)
        temperature: of a source whose input is not connected: the first node is above the second [any];
            a number (default: its input)
        heat: of a source whose input is not connected: through it from the first node to the second
            [W]; a number (default: its input)
        area: of a surface that radiates [m²]; a number above 0 (default: required)
        emissivity: of such a surface, times its view factor; a number above 0 (default: 1)
        initial: temperature of a mass at the start [any]; a number (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        warming:
          type: thermal_network
          elements:
            losses: {type: heat_source, nodes: [ground, winding], heat: 8}
            winding: {type: mass, nodes: [winding], capacity: 50, initial: 20}
            joint: {type: conductor, nodes: [winding, housing], resistance: 0.5}
            housing: {type: mass, nodes: [housing], capacity: 900, initial: 20}
            cooling: {type: conductor, nodes: [housing, room], resistance: 2}
            room: {type: temperature_source, nodes: [room], temperature: 20}
    """
    @property
    def losses(self) -> Port: ...
    @property
    def room(self) -> Port: ...
    @property
    def winding(self) -> Port: ...
    @property
    def housing(self) -> Port: ...
    @property
    def joint(self) -> Port: ...
    @property
    def cooling(self) -> Port: ...
    def __init__(
        self,
        *,
        elements: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class TransferFunction(CatalogBlock):
    """A ratio of polynomials in s, by falling powers.

    numerator: coefficients by falling powers of s: [1, 2] is s + 2; a list of coefficients, by falling
        powers (required)
    denominator: likewise, of no lower degree; a list of coefficients, by falling powers (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        lead: {type: transfer_function, numerator: [0.1, 1], denominator: [0.01, 1]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        numerator: Any,
        denominator: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class TransportDelay(CatalogBlock):
    """Its input some time ago, from samples of it.

    delay: how long ago [s]; a number above 0 (required)
    period: time between the samples that it keeps [s]; a number above 0 (required)
    initial: input before the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        pipe: {type: transport_delay, delay: 0.2, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        delay: Any,
        period: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class VariableDelay(CatalogBlock):
    """Its input some time ago, the time being an input.

    longest: longest delay that the input `delay` may ask for [s]; a number above 0 (required)
    period: time between the samples that it keeps; the shortest delay [s]; a number above 0 (required)
    initial: input before the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        link: {type: variable_delay, longest: 0.2, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def delay(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        longest: Any,
        period: Any,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Counter(CatalogBlock):
    """Counts how often its input rises through a threshold.

    threshold: the input is counted when it rises through this [any]; a number (default: 0)
    modulo: count at which it starts again from 0; a whole number from 1 to 4294967295 (default: none)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        strokes: {type: counter, threshold: 0.5}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        threshold: Any = None,
        modulo: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DiscreteDerivative(CatalogBlock):
    """The difference of the last two samples over the period.

    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        rate: {type: discrete_derivative, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        period: Any,
        offset: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DiscreteStateSpace(CatalogBlock):
    """A sampled linear system: y = C x + D u, then x = A x + B u.

    A: of x ← A x + B u; a square matrix, as a list of rows (required)
    B: of x ← A x + B u; a matrix with one row per state, one column per input (required)
    C: of y = C x + D u; a matrix with one row per output, one column per state (required)
    D: of y = C x + D u; a matrix with one row per output, one column per input (default: zeros)
    initial: state at the start [any]; a number or a list of numbers (default: 0)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        observer: {type: discrete_state_space, A: [[0.9]], B: [[0.1]], C: [[1]], period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        A: Any,
        B: Any,
        C: Any,
        period: Any,
        D: Any = None,
        initial: Any = None,
        offset: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class DiscreteTransferFunction(CatalogBlock):
    """A sampled difference equation: a ratio of polynomials in z, by falling powers.

    numerator: coefficients by falling powers of z; a list of coefficients, by falling powers (required)
    denominator: likewise, of no lower degree; a list of coefficients, by falling powers (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        smooth: {type: discrete_transfer_function, numerator: [0.1], denominator: [1, -0.9], period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        numerator: Any,
        denominator: Any,
        period: Any,
        offset: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Edge(CatalogBlock):
    """A pulse at each edge of a signal, and the number of edges.

    on: direction in which the input crosses the threshold; rising, falling or either (default: rising)
    threshold: level above which an input is true [any]; a number (default: 0.5)
    duration: of a pulse [s]; a number above 0 (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        press: {type: edge, duration: 0.1}
    """
    @property
    def input(self) -> Port: ...
    @property
    def pulse(self) -> Port: ...
    @property
    def count(self) -> Port: ...
    def __init__(
        self,
        *,
        duration: Any,
        on: Any = None,
        threshold: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Latch(CatalogBlock):
    """Goes to 1 where `set` is true, to 0 where `reset` is, and stays otherwise.

    threshold: level above which an input is true [any]; a number (default: 0.5)
    dominant: which input decides while both are true; reset or set (default: reset)
    starts: state before an input is true: `reset` is 0, `set` is 1; reset or set (default: reset)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        alarm: {type: latch, dominant: set}
    """
    @property
    def set(self) -> Port: ...
    @property
    def reset(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        threshold: Any = None,
        dominant: Any = None,
        starts: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class MovingAverage(CatalogBlock):
    """The mean of the last samples of its input.

    samples: how many samples the mean is of; a whole number from 1 to 100000 (required)
    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        smooth: {type: moving_average, samples: 10, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        samples: Any,
        period: Any,
        offset: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class RateTransition(CatalogBlock):
    """Hands a signal over between parts that are sampled at different rates.

    from_: period of the part that writes [s]; a number above 0 (required)
    to: period of the part that reads [s]; a number above 0 (required)
    transfer: at each longer period: `hold`: the value just before; `delay`: that of one longer period
        before; hold or delay (default: hold)
    initial: output before the first sample [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        handover: {type: rate_transition, from: 0.001, to: 0.01, transfer: hold}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        from_: Any,
        to: Any,
        transfer: Any = None,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Timer(CatalogBlock):
    """The time since its input became true, or the time during which it was.

    threshold: level above which an input is true [any]; a number (default: 0.5)
    while_false: `zero`: the time is 0 while the input is false; `keep`: it stays and goes on from
        there; zero or keep (default: zero)
    width: signals in parallel; a whole number from 1 to 1000000 (default: 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        held: {type: timer, while_false: keep}
    """
    @property
    def input(self) -> Port: ...
    @property
    def reset(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        threshold: Any = None,
        while_false: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class UnitDelay(CatalogBlock):
    """Holds the sample of its input one period ago.

    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    initial: output at the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        previous: {type: unit_delay, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        period: Any,
        offset: Any = None,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class ZeroOrderHold(CatalogBlock):
    """Samples its input and holds it.

    period: time between two samples [s]; a number above 0 (required)
    offset: time of the first sample [s]; a number that is not negative (default: 0)
    initial: output at the start [any]; a number or a list of numbers (default: 0)
    width: signals in parallel; a whole number from 1 to 1000000 (default: that of the lists, or 1)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        sampler: {type: zero_order_hold, period: 0.01}
    """
    @property
    def input(self) -> Port: ...
    @property
    def output(self) -> Port: ...
    def __init__(
        self,
        *,
        period: Any,
        offset: Any = None,
        initial: Any = None,
        width: Any = None,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...

class Diagram(CatalogBlock):
    """Another diagram file, whose `exports` are the ports of this block.

    file: a file in the folder of this one, or below it; the name of a diagram file (required)
    set: values of the `parameters` of that file; parameters of that file with their values, such as
        `{kp: 3, m: $m}` (default: the values in that file)
    repeat: number of copies, which are the blocks `NAME[0]`, `NAME[1]`, …; `$index` is the number of
        each in the values of `set`; a whole number from 1 to 1000 (default: one block)
    enabled: output that lets the diagram run while it is above 0.5; an output with a logical signal,
        such as `mode.is_hold` (default: always)
    triggered: output at whose edges its sampled blocks are updated; its outputs change there only; an
        output with a logical signal, such as `mode.is_hold` (default: by their periods)
    reset: output at whose edges all its states begin anew; an output with a logical signal, such as
        `mode.is_hold` (default: never)
    when_disabled: with `enabled`: states go on from where they stood still, or begin anew; hold or
        reset (default: hold)
    outputs: with `enabled`: outputs keep their last values while it is not true, or are zero; hold or
        default (default: hold)
    on: with `triggered` and `reset`: the edge of the signal that counts, across 0.5; rising, falling or
        either (default: rising)

    In a diagram file:

        servo: {type: diagram, file: servo.yaml}
    """
    @property
    def reference(self) -> Port: ...
    @property
    def rate(self) -> Port: ...
    @property
    def effort(self) -> Port: ...
    def __init__(
        self,
        *,
        file: Any,
        set: Any = None,
        repeat: Any = None,
        enabled: Any = None,
        triggered: Any = None,
        reset: Any = None,
        when_disabled: Any = None,
        outputs: Any = None,
        on: Any = None,
    ) -> None: ...

class Recorder(CatalogBlock):
    """Gives the numbers of a signal channel names of their own.

    names: one per number of the signal; the channels are `BLOCK.NAME`; a list of names, one per number
        of the signal (required)
    derivatives: where its derivatives come from: `exact`, dual numbers; `differences` of its values;
        `explicit`, none within a step; exact, differences or explicit (default: exact)
    unit: unit of the first output, in SI units, one for all numbers or one each; `any`: the block takes
        and gives every unit; a unit of SI symbols such as `N m`, a list of units, or `any` (default: as
        far as it is known)

    In a diagram file:

        log: {type: recorder, names: [height, speed]}
    """
    @property
    def input(self) -> Port: ...
    @property
    def recorded(self) -> Port: ...
    def __init__(
        self,
        *,
        names: Any,
        derivatives: Any = None,
        unit: Any = None,
    ) -> None: ...
