//! Structures of numbers with limits, with one definition for each number.

use alloc::vec::Vec;

use crate::limits::{Limit, OutOfLimits};

/// A structure whose numbers have [limits](Limit).
pub trait Parameters {
    /// The limits of its numbers, in the order of [`numbers`](Self::numbers).
    const LIMITS: &'static [Limit];

    /// Its numbers, for a panel to edit.
    fn numbers(&mut self) -> Vec<Number<'_>>;

    /// Checks every number against its limits.
    ///
    /// # Errors
    /// The first number outside its limits.
    fn check_numbers(&self) -> Result<(), OutOfLimits>;
}

/// A reference to a number of a structure, with its type.
#[derive(Debug, PartialEq)]
pub enum Number<'a> {
    /// A single-precision number.
    F32(&'a mut f32),
    /// A double-precision number.
    F64(&'a mut f64),
}

impl Number<'_> {
    /// The number.
    pub fn get(&self) -> f64 {
        match self {
            Number::F32(value) => f64::from(**value),
            Number::F64(value) => **value,
        }
    }

    /// Changes the number, rounding it to its type.
    pub fn set(&mut self, new: f64) {
        match self {
            Number::F32(value) => **value = new as f32,
            Number::F64(value) => **value = new,
        }
    }
}

/// The types of numbers in structures with [`Parameters`].
pub(crate) trait Scalar: Copy {
    /// Checks the number against the limit rounded to its own type, so that the `f32` 0.1 is within
    /// 0.1 to 1.
    fn check(self, limit: &Limit) -> Result<(), OutOfLimits>;
    fn number(&mut self) -> Number<'_>;
}

macro_rules! scalar {
    ($($type:ty: $variant:ident),*) => {$(
        impl Scalar for $type {
            fn check(self, limit: &Limit) -> Result<(), OutOfLimits> {
                if (limit.min as $type..=limit.max as $type).contains(&self) {
                    Ok(())
                } else {
                    Err(OutOfLimits { limit: *limit, value: f64::from(self) })
                }
            }
            fn number(&mut self) -> Number<'_> {
                Number::$variant(self)
            }
        }
    )*};
}
scalar!(f32: F32, f64: F64);

/// Declares a structure with the unit, default, limits and help of each number in one definition.
/// Generates the documentation, `Default`, [`Parameters`] and serde's traits.
///
/// Numbers may be parts of a field, such as those of a band. Their names are `height.min` in
/// limits and errors, and `height: (min: ..)` in files; the default of the whole field is a
/// constant. Structures with such fields are read by [`read`](crate::limits::read).
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<const $n:ident: usize>)? { $($others:tt)* }
        numbers { $($numbers:tt)* }
    ) => {
        $crate::limits::parameters! {
            @declare
            #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
            #[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, bound = ""))]
            $(#[$meta])*
            pub struct $name $(<const $n: usize>)? { $($others)* }
            numbers { $($numbers)* } bands {}
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($others:tt)* }
        $( numbers { $($numbers:tt)* } $( bands { $($bands:tt)* } )? )+
    ) => {
        $crate::limits::parameters! {
            @declare
            $(#[$meta])*
            pub struct $name { $($others)* }
            $( numbers { $($numbers)* } bands { $($($bands)*)? } )+
        }
        $crate::limits::parameters! {
            @banded $name { $($others)* } $( { $($numbers)* } { $($($bands)*)? } )+
        }
    };
    (
        @declare
        $(#[$meta:meta])*
        pub struct $name:ident $(<const $n:ident: usize>)? {
            $( $(#[$attr:meta])* $other:ident: $other_type:ty = $other_default:expr, )*
        }
        $(
            numbers {
                $(
                    $(#[doc = $help:literal])+
                    $field:ident: $type:ty =
                        $default:literal $unit:literal, $min:literal to $max:literal;
                )*
            }
            bands {
                $(
                    $(#[doc = $about:literal])+
                    $band:ident: $band_type:ident = $constant:ident {
                        $(
                            $(#[doc = $part_help:literal])+
                            $part:ident: $part_default:literal $part_unit:literal,
                                $part_min:literal to $part_max:literal;
                        )+
                    }
                )*
            }
        )+
    ) => {
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
        $(#[$meta])*
        pub struct $name $(<const $n: usize>)? {
            $( $(#[$attr])* pub $other: $other_type, )*
            $(
                $(
                    $(#[doc = $help])+
                    #[doc = concat!(
                        "\n\nDefault ", stringify!($default),
                        ", limits ", stringify!($min), " to ", stringify!($max)
                    )]
                    #[doc = $unit]
                    pub $field: $type,
                )*
                $(
                    $(#[doc = $about])+
                    $(
                        #[doc = concat!("\n* `", stringify!($part), "`:")]
                        $(#[doc = $part_help])+
                        #[doc = concat!(
                            "Default ", stringify!($part_default),
                            ", limits ", stringify!($part_min), " to ", stringify!($part_max)
                        )]
                        #[doc = $part_unit]
                    )+
                    pub $band: $band_type,
                )*
            )+
        }

        impl $(<const $n: usize>)? Default for $name $(<$n>)? {
            fn default() -> Self {
                Self {
                    $($other: $other_default,)*
                    $($($field: $default as $type,)* $($band: Self::$constant,)*)+
                }
            }
        }

        impl $(<const $n: usize>)? $name $(<$n>)? {
            $($(
                #[doc = concat!("The default of `", stringify!($band), "`.")]
                pub const $constant: $band_type =
                    $band_type { $($part: $part_default as f32,)+ };
            )*)+

            /// The numbers, and references to all other fields.
            pub(crate) fn split(
                &mut self,
            ) -> (alloc::vec::Vec<$crate::limits::Number<'_>>, ($(&mut $other_type,)*)) {
                let numbers = vec![$(
                    $($crate::limits::Scalar::number(&mut self.$field),)*
                    $($($crate::limits::Scalar::number(&mut self.$band.$part),)+)*
                )+];
                (numbers, ($(&mut self.$other,)*))
            }
        }

        impl $(<const $n: usize>)? $crate::limits::Parameters for $name $(<$n>)? {
            const LIMITS: &'static [$crate::limits::Limit] = &[$(
                $($crate::limits::Limit {
                    name: stringify!($field),
                    unit: $unit,
                    min: $min as f64,
                    max: $max as f64,
                    default: $default as f64,
                    help: concat!($($help),+).trim_ascii(),
                },)*
                $($($crate::limits::Limit {
                    name: concat!(stringify!($band), ".", stringify!($part)),
                    unit: $part_unit,
                    min: $part_min as f64,
                    max: $part_max as f64,
                    default: $part_default as f64,
                    help: concat!($($part_help),+).trim_ascii(),
                },)+)*
            )+];

            fn numbers(&mut self) -> alloc::vec::Vec<$crate::limits::Number<'_>> {
                self.split().0
            }

            fn check_numbers(&self) -> Result<(), $crate::limits::OutOfLimits> {
                let mut _limits = Self::LIMITS.iter();
                $(
                    $(
                        let limit = _limits.next().expect("a limit for each number");
                        $crate::limits::Scalar::check(self.$field, limit)?;
                    )*
                    $($(
                        let limit = _limits.next().expect("a limit for each number");
                        $crate::limits::Scalar::check(self.$band.$part, limit)?;
                    )+)*
                )+
                Ok(())
            }
        }
    };
    (
        @banded $name:ident {
            $( $(#[$attr:meta])* $other:ident: $other_type:ty = $other_default:expr, )*
        }
        $(
            {
                $(
                    $(#[doc = $help:literal])+
                    $field:ident: $type:ty =
                        $default:literal $unit:literal, $min:literal to $max:literal;
                )*
            }
            {
                $(
                    $(#[doc = $about:literal])+
                    $band:ident: $band_type:ident = $constant:ident { $($parts:tt)+ }
                )*
            }
        )+
    ) => {
        impl $name {
            /// Checks that each band's maximum is not below its minimum.
            fn check_order(&self) -> Result<(), $crate::error::DataError> {
                $($(self.$band.check_order(stringify!($band))?;)*)+
                Ok(())
            }
        }

        #[cfg(feature = "serde")]
        impl $crate::limits::Readable for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [&'static str] = &[
                $(stringify!($other),)*
                $($(stringify!($field),)* $(stringify!($band),)*)+
            ];

            fn read_other<'de, A: serde::de::MapAccess<'de>>(
                &mut self,
                name: &str,
                map: &mut A,
            ) -> Result<(), A::Error> {
                $(
                    if name == stringify!($other) {
                        self.$other = map.next_value()?;
                    }
                )*
                Ok(())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::limits::read(from)
            }
        }
    };
}
pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        /// For the test.
        pub struct Example {
            /// Not a number.
            label: String = "none".into(),
        }
        numbers {
            /// How thin
            /// it is.
            thin: f32 = 0.1 "m", 0.1 to 3;
            /// How many.
            count: f64 = 2 "", 1 to 9;
        }
    }

    #[test]
    fn one_declaration_makes_limits_defaults_and_checks() {
        let mut example = Example::default();
        assert_eq!((example.thin, example.count, example.label.as_str()), (0.1, 2.0, "none"));
        let [thin, count] = Example::LIMITS else { panic!() };
        assert_eq!((thin.name, thin.unit, thin.help), ("thin", "m", "How thin it is."));
        assert_eq!((thin.to_string(), count.to_string()), ("0.1 to 3 m".into(), "1 to 9".into()));
        // 0.1 is not exact in f32, so the limit is rounded like the number.
        assert_eq!(example.check_numbers(), Ok(()));
        for number in &mut example.numbers() {
            number.set(number.get() + 7.0);
        }
        let error = example.check_numbers().unwrap_err();
        assert_eq!(error.to_string(), "thin is 7.1, but must be between 0.1 and 3");
        example.thin = f32::NAN;
        assert!(example.check_numbers().is_err());
    }
}
