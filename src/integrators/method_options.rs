//! The options that single methods have for themselves, by their keys in files. A method with options declares them as
//! an [`OptionGroup`] and has a line here: files, the documents and the check of ranges follow this list.

use super::option_group::{GroupSource, OptionGroup};
use super::{OptionError, SapOptions, ThetaGammaOptions, VolumeOptions};

macro_rules! method_options {
    ($($key:ident: $group:ty,)*) => {
        /// Options of single methods; other methods do not read them.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct MethodOptions {
            $(#[doc = concat!("Options of `", stringify!($key), "`.")] pub $key: $group,)*
        }

        impl MethodOptions {
            /// What `source` gives for every method.
            pub fn from_source(source: &mut impl GroupSource) -> Self {
                MethodOptions { $($key: source.group(stringify!($key)),)* }
            }

            /// Whether all are in their range.
            ///
            /// # Errors
            /// The first option that is not.
            pub fn check(&self) -> Result<(), OptionError> {
                $(self.$key.check()?;)*
                Ok(())
            }
        }
    };
}

method_options! {
    sap: SapOptions,
    theta_gamma: ThetaGammaOptions,
    volume: VolumeOptions,
}
