//! Real targets, from the archives below the folder that `ROBOCENSUS_CORPUS` names, read by the reader that this
//! project did not write. The fast path and the crate `url` agree on each, and nearly all targets take the fast path.

use crate::real_part::each_response;
use committed::full::is_full;
use ingest::site::{TargetRemark, UrlParts, redirect_target};
use std::borrow::Cow;
use std::collections::BTreeMap;
use url::Url;

#[test]
fn both_paths_agree_on_every_target() {
    let mut remarks: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut borrowed, mut redirects) = (0_u32, 0_u32);
    let targets = each_response(|archive, record| {
        let target = String::from_utf8_lossy(record.target.unwrap_or_default());
        let parts = UrlParts::split(target.as_bytes());
        assert_eq!(parts, UrlParts::by_url_crate(target.as_bytes()), "{} in {}", target, archive.display());
        assert_eq!(parts.url, target);
        for remark in parts.remarks.iter() {
            *remarks.entry(remark.name()).or_default() += 1;
        }
        borrowed += u32::from(matches!(parts.host_name, Some(Cow::Borrowed(_))));
        if let Some(location) = location(record.block) {
            let found = redirect_target(&target, location).ok();
            let location = std::str::from_utf8(location).unwrap();
            let base = Url::parse(&target);
            let resolved = base.map_or_else(|_| Url::parse(location), |base| base.join(location));
            let expected = resolved.ok().map(|mut url| {
                url.set_fragment(None);
                url.set_username("").unwrap();
                url.set_password(None).unwrap();
                let host = url.host_str().unwrap().trim_end_matches('.').to_owned();
                url.set_host(Some(&host)).unwrap();
                url.to_string()
            });
            match (&found, expected) {
                // The crate rejects the host, but a capture of it is kept.
                (Some(found), None) => {
                    let remarks = UrlParts::split(found.as_bytes()).remarks;
                    assert!(remarks.has(TargetRemark::HostKeptAsWritten), "{target}: {found}");
                }
                (None, None) => eprintln!("{target}: leads nowhere: {location:?}"),
                (_, expected) => {
                    assert_eq!(found, expected.map(Cow::Owned), "{} in {}", target, archive.display());
                }
            }
            redirects += 1;
        }
    });
    let Some(targets) = targets else { return };
    eprintln!("{targets} targets, {borrowed} by the fast path, {redirects} redirects, {remarks:?}");
    assert!(targets > if is_full() { 50_000 } else { 5_000 }, "the corpus is cut short: {targets} targets");
    assert!(borrowed > targets / 100 * 99, "{borrowed} of {targets} took the fast path");
}

fn location(body: &[u8]) -> Option<&[u8]> {
    let lines = body.split(|byte| *byte == b'\n').take_while(|line| line.len() > 1);
    let mut values = lines.filter_map(|line| {
        let (name, value) = line.split_at_checked("location:".len())?;
        name.eq_ignore_ascii_case(b"location:").then(|| value.trim_ascii())
    });
    values.next()
}
