//! The frequent records that RFC 9309 does not define, § 2.2.4.

use crate::violation::Code;

macro_rules! extensions {
    ($($(#[$doc:meta])* $variant:ident $code:ident $name:literal $(or $alias:literal)*,)*) => {
        /// The frequent records that RFC 9309 does not define.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Extension {
            $($(#[$doc])* $variant,)*
            /// Any other record.
            Unknown,
        }

        impl Extension {
            /// The record with this key, in any case.
            pub(crate) fn from_key(key: &[u8]) -> Extension {
                match key.len() {
                    $(len if len == $name.len() && key.eq_ignore_ascii_case($name.as_bytes()) => Extension::$variant,)*
                    $($(len if len == $alias.len() && key.eq_ignore_ascii_case($alias.as_bytes()) => Extension::$variant,)*)*
                    _ => Extension::Unknown,
                }
            }

            /// Its name in the column `records.record`; `None` for an unknown record.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Extension::$variant => Some($name),)*
                    Extension::Unknown => None,
                }
            }

            /// The violation of a line with it.
            pub(crate) fn code(self) -> Code {
                match self {
                    $(Extension::$variant => Code::$code,)*
                    Extension::Unknown => Code::ExtUnknown,
                }
            }

            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

extensions! {
    /// `sitemap`, sitemaps.org.
    Sitemap ExtSitemap "sitemap",
    /// `crawl-delay`, seconds between two requests.
    CrawlDelay ExtCrawlDelay "crawl-delay",
    /// `host`, the preferred name of a site (Yandex, formerly).
    Host ExtHost "host",
    /// `clean-param` (Yandex).
    CleanParam ExtCleanParam "clean-param",
    /// `noindex`. crawler-commons reads `no-index`, too (1.7 of 2026, #569).
    Noindex ExtNoindex "noindex" or "no-index",
    /// `nofollow`.
    Nofollow ExtNofollow "nofollow",
    /// `noarchive`.
    Noarchive ExtNoarchive "noarchive",
    /// `request-rate`, of the extended standard.
    RequestRate ExtRequestRate "request-rate",
    /// `visit-time`, of the extended standard.
    VisitTime ExtVisitTime "visit-time",
    /// `robot-version`, of the extended standard.
    RobotVersion ExtRobotVersion "robot-version",
    /// `comment`, of the extended standard.
    Comment ExtComment "comment",
    /// `content-signal`, a preference on use, by Cloudflare.
    ContentSignal ExtContentSignal "content-signal",
    /// `content-usage`, a preference on use, by the IETF's AIPREF group.
    ContentUsage ExtContentUsage "content-usage",
    /// `user-agent-purpose`. By draft-illyes-rep-purpose-00 it starts a group for all crawlers of a purpose.
    UserAgentPurpose ExtUserAgentPurpose "user-agent-purpose",
    /// `license`, Really Simple Licensing.
    License ExtLicense "license",
    /// `llms`, a pointer to an llms.txt. crawler-commons reads `llm-policy` (2026-06-30, #569).
    Llms ExtLlms "llms" or "llm-policy",
    /// `acap-…`, any record of the Automated Content Access Protocol.
    Acap ExtAcap "acap",
}
