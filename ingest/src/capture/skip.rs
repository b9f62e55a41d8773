//! Why a record is no capture.

use crate::archive::RecordType;
use crate::marks::catalogue;
use crate::site::Parts;

catalogue! {
    /// Why a record is no capture. Each has a name that stays.
    Skip {
        Request "request" "it is a request, which asks and does not answer",
        Metadata "metadata" "it is metadata of another record",
        Warcinfo "warcinfo" "it is about the archive",
        Conversion "conversion" "it is another form of another record",
        Continuation "continuation" "it is the rest of a record that was cut in two, and is not joined to it",
        TypeUnknown "type-unknown" "it has no type, or none that the standard of WARC knows",
        TargetMissing "target-missing" "it names no target",
        NotHttp "not-http" "it answers, and its target is not of HTTP: dns, ftp",
        RecordTooLarge "record-too-large" "it takes more than 64 MiB in a member that is whole, and was passed over",
        Elsewhere "elsewhere" "its target is not /robots.txt, and its archive is none of a robotstxt subset",
    }
}

/// What an archive's responses are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Every response is an answer to /robots.txt: what Common Crawl keeps apart as `robotstxt`. Targets of redirects
    /// live there under other paths.
    Everything,
    /// Those are whose target is /robots.txt.
    RobotsTxt,
}

impl Takes {
    /// By the name of an archive: those of Common Crawl's subset have a folder `robotstxt` in their path.
    #[must_use]
    pub fn by_name(warc_filename: &str) -> Self {
        let mut folders = warc_filename.split('/').rev().skip(1);
        if folders.any(|folder| folder == "robotstxt") { Takes::Everything } else { Takes::RobotsTxt }
    }
}

/// Why a record of a type and with a target is no capture, if it is none; else the parts of the target, which is read
/// only where that matters. Nothing else of a record has a say, so that whoever reads records can ask.
///
/// A `response` or `revisit` is one by its target, of HTTP; a `resource`, which is a file that was got otherwise, by the
/// path of its target alone.
pub fn skip_of(record_type: RecordType, target: Option<&[u8]>, takes: Takes) -> Result<Parts<'_>, Skip> {
    match record_type {
        RecordType::Response | RecordType::Revisit | RecordType::Resource => {}
        RecordType::Request => return Err(Skip::Request),
        RecordType::Metadata => return Err(Skip::Metadata),
        RecordType::Warcinfo => return Err(Skip::Warcinfo),
        RecordType::Conversion => return Err(Skip::Conversion),
        RecordType::Continuation => return Err(Skip::Continuation),
        RecordType::Other => return Err(Skip::TypeUnknown),
    }
    let target = Parts::split(target.ok_or(Skip::TargetMissing)?);
    let is_robots_txt = match record_type {
        RecordType::Resource => target.path.as_deref().is_some_and(crate::site::is_robots_txt),
        _ if !matches!(target.protocol.as_deref(), Some("http" | "https")) => return Err(Skip::NotHttp),
        _ => takes == Takes::Everything || target.is_robots_txt(),
    };
    if is_robots_txt { Ok(target) } else { Err(Skip::Elsewhere) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Record;

    #[track_caller]
    fn check(record_type: &str, target: &str, takes: Takes, expected: Option<Skip>) {
        let text = format!("WARC/1.0\r\nWARC-Type: {record_type}\r\n{target}Content-Length: 0\r\n\r\n\r\n\r\n");
        let (record, _) = Record::read(text.as_bytes()).unwrap();
        assert_eq!(skip_of(record.record_type, record.target_uri, takes).err(), expected, "{record_type} {target}");
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
        check("response", &uri("dns:a.example"), Takes::Everything, Some(Skip::NotHttp));
        check("response", &uri("https://a.example/robots.txt?x"), Takes::RobotsTxt, Some(Skip::Elsewhere));
        check("request", &robots, Takes::Everything, Some(Skip::Request));
        check("warcinfo", "", Takes::Everything, Some(Skip::Warcinfo));
        check("metadata", &robots, Takes::Everything, Some(Skip::Metadata));
        check("conversion", &robots, Takes::Everything, Some(Skip::Conversion));
        check("continuation", &robots, Takes::Everything, Some(Skip::Continuation));
        check("reponse", &robots, Takes::Everything, Some(Skip::TypeUnknown));
    }

    #[test]
    fn the_subset_is_told_by_a_folder() {
        let check = |name: &str, expected| assert_eq!(Takes::by_name(name), expected, "{name}");
        check("crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz", Takes::Everything);
        check("robotstxt/a.warc.gz", Takes::Everything);
        check("crawl-data/CC-MAIN-2024-22/segments/1/warc/a.warc.gz", Takes::RobotsTxt);
        check("robotstxt.warc.gz", Takes::RobotsTxt);
        check("a/robotstxt", Takes::RobotsTxt);
    }
}
