//! Remarks on a target: why a part of it is missing, or differs from what is written.

use crate::reasons::{Reasons, catalogue};
use hosts::Remarks;

catalogue! {
    /// A remark on a target. The names never change.
    TargetRemark {
    AngleBrackets "angle-brackets" "it has angle brackets around it, as the grammar of WARC 1.0 required",
    ControlOrBlank "control-or-blank" "it has blanks or control characters around it or in it",
    NotUtf8 "not-utf8" "some octets are not UTF-8; they appear percent-encoded",
    NoHost "no-host" "it names no host",
    HostInvalid "host-invalid" "its host has invalid characters; the host is left out",
    HostKeptAsWritten "host-kept-as-written" "its host is neither a valid domain name nor an address; it is kept as written",
    PortInvalid "port-invalid" "its port is not a number up to 65535; the host and the port are left out",
    Userinfo "userinfo" "it has a user name or password before its host, which is left out",
    Fragment "fragment" "it has a fragment, which is never sent to a server; it is left out",
    IpAddress "ip-address" "its host is an IP address, which has no domain",
    EmptyLabel "empty-label" "its host has an empty label; it gets no domain",
    LongLabel "long-label" "a label of its host has more than 63 octets; it gets no domain if that label is right before the suffix",
    UnlistedSuffix "unlisted-suffix" "the public suffix list has no rule for the end of its host; it gets no domain",
    HostIsSuffix "host-is-suffix" "its host is a public suffix, below which domains are registered",
    }
}

/// A set of remarks on a target.
pub type TargetRemarks = Reasons<TargetRemark>;

impl From<Remarks> for TargetRemarks {
    fn from(host: Remarks) -> Self {
        let Remarks { is_address, has_empty_label, has_long_label, suffix_is_unlisted, is_suffix } = host;
        let mut remarks = TargetRemarks::default();
        remarks.add_if(is_address, TargetRemark::IpAddress);
        remarks.add_if(has_empty_label, TargetRemark::EmptyLabel);
        remarks.add_if(has_long_label, TargetRemark::LongLabel);
        remarks.add_if(suffix_is_unlisted, TargetRemark::UnlistedSuffix);
        remarks.add_if(is_suffix, TargetRemark::HostIsSuffix);
        remarks
    }
}
