//! Why a record is not a capture.

use crate::archive::RecordType;
use crate::reasons::catalogue;
use crate::secret_digest::SecretDigest;
use crate::site::UrlParts;
use std::collections::HashSet;

catalogue! {
    /// Why a record is not a capture. The names never change.
    Skip {
        Request "request" "it is a request",
        Metadata "metadata" "it is metadata about another record",
        Warcinfo "warcinfo" "it describes the archive",
        Conversion "conversion" "it is another record, converted to another format",
        Continuation "continuation" "it continues a record that was split; the two are not joined",
        TypeUnknown "type-unknown" "it has no type, or a type that the WARC standard does not define",
        TargetMissing "target-missing" "it has no target URL",
        TargetTooLong "target-too-long" "its target URL is longer than 64 KiB",
        NotHttp "not-http" "its type is response or revisit, but its target is neither http nor https: dns, ftp",
        RecordTooLarge "record-too-large" "it is longer than 64 MiB, in a member that is not damaged",
        Elsewhere "elsewhere" "its target is not /robots.txt. A response with another target counts if its archive is in a folder named robotstxt or was read with --all-responses, or if a capture before it in the archive redirects to it",
    }
}

/// The longest target, in bytes. A URL is split and normalised in memory, and none in use is as long.
pub const MOST_TARGET_BYTES: usize = robots::limits::VALUE_BYTES;

/// Which responses of an archive are captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// All of them, since all were fetched for a /robots.txt. Common Crawl's subset `robotstxt` is like that: the
    /// targets of redirects in it have other paths.
    Everything,
    /// Those whose target is /robots.txt, and those that they redirect to.
    RobotsTxt,
}

impl Takes {
    /// Decides by the name of an archive: archives of Common Crawl's subset have a folder `robotstxt` in their path.
    #[must_use]
    pub fn by_name(warc_filename: &str) -> Self {
        let mut folders = warc_filename.split('/').rev().skip(1);
        if folders.any(|folder| folder == "robotstxt") { Takes::Everything } else { Takes::RobotsTxt }
    }
}

/// Decides for each record of an archive, in their order, whether it is a capture. Only types, targets and redirects
/// decide, so that the second reader can use this too.
#[derive(Debug)]
pub struct CaptureChoice {
    takes: Takes,
    /// Digests of the addresses that captures redirect to. RFC 9309 § 2.3.1.2: the rules are at the end of the redirects.
    ahead: HashSet<u128>,
    most_ahead: usize,
    digest: SecretDigest,
    address: String,
}

/// How many addresses are remembered: as many as 36 MB have room for.
const MOST_AHEAD: usize = 7 << 18;

impl CaptureChoice {
    /// At the start of an archive.
    #[must_use]
    pub fn new(takes: Takes) -> Self {
        let (ahead, digest, address) = Default::default();
        CaptureChoice { takes, ahead, most_ahead: MOST_AHEAD, digest, address }
    }

    /// The parts of the target if a record is a capture, or the reason why it is not. The target is split only if it
    /// matters.
    ///
    /// A `response` or `revisit` needs a target with http or https. A `resource`, a file that was not fetched over HTTP,
    /// only needs the path /robots.txt.
    pub fn choose<'t>(&mut self, record_type: RecordType, target: Option<&'t [u8]>) -> Result<UrlParts<'t>, Skip> {
        let target = target_of(record_type, target)?;
        let is_capture = match record_type {
            RecordType::Resource => {
                let query = target.query.as_deref();
                target.path.as_deref().is_some_and(|path| robots::is_robots_txt(path, query))
            }
            _ if !matches!(target.protocol.as_deref(), Some("http" | "https")) => return Err(Skip::NotHttp),
            _ => self.takes == Takes::Everything || target.is_robots_txt() || self.is_ahead(&target),
        };
        if is_capture { Ok(target) } else { Err(Skip::Elsewhere) }
    }

    /// Remembers where a capture redirects to.
    pub fn redirected(&mut self, to: &str) {
        if self.takes == Takes::RobotsTxt && self.ahead.len() < self.most_ahead {
            self.ahead.insert(self.digest.digest(to.as_bytes()));
        }
    }

    fn is_ahead(&mut self, target: &UrlParts<'_>) -> bool {
        let UrlParts { protocol: Some(protocol), host_name: Some(host), port, path, query, .. } = target else {
            return false;
        };
        if self.ahead.is_empty() {
            return false;
        }
        let (port, path) = (port.map(i32::from), path.as_deref().unwrap_or_default());
        hosts::write_address(&mut self.address, protocol, host, port, path, query.as_deref());
        self.ahead.contains(&self.digest.digest(self.address.as_bytes()))
    }
}

/// The parts of the target of a record that may be a capture.
fn target_of(record_type: RecordType, target: Option<&[u8]>) -> Result<UrlParts<'_>, Skip> {
    match record_type {
        RecordType::Response | RecordType::Revisit | RecordType::Resource => {}
        RecordType::Request => return Err(Skip::Request),
        RecordType::Metadata => return Err(Skip::Metadata),
        RecordType::Warcinfo => return Err(Skip::Warcinfo),
        RecordType::Conversion => return Err(Skip::Conversion),
        RecordType::Continuation => return Err(Skip::Continuation),
        RecordType::Other => return Err(Skip::TypeUnknown),
    }
    let target = target.ok_or(Skip::TargetMissing)?;
    if target.len() > MOST_TARGET_BYTES {
        return Err(Skip::TargetTooLong);
    }
    Ok(UrlParts::split(target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Record;

    #[track_caller]
    fn check(record_type: &str, target: &str, takes: Takes, expected: Option<Skip>) {
        let text = format!("WARC/1.0\r\nWARC-Type: {record_type}\r\n{target}Content-Length: 0\r\n\r\n\r\n\r\n");
        let (record, _) = Record::read(text.as_bytes()).unwrap();
        let found = CaptureChoice::new(takes).choose(record.record_type, record.target_uri).err();
        assert_eq!(found, expected, "{record_type} {target}");
    }

    #[test]
    fn what_is_a_capture() {
        let uri = |uri: &str| format!("WARC-Target-URI: {uri}\r\n");
        let robots = uri("https://a.example/robots.txt");
        let page = uri("https://a.example/");
        for record_type in ["response", "revisit", "resource"] {
            check(record_type, &robots, Takes::RobotsTxt, None);
            check(record_type, &page, Takes::RobotsTxt, Some(Skip::Elsewhere));
            check(record_type, "", Takes::Everything, Some(Skip::TargetMissing));
        }
        check("response", &page, Takes::Everything, None);
        check("revisit", &page, Takes::Everything, None);
        check("resource", &page, Takes::Everything, Some(Skip::Elsewhere));
        check("resource", &uri("file:///srv/robots.txt"), Takes::RobotsTxt, Some(Skip::Elsewhere));
        check("resource", &uri("ftp://a.example/robots.txt"), Takes::RobotsTxt, None);
        check("resource", &uri("https://a.example/robots.txt?x"), Takes::RobotsTxt, Some(Skip::Elsewhere));
        check("response", &uri("dns:a.example"), Takes::Everything, Some(Skip::NotHttp));
        check("response", &uri("https://a.example/robots.txt?x"), Takes::RobotsTxt, Some(Skip::Elsewhere));
        check("request", &robots, Takes::Everything, Some(Skip::Request));
        check("warcinfo", "", Takes::Everything, Some(Skip::Warcinfo));
        check("metadata", &robots, Takes::Everything, Some(Skip::Metadata));
        check("conversion", &robots, Takes::Everything, Some(Skip::Conversion));
        check("continuation", &robots, Takes::Everything, Some(Skip::Continuation));
        check("reponse", &robots, Takes::Everything, Some(Skip::TypeUnknown));
        let long = |bytes: usize| uri(&format!("https://a.example/{}", "a".repeat(bytes - 18)));
        check("response", &long(MOST_TARGET_BYTES), Takes::Everything, None);
        check("response", &long(MOST_TARGET_BYTES + 1), Takes::Everything, Some(Skip::TargetTooLong));
    }

    /// RFC 9309 § 2.3.1.2: crawlers follow redirects, "even across authorities".
    #[test]
    fn the_target_of_a_redirect_is_a_capture() {
        let mut choice = CaptureChoice::new(Takes::RobotsTxt);
        let of = |choice: &mut CaptureChoice, target: &str| {
            choice.choose(RecordType::Response, Some(target.as_bytes())).err()
        };
        assert_eq!(
            of(&mut choice, "http://b.example/rules?v=1"),
            Some(Skip::Elsewhere),
            "it comes before the redirect"
        );
        choice.redirected("http://b.example/rules?v=1");
        choice.redirected("https://b.example/");
        for target in [
            "http://b.example/rules?v=1",
            "http://B.example:80/rules?v=1",
            "https://b.example",
            "https://b.example:443/",
        ] {
            assert_eq!(of(&mut choice, target), None, "{target}");
        }
        for target in ["https://b.example/rules?v=1", "http://b.example/rules", "http://b.example:8080/rules?v=1"] {
            assert_eq!(of(&mut choice, target), Some(Skip::Elsewhere), "{target}");
        }
        let resource = choice.choose(RecordType::Resource, Some(b"https://b.example/"));
        assert_eq!(resource.err(), Some(Skip::Elsewhere), "it was not fetched over HTTP");
        // The set does not grow without end.
        choice.most_ahead = choice.ahead.len();
        choice.redirected("https://c.example/");
        assert_eq!(of(&mut choice, "https://c.example/"), Some(Skip::Elsewhere));
        assert_eq!(of(&mut choice, "https://b.example/"), None);
    }

    #[test]
    fn a_folder_name_identifies_the_subset() {
        let check = |name: &str, expected| assert_eq!(Takes::by_name(name), expected, "{name}");
        check("crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz", Takes::Everything);
        check("robotstxt/a.warc.gz", Takes::Everything);
        check("crawl-data/CC-MAIN-2024-22/segments/1/warc/a.warc.gz", Takes::RobotsTxt);
        check("robotstxt.warc.gz", Takes::RobotsTxt);
        check("a/robotstxt", Takes::RobotsTxt);
    }
}
