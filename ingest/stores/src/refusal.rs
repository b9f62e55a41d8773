//! Why an object was not fetched, and whether to try again.

use crate::location::StoreKind;
use crate::service::{Answer, Note};
use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why an object was not fetched. Its text holds no URL and no secret.
#[derive(Debug, Clone)]
pub struct FetchError {
    /// What kind of reason.
    pub kind: FetchErrorKind,
    text: String,
}

/// Kinds of reasons why an object was not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// It could not be read.
    Unread,
    /// It has changed while it was read.
    Changed,
    /// Its host refuses requests, so that no more are made.
    GivenUp,
    /// The run is stopped.
    Stopped,
}

impl FetchError {
    pub(crate) fn new(kind: FetchErrorKind, text: impl fmt::Display) -> Self {
        FetchError { kind, text: text.to_string() }
    }

    pub(crate) fn unread(text: impl fmt::Display) -> Self {
        FetchError::new(FetchErrorKind::Unread, text)
    }

    pub(crate) fn stopped() -> Self {
        FetchError::new(FetchErrorKind::Stopped, "stopped")
    }

    pub(crate) fn unanswered() -> Self {
        FetchError::unread("nothing was fetched")
    }

    /// The reason of an error of reading, if it is one of these.
    #[must_use]
    pub fn kind_of(error: &io::Error) -> Option<FetchErrorKind> {
        error.get_ref()?.downcast_ref::<FetchError>().map(|error| error.kind)
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Error for FetchError {}

impl From<FetchError> for io::Error {
    fn from(error: FetchError) -> Self {
        io::Error::other(error)
    }
}

/// Why a request did not give what it asked for.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) text: String,
    /// What the user can do about it; it follows the text.
    pub(crate) hint: &'static str,
    pub(crate) next: Next,
}

/// What to do after a request that did not give what it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// To leave it: the answer will be the same.
    Leave,
    /// To leave it, since the object is another one now.
    LeaveChanged,
    /// To try again after a wait.
    Retry,
    /// To hold back all requests to the host, as long as it asks for, and then to try again.
    SlowDown(Option<Duration>),
}

impl Refusal {
    pub(crate) fn new(next: Next, text: impl fmt::Display) -> Self {
        Refusal { text: text.to_string(), hint: "", next }
    }

    fn with_hint_at_credentials(self, kind: StoreKind) -> Self {
        Refusal { hint: hint_at_credentials(kind), ..self }
    }

    pub(crate) fn changed() -> Self {
        Refusal::new(Next::LeaveChanged, "it has changed while it was read")
    }

    /// Judges the error of a request by what came back.
    pub(crate) fn judge(note: &Note, kind: StoreKind, error: &(dyn Error + 'static)) -> Self {
        match note.answer() {
            Some(answer) => judge_answer(&answer, kind, error),
            None if !note.has_left() => {
                Refusal::new(Next::Retry, format_args!("no request was made: {}", deepest(error)))
                    .with_hint_at_credentials(kind)
            }
            None => {
                let cause = deepest(error);
                // Neither a name nor a certificate gets better within minutes.
                let next = if cause.contains("certificate") { Next::Leave } else { Next::Retry };
                Refusal::new(next, format_args!("no answer came: {cause}"))
            }
        }
    }
}

fn judge_answer(answer: &Answer, kind: StoreKind, error: &(dyn Error + 'static)) -> Refusal {
    let status = match code(error) {
        Some(code) => format!("{} {code}", answer.status),
        None => answer.status.to_string(),
    };
    match answer.status {
        200..=299 => {
            Refusal::new(Next::Retry, format_args!("the answer is not what was asked for: {}", deepest(error)))
        }
        300..=399 => Refusal::new(
            Next::Leave,
            match &answer.region {
                Some(region) => format!("its bucket is elsewhere ({status}): set AWS_REGION={region}"),
                None => format!("it is elsewhere ({status})"),
            },
        ),
        // Of a missing object and of denied access the store itself speaks, through CloudFront, too.
        403 if answer.is_by_cloudfront => Refusal::new(
            Next::SlowDown(answer.retry_after),
            format_args!("CloudFront blocks requests from here for some minutes ({status}), as it does after too many"),
        ),
        404 | 410 => Refusal::new(Next::Leave, format_args!("there is no such object ({status})")),
        401 | 403 => {
            Refusal::new(Next::Leave, format_args!("access is denied ({status})")).with_hint_at_credentials(kind)
        }
        412 | 416 => Refusal::changed(),
        429 | 503 => Refusal::new(
            Next::SlowDown(answer.retry_after),
            format_args!("the server has too many requests ({status})"),
        ),
        408 | 500..=599 => {
            let next = if answer.retry_after.is_some() { Next::SlowDown(answer.retry_after) } else { Next::Retry };
            Refusal::new(next, format_args!("the server failed ({status})"))
        }
        _ => Refusal::new(Next::Leave, format_args!("the server refused ({status})")),
    }
}

fn hint_at_credentials(kind: StoreKind) -> &'static str {
    match kind {
        StoreKind::S3 => {
            "; keys are taken from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not from profiles, and \
             AWS_SKIP_SIGNATURE=true reads a public bucket without"
        }
        StoreKind::Gcs => {
            "; an account is taken from GOOGLE_APPLICATION_CREDENTIALS, and GOOGLE_SKIP_SIGNATURE=true reads a public \
             bucket without"
        }
        StoreKind::Azure => {
            "; an account is taken from AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, and \
             AZURE_SKIP_SIGNATURE=true reads a public container without"
        }
        StoreKind::Http => "",
    }
}

/// The status in an error whose answer was not noted, as those of lists.
fn status_of(error: &object_store::Error) -> Option<u16> {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    match error {
        Unauthenticated { .. } => Some(401),
        PermissionDenied { .. } => Some(403),
        NotFound { .. } => Some(404),
        // Of a list, no kind is told.
        _ => deepest(error).split_once(STATUS)?.1.get(..3)?.parse().ok(),
    }
}

/// What the crate `object_store` writes before a status.
const STATUS: &str = "non-2xx status code: ";

/// Whether another try would fail, too.
pub(crate) fn is_final(error: &object_store::Error) -> bool {
    status_of(error).is_some_and(|status| (300..500).contains(&status) && status != 408 && status != 429)
}

/// What is told of such an error.
pub(crate) fn told(kind: StoreKind, error: &object_store::Error) -> String {
    let code = code(error).map(|code| format!(" {code}")).unwrap_or_default();
    match status_of(error) {
        Some(status @ (401 | 403)) => format!("access is denied ({status}{code}){}", hint_at_credentials(kind)),
        Some(404) => format!("there is nothing of this name (404{code})"),
        Some(status) => format!("the server refused ({status}{code})"),
        None => deepest(error),
    }
}

/// The code of an error of S3, Google or Azure, such as `SlowDown`. The rest of such an error can hold a key and a
/// signature, and is not shown.
fn code(error: &(dyn Error + 'static)) -> Option<String> {
    let text = error.to_string();
    let (_, behind) = text.split_once("<Code>")?;
    let (code, _) = behind.split_once("</Code>")?;
    let is_code = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_code.then(|| code.to_owned())
}

/// The first cause of an error. What is above it repeats the URL.
pub(crate) fn deepest(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    let line = text.lines().next().unwrap_or_default();
    // No page that somebody sent, and no document with keys in it.
    match line.find('<') {
        Some(at) => line.get(..at).unwrap_or_default().trim_end().to_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Told(&'static str);

    impl fmt::Display for Told {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }
    }

    impl Error for Told {}

    #[track_caller]
    fn check(answer: &Answer, told: &'static str, next: Next, expected: &str) {
        let refusal = judge_answer(answer, StoreKind::Http, &Told(told));
        assert_eq!((refusal.next, refusal.text.as_str()), (next, expected));
    }

    #[test]
    fn answers_are_judged_by_status_and_by_who_gives_them() {
        let status = |status| Answer { status, ..Answer::default() };
        let block = Answer { is_by_cloudfront: true, ..status(403) };
        let blocked = "CloudFront blocks requests from here for some minutes (403), as it does after too many";
        check(&block, "", Next::SlowDown(None), blocked);
        check(&status(403), "<Code>AccessDenied</Code>", Next::Leave, "access is denied (403 AccessDenied)");
        check(&status(404), "", Next::Leave, "there is no such object (404)");
        check(&status(412), "", Next::LeaveChanged, "it has changed while it was read");
        check(&status(500), "", Next::Retry, "the server failed (500)");
        let wait = Some(Duration::from_secs(7));
        let busy = Answer { retry_after: wait, ..status(503) };
        let too_many = "the server has too many requests (503 SlowDown)";
        check(&busy, "a <Code>SlowDown</Code> b", Next::SlowDown(wait), too_many);
        let elsewhere = Answer { region: Some("eu-west-1".to_owned()), ..status(301) };
        check(&elsewhere, "", Next::Leave, "its bucket is elsewhere (301): set AWS_REGION=eu-west-1");
    }

    #[test]
    fn nothing_but_the_code_of_an_error_is_told() {
        let told = "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKIASECRET</AWSAccessKeyId></Error>";
        let answer = Answer { status: 403, ..Answer::default() };
        check(&answer, told, Next::Leave, "access is denied (403 SignatureDoesNotMatch)");
        assert_eq!(deepest(&Told("broken: <html>secret</html>\nmore")), "broken:");
        assert_eq!(code(&Told("<Code>\u{1b}[31m</Code>")), None);
    }
}
