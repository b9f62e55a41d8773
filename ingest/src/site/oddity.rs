//! What can be remarkable about a target, declared once: each is the reason why some part of it is missing, or is not
//! what is written.

use crate::marks::{Marks, catalogue};
use hosts::Remarks;

catalogue! {
    /// One remark on a target. Each has a name that stays.
    TargetOddity {
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
}

/// A set of them.
pub type TargetOddities = Marks<TargetOddity>;

impl From<Remarks> for TargetOddities {
    fn from(remarks: Remarks) -> Self {
        let Remarks { is_address, has_empty_label, has_long_label, suffix_is_unlisted, is_suffix } = remarks;
        let mut oddities = TargetOddities::default();
        oddities.add_if(is_address, TargetOddity::IpAddress);
        oddities.add_if(has_empty_label, TargetOddity::EmptyLabel);
        oddities.add_if(has_long_label, TargetOddity::LongLabel);
        oddities.add_if(suffix_is_unlisted, TargetOddity::UnlistedSuffix);
        oddities.add_if(is_suffix, TargetOddity::HostIsSuffix);
        oddities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_told_apart() {
        for oddity in TargetOddity::ALL {
            let mut set = TargetOddities::default();
            set.add(*oddity);
            assert_eq!(set.iter().collect::<Vec<_>>(), [*oddity], "{}", oddity.text());
        }
    }
}
