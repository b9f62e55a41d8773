//! The facts that the readers of this project find in an archive.

use ingest::answer::{AnswerRemark, Decoder, Field};
use ingest::archive::{self, Account, Cause, RecordRemark, RecordType, Workshop};
use ingest::rows::Sha1Base32;
use ingest::site::{self, UrlParts, redirect_target};
use robots::{AccessResult, BodyKind, Encoding};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A record or damage.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundRecord {
    /// The type and the target of a record.
    pub(crate) what: String,
    /// The remarks on it, and damage that is part of its source: bytes before it in its member. For damage, its cause.
    pub(crate) remarks: BTreeSet<String>,
    /// The facts that it is an example for.
    pub(crate) facts: Vec<String>,
}

/// The records and damage of an archive, in its order.
pub(crate) fn found(bytes: &[u8]) -> (Vec<FoundRecord>, Account) {
    let (mut all, mut decoder) = (Vec::new(), Decoder::default());
    let mut stray = None;
    let account = archive::read(std::io::Cursor::new(bytes), &mut Workshop::default(), |found| {
        match found {
            archive::RecordOrDamage::Record(record, _) => {
                let mut found = describe_record(&record, &mut decoder);
                found.remarks.extend(stray.take());
                all.push(found);
            }
            archive::RecordOrDamage::Damage(damage) => {
                let cause = damage.cause.name().to_owned();
                if damage.cause == Cause::Stray {
                    stray = Some(cause);
                } else {
                    let remarks = BTreeSet::from([cause]);
                    all.push(FoundRecord { what: "damage".to_owned(), remarks, facts: Vec::new() });
                }
            }
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    (all, account)
}

fn describe_record(record: &archive::Record<'_>, decoder: &mut Decoder) -> FoundRecord {
    let mut remarks: BTreeSet<String> = record.remarks.iter().map(|remark| remark.name().to_owned()).collect();
    let mut facts = vec![record.record_type.name().to_owned()];
    if let Some(target) = record.target_uri {
        remarks.extend(UrlParts::split(target).remarks.iter().map(|remark| remark.name().to_owned()));
    }
    if record.record_type == RecordType::Response {
        let answer = decoder.answer(record.block);
        remarks.extend(answer.remarks().iter().map(|remark| remark.name().to_owned()));
        // The generator wrote the digest of the body before it encoded or damaged the body.
        if let Some(digest) = record.payload_digest.filter(|_| remarks.is_empty()) {
            let found = format!("sha1:{}", Sha1Base32::digest(answer.body.bytes).as_str());
            assert_eq!(found.as_bytes(), digest, "{record:?}");
        }
        let parsed = robots::parse(answer.body.bytes);
        facts.push(parsed.facts.kind.name().to_owned());
        facts.push(parsed.facts.encoding.name().to_owned());
        facts.push(format!("lines end in {}", parsed.facts.line_endings.name()));
        facts.push(AccessResult::from_status(answer.head.status).name().to_owned());
        if let Some(location) = answer.head.first(Field::Location)
            && let Err(reason) = redirect_target("http://example.com/robots.txt", &location)
        {
            remarks.insert(reason.name().to_owned());
        }
    }
    let written_type = if record.record_type == RecordType::Other {
        String::from_utf8_lossy(record.written_type).into_owned()
    } else {
        record.record_type.name().to_owned()
    };
    let target = UrlParts::split(record.target_uri.unwrap_or_default()).url.into_owned();
    FoundRecord { what: format!("{written_type} {target}"), remarks, facts }
}

/// Everything that the readers name.
pub(crate) fn all() -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    all.extend(Cause::ALL.iter().map(|cause| cause.name()));
    all.extend(RecordRemark::ALL.iter().map(|remark| remark.name()));
    all.extend(AnswerRemark::ALL.iter().map(|remark| remark.name()));
    all.extend(site::TargetRemark::ALL.iter().map(|remark| remark.name()));
    all.extend(site::Unresolved::ALL.iter().map(|reason| reason.name()));
    all.extend(RecordType::ALL.map(RecordType::name));
    all.extend(BodyKind::WORDS);
    all.extend(Encoding::WORDS);
    all.extend(AccessResult::WORDS);
    all.extend(["lines end in none", "lines end in lf", "lines end in crlf", "lines end in cr", "lines end in mixed"]);
    all
}
