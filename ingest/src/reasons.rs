//! Reasons that the tables count by name: why a record was skipped, why bytes are damaged, and remarks on captures.
//! A catalogue declares the reasons of one kind; a set of them is one number, cheap to pass along.

use std::fmt;
use std::marker::PhantomData;
use std::ops::BitOr;

/// A reason of a catalogue, which has at most 32.
pub trait Reason: Copy + 'static {
    /// All reasons of the catalogue, in its order.
    const ALL: &'static [Self];

    /// The name, which never changes.
    fn name(self) -> &'static str;
    /// Its place in the catalogue, as a bit.
    fn bit(self) -> u32;
}

/// A set of reasons of one catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reasons<M>(u32, PhantomData<M>);

impl<M: Reason> Reasons<M> {
    /// The set of one reason.
    #[must_use]
    pub fn only(reason: M) -> Self {
        Reasons(reason.bit(), PhantomData)
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a reason.
    #[must_use]
    pub fn has(self, reason: M) -> bool {
        self.0 & reason.bit() != 0
    }

    /// The reasons of the set, in the order of the catalogue.
    pub fn iter(self) -> impl Iterator<Item = M> {
        M::ALL.iter().copied().filter(move |reason| self.has(*reason))
    }

    pub(crate) fn add(&mut self, reason: M) {
        self.0 |= reason.bit();
    }

    pub(crate) fn add_if(&mut self, is_so: bool, reason: M) {
        if is_so {
            self.add(reason);
        }
    }
}

impl<M> Default for Reasons<M> {
    fn default() -> Self {
        Reasons(0, PhantomData)
    }
}

impl<M> BitOr for Reasons<M> {
    type Output = Self;

    fn bitor(self, others: Self) -> Self {
        Reasons(self.0 | others.0, PhantomData)
    }
}

impl<M: Reason> fmt::Debug for Reasons<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter().map(M::name)).finish()
    }
}

/// Declares a catalogue: `Variant "name" "one sentence",` for each reason.
macro_rules! catalogue {
    ($(#[doc = $doc:literal])* $reason:ident { $($variant:ident $name:literal $text:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $reason {
            $(#[doc = $text] $variant,)*
        }

        impl $reason {
            /// All reasons.
            pub const ALL: &'static [$reason] = &[$($reason::$variant),*];

            /// The name, which never changes.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($reason::$variant => $name),* }
            }

            /// Its meaning, in one sentence.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($reason::$variant => $text),* }
            }
        }

        impl $crate::reasons::Reason for $reason {
            const ALL: &'static [$reason] = $reason::ALL;

            fn name(self) -> &'static str {
                $reason::name(self)
            }

            fn bit(self) -> u32 {
                1 << self as u32
            }
        }

        const _: () = assert!($reason::ALL.len() <= u32::BITS as usize, "a set of reasons is 32 bits");
    };
}

pub(crate) use catalogue;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::AnswerRemark;

    #[test]
    fn a_set_has_what_was_added() {
        let mut set = Reasons::default();
        assert!(set.is_empty());
        for (reason, count) in AnswerRemark::ALL.iter().rev().zip(1..) {
            set.add(*reason);
            assert_eq!(set.iter().collect::<Vec<_>>(), AnswerRemark::ALL[AnswerRemark::ALL.len() - count..]);
        }
    }
}
