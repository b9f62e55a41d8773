//! What can be remarkable about a target, declared once: each is the reason why some part of it is missing, or is not
//! what is written.

macro_rules! catalogue {
    ($($variant:ident $name:literal $text:literal,)*) => {
        /// One remark on a target. Each has a name that stays.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Oddity {
            $(#[doc = $text] $variant,)*
        }

        impl Oddity {
            /// All of them.
            pub const ALL: &'static [Oddity] = &[$(Oddity::$variant),*];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Oddity::$variant => $name),* }
            }

            /// One sentence.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Oddity::$variant => $text),* }
            }
        }
    };
}

catalogue! {
    AngleBrackets "angle-brackets" "it stands in angle brackets, as the grammar of WARC 1.0 had it",
    ControlOrBlank "control-or-blank" "it has blanks or control characters, around it or inside",
    NotUtf8 "not-utf8" "octets of it are not UTF-8 and appear percent-encoded",
    NoScheme "no-scheme" "no scheme stands before it, so that nothing of it can be told",
    NoHost "no-host" "it names no host",
    HostInvalid "host-invalid" "its host has characters that no host may have, and is left out",
    HostKeptAsWritten "host-kept-as-written" "its host is neither a valid domain name nor an address, and is kept as written",
    PortInvalid "port-invalid" "its port is not a number up to 65535, and is left out",
    Userinfo "userinfo" "a user name or password stands before its host, and is left out",
    Fragment "fragment" "a fragment follows, which no server sees and which is left out",
    IpAddress "ip-address" "its host is an address, which has no domain",
    EmptyLabel "empty-label" "its host has an empty label, so that no domain is told",
    LongLabel "long-label" "a label of its host has more than 63 octets; no domain is told if it is that of the domain",
    UnlistedSuffix "unlisted-suffix" "the public suffix list does not know how its host ends, so that no domain is told",
    HostIsSuffix "host-is-suffix" "its host is a public suffix itself, below which domains are registered",
}

/// A set of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Oddities(u16);

impl Oddities {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether one is among them.
    #[must_use]
    pub fn contains(self, oddity: Oddity) -> bool {
        self.0 & (1 << oddity as u16) != 0
    }

    /// All of them, in the order of the catalogue.
    pub fn iter(self) -> impl Iterator<Item = Oddity> {
        Oddity::ALL.iter().copied().filter(move |oddity| self.contains(*oddity))
    }

    pub(super) fn insert(&mut self, oddity: Oddity) {
        self.0 |= 1 << oddity as u16;
    }

    pub(super) fn insert_if(&mut self, is_so: bool, oddity: Oddity) {
        if is_so {
            self.insert(oddity);
        }
    }

    pub(super) fn union(self, others: Oddities) -> Oddities {
        Oddities(self.0 | others.0)
    }
}

impl std::fmt::Debug for Oddities {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.iter().map(Oddity::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_fit_and_are_told_apart() {
        assert!(Oddity::ALL.len() <= 16);
        for oddity in Oddity::ALL {
            let mut set = Oddities::default();
            set.insert(*oddity);
            assert_eq!(set.iter().collect::<Vec<_>>(), [*oddity], "{}", oddity.text());
        }
    }
}
