//! The rules of the step by name, and the switches for them. For what they do, see `cenic/rules.rs`.

macro_rules! rules {
    ($($(#[doc = $about:literal])* $rule:ident = $name:literal,)*) => {
        /// A rule of the step.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ListedRule {
            $($(#[doc = $about])* $rule,)*
        }

        impl ListedRule {
            /// All rules, in their order.
            pub const ALL: &'static [ListedRule] = &[$(ListedRule::$rule,)*];

            /// Name in files and tables.
            pub const fn name(self) -> &'static str {
                match self {
                    $(ListedRule::$rule => $name,)*
                }
            }

            /// Description of its effect.
            pub const fn about(self) -> &'static str {
                match self {
                    $(ListedRule::$rule => concat!($($about),*),)*
                }
            }
        }
    };
}

/// A rule of the step.
pub type Rule = ListedRule;

rules! {
    /// Crosses points where the motion is not smooth (touch-down, lift-off, onset of sliding) by short steps.
    Transition = "transition",
    /// Lets joints strike stops with restitution where these are.
    Rebound = "rebound",
    /// Bounds steps of bodies that turn, so that they sweep over nothing unseen.
    Sweep = "sweep",
    /// Bounds steps by what feedback or a block lets grow, which longer ones would damp.
    Growth = "growth",
    /// Follows impacts and oscillations of contacts and springs that the accuracy can see.
    Oscillation = "oscillation",
    /// Takes steps of an explicit method of fifth order where nothing touches.
    FreeMotion = "free_motion",
    /// Adds contacts to the problem that its solution closes, and solves again.
    DeferredContacts = "deferred_contacts",
    /// Extrapolates parts of the motion on which the same acts all the time, to the third order where contact lasts.
    Extrapolation = "extrapolation",
    /// Follows what nothing stiff acts on by the Runge-Kutta method of fourth order.
    Refinement = "refinement",
    /// Counts errors of velocity where bodies begin to slide, and lets friction follow the normal force within steps in
    /// which it would lag.
    FrictionOnset = "friction_onset",
    /// Takes no step that gains energy beyond what earlier steps lost.
    Energy = "energy",
}

/// Switches of the rules; by default all are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSwitches {
    off: u16,
}

impl Default for RuleSwitches {
    fn default() -> Self {
        RuleSwitches::ALL
    }
}

impl RuleSwitches {
    /// All rules are on.
    pub const ALL: RuleSwitches = RuleSwitches { off: 0 };
    /// Only those rules are on without which a step may pass through an obstacle, or damp growth.
    pub const PLAIN: RuleSwitches = RuleSwitches {
        off: !(bit(Rule::Rebound) | bit(Rule::Sweep) | bit(Rule::Growth) | bit(Rule::DeferredContacts)),
    };
    /// Rules that follow smooth motion to a higher order, and need that.
    const SMOOTH: u16 = bit(Rule::Transition)
        | bit(Rule::Oscillation)
        | bit(Rule::FreeMotion)
        | bit(Rule::Extrapolation)
        | bit(Rule::Refinement)
        | bit(Rule::FrictionOnset);

    /// True if a rule is on.
    pub const fn has(self, rule: Rule) -> bool {
        self.off & bit(rule) == 0
    }

    /// Returns these switches with a rule on.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        RuleSwitches { off: self.off & !bit(rule) }
    }

    /// Returns these switches with a rule off.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        RuleSwitches { off: self.off | bit(rule) }
    }

    /// Returns these switches without the rules that follow smooth motion to a higher order.
    #[must_use]
    pub const fn without_smooth(self) -> Self {
        RuleSwitches { off: self.off | Self::SMOOTH }
    }

    /// Returns the rules that are on in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        RuleSwitches { off: self.off | other.off }
    }
}

const fn bit(rule: Rule) -> u16 {
    1 << rule as u16
}
