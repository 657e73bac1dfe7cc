//! Tests of `src/engine/integrators/rule.rs`.

use kinegraph_engine::integrators::{Rule, RuleSwitches};

#[test]
fn every_rule_has_a_name_and_a_switch_of_its_own() {
    for (i, rule) in Rule::ALL.iter().enumerate() {
        let off = RuleSwitches::ALL.without(*rule);
        assert!(Rule::ALL.iter().enumerate().all(|(j, other)| off.has(*other) == (i != j)), "{}", rule.name());
        assert!(Rule::ALL[..i].iter().all(|other| other.name() != rule.name()));
    }
}
