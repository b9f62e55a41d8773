//! What can be remarked on a record, an answer or a target: each remark a name that stays, so that it can be counted,
//! and sets of them that cost nothing to carry along.

use std::fmt;
use std::marker::PhantomData;
use std::ops::BitOr;

/// A remark, one of a catalogue of at most thirty-two.
pub trait Mark: Copy + 'static {
    /// All of the catalogue, in its order.
    const ALL: &'static [Self];

    /// The stable name.
    fn name(self) -> &'static str;
    /// Its place in the catalogue, as a bit.
    fn bit(self) -> u32;
}

/// A set of remarks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Marks<M>(u32, PhantomData<M>);

impl<M: Mark> Marks<M> {
    /// The set of one remark.
    #[must_use]
    pub fn only(mark: M) -> Self {
        Marks(mark.bit(), PhantomData)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether one is among them.
    #[must_use]
    pub fn has(self, mark: M) -> bool {
        self.0 & mark.bit() != 0
    }

    /// All of them, in the order of the catalogue.
    pub fn iter(self) -> impl Iterator<Item = M> {
        M::ALL.iter().copied().filter(move |mark| self.has(*mark))
    }

    pub(crate) fn add(&mut self, mark: M) {
        self.0 |= mark.bit();
    }

    pub(crate) fn add_if(&mut self, is_so: bool, mark: M) {
        if is_so {
            self.add(mark);
        }
    }
}

impl<M> Default for Marks<M> {
    fn default() -> Self {
        Marks(0, PhantomData)
    }
}

impl<M> BitOr for Marks<M> {
    type Output = Self;

    fn bitor(self, others: Self) -> Self {
        Marks(self.0 | others.0, PhantomData)
    }
}

impl<M: Mark> fmt::Debug for Marks<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter().map(M::name)).finish()
    }
}

/// Declares a catalogue: `Variant "name" "one sentence",` for each.
macro_rules! catalogue {
    ($(#[doc = $doc:literal])* $mark:ident { $($variant:ident $name:literal $text:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $mark {
            $(#[doc = $text] $variant,)*
        }

        impl $mark {
            /// All of them.
            pub const ALL: &'static [$mark] = &[$($mark::$variant),*];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($mark::$variant => $name),* }
            }

            /// One sentence.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($mark::$variant => $text),* }
            }
        }

        impl $crate::marks::Mark for $mark {
            const ALL: &'static [$mark] = $mark::ALL;

            fn name(self) -> &'static str {
                $mark::name(self)
            }

            fn bit(self) -> u32 {
                1 << self as u32
            }
        }

        const _: () = assert!($mark::ALL.len() <= u32::BITS as usize, "a set of marks is 32 bits");
    };
}

pub(crate) use catalogue;
