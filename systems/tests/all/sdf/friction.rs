//! Friction of collisions: one coefficient, or two with a direction.

use super::load;
use kinegraph_systems::models::Loaded;
use kinegraph_systems::multibody::proximity::Proximity;
use kinegraph_systems::multibody::scene_data::Grain;

fn with(ode: &str) -> Loaded {
    load(&format!(
        "<link name='a'><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>\
         <collision name='c'><pose degrees='true'>0 0 1 0 0 90</pose><geometry><sphere><radius>0.1</radius></sphere>\
         </geometry><surface><friction><ode>{ode}</ode></friction></surface></collision></link>"
    ))
}

fn notes_of_surfaces(loaded: &Loaded) -> usize {
    loaded.notes.iter().filter(|note| note.to_string().contains("surface")).count()
}

#[test]
fn a_second_coefficient_counts_with_a_direction_of_the_shape() {
    let said = |loaded: &Loaded| loaded.model.links[0].proximity[0].1;
    let loaded = with("<mu>0.1</mu><mu2>0.9</mu2><fdir1>2 0 0</fdir1>");
    let Proximity { static_friction, dynamic_friction, grain, .. } = said(&loaded);
    assert_eq!((static_friction, dynamic_friction), (Some(0.1), Some(0.1)));
    // In the frame of the link, in which the shape is turned by a right angle.
    let Grain { along, across } = grain.expect("a grain");
    assert!(across == 0.9 && (along[1] - 2.0).abs() < 1e-12 && along[0].abs() < 1e-12, "{along:?}");
    assert_eq!(notes_of_surfaces(&loaded), 0);
    for (ode, notes) in [("<mu>0.1</mu><mu2>0.9</mu2>", 1), ("<mu>0.1</mu><mu2>0.9</mu2><fdir1>0 0 0</fdir1>", 2)] {
        let loaded = with(ode);
        assert_eq!((said(&loaded).grain, said(&loaded).static_friction), (None, Some(0.1)));
        assert_eq!(notes_of_surfaces(&loaded), notes, "{:?}", loaded.notes);
    }
}

#[test]
fn faulty_second_coefficients_have_their_places() {
    let text = "<mu>0.1</mu><mu2>-0.9</mu2><fdir1>1 0</fdir1>";
    let found = super::refuse(&format!(
        "<link name='a'><collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry>\
         <surface><friction><ode>{text}</ode></friction></surface></collision></link>"
    ));
    assert!(found.iter().any(|fault| fault.contains("mu2") && fault.contains("-0.9")), "{found:?}");
    assert!(found.iter().any(|fault| fault.contains("fdir1")), "{found:?}");
}
