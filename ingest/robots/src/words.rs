//! Enums whose variants appear as words in tables, options and answers.

/// Declares an enum and the word of each variant.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: [$name; [$($word),*].len()] = [$($name::$variant),*];
            /// Their words, in the same order.
            pub const WORDS: [&'static str; [$($word),*].len()] = [$($word),*];

            /// The word, as in tables, options and answers.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// The variant of a word; `None` for an unknown word.
            #[must_use]
            pub fn named(word: &str) -> Option<Self> {
                $name::ALL.into_iter().find(|variant| variant.name() == word)
            }
        }
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use crate::{
        AccessClass, AccessResult, BodyKind, Dialect, Effect, Encoding, LineEndings, MatchKind, Naming, NoEffect,
        PathGain, PreferenceEffect, PreferenceProblem, Purpose, RedirectEnd, SignalKind, Stated,
    };
    use crate::{Severity, SiteOutcome, Tier};

    #[test]
    fn each_word_has_one_variant() {
        macro_rules! check {
            ($($name:ident)*) => {$(
                assert_eq!($name::WORDS.map($name::named), $name::ALL.map(Some));
                assert_eq!($name::named("?"), None);
            )*};
        }
        check!(AccessClass AccessResult BodyKind Dialect Effect Encoding LineEndings MatchKind Naming NoEffect PathGain PreferenceEffect PreferenceProblem Purpose RedirectEnd SignalKind SiteOutcome Stated Severity Tier);
    }
}
