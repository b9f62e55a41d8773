//! Why an object was not fetched, and whether to try again.

use crate::location::StoreKind;
use crate::service::{RequestNote, ResponseHead};
use crate::store_error::{WITHIN_RESPONSE, code, is_conflict, root_cause, status_for, status_of};
use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why an object was not fetched. Its text has no URL and no secret.
#[derive(Debug, Clone)]
pub struct FetchError {
    /// The kind of reason.
    pub kind: FetchErrorKind,
    text: String,
}

/// Kinds of reasons why an object was not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// The object could not be read.
    Unread,
    /// The object changed while it was read.
    Changed,
    /// Its host refuses all requests, or refused several objects in a row, so no more requests are made to it.
    GivenUp,
    /// The run was stopped.
    Stopped,
}

impl FetchError {
    pub(crate) fn new(kind: FetchErrorKind, text: impl fmt::Display) -> Self {
        FetchError { kind, text: text.to_string() }
    }

    pub(crate) fn unread(text: impl fmt::Display) -> Self {
        FetchError::new(FetchErrorKind::Unread, text)
    }

    pub(crate) fn given_up(text: impl fmt::Display) -> Self {
        FetchError::new(FetchErrorKind::GivenUp, text)
    }

    /// The same error with its consequence before it.
    pub(crate) fn because(self, what: &str) -> Self {
        FetchError { text: format!("{what}: {}", self.text), ..self }
    }

    pub(crate) fn stopped() -> Self {
        FetchError::new(FetchErrorKind::Stopped, "stopped")
    }

    pub(crate) fn unanswered() -> Self {
        FetchError::unread("nothing was fetched")
    }

    /// The kind of a `FetchError` inside an I/O error; `None` for any other error.
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

/// Why a request failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) text: String,
    /// Advice for the user, to append to the text.
    pub(crate) hint: &'static str,
    pub(crate) next: AfterRefusal,
}

/// The reaction to a failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterRefusal {
    /// Fail: another try would fail, too.
    Fail,
    /// Fail, and make no more requests to the host: it would refuse them all.
    GiveUp,
    /// Fail, because the object has changed.
    FailChanged,
    /// Try again after a wait.
    Retry,
    /// Hold back all requests to the host, for as long as it asks, and then try again.
    SlowDown(Option<Duration>),
}

impl Refusal {
    pub(crate) fn new(next: AfterRefusal, text: impl fmt::Display) -> Self {
        Refusal { text: text.to_string(), hint: "", next }
    }

    /// Classifies a failed request that has no note, such as a copy.
    pub(crate) fn judge_unnoted(_: &RequestNote, kind: StoreKind, error: &object_store::Error) -> Self {
        // For an error within a successful response, such as that to a deletion, only the code is known.
        let by_code = || code(error).map(|code| status_for(&code));
        match status_of(error).filter(|status| *status != WITHIN_RESPONSE).or_else(by_code) {
            Some(status) => judge_response(&ResponseHead { status, ..ResponseHead::default() }, kind, error),
            None => Refusal::new(AfterRefusal::Retry, root_cause(error)),
        }
    }

    /// Classifies a failed request that puts an object on a condition.
    pub(crate) fn judge_conditional(note: &RequestNote, kind: StoreKind, error: &object_store::Error) -> Self {
        let refusal = Refusal::judge(note, kind, error);
        match note.response() {
            Some(ResponseHead { status: 501, .. }) => {
                Refusal { hint: "; it lacks conditional writes, without which a bucket cannot have tables", ..refusal }
            }
            _ => refusal,
        }
    }

    fn with_credentials_hint(self, kind: StoreKind) -> Self {
        Refusal { hint: credentials_hint(kind), ..self }
    }

    pub(crate) fn changed() -> Self {
        Refusal::new(AfterRefusal::FailChanged, "it has changed while it was read")
    }

    /// Classifies a failed request by its response, or by the error if there is none.
    pub(crate) fn judge(note: &RequestNote, kind: StoreKind, error: &object_store::Error) -> Self {
        match note.response() {
            _ if matches!(error, object_store::Error::InvalidPath { .. }) => {
                Refusal::new(AfterRefusal::Fail, root_cause(error))
            }
            // A later request failed, which has no note, such as one with a piece of a large object.
            Some(ResponseHead { status: 200..=299, .. }) if status_of(error).is_some() => {
                Refusal::judge_unnoted(note, kind, error)
            }
            Some(response) => judge_response(&response, kind, error),
            None if !note.is_sent() => {
                Refusal::new(AfterRefusal::Retry, format_args!("no request was made: {}", root_cause(error)))
                    .with_credentials_hint(kind)
            }
            None => {
                let cause = root_cause(error);
                // A certificate does not get better within minutes.
                let next = if cause.contains("certificate") { AfterRefusal::Fail } else { AfterRefusal::Retry };
                Refusal::new(next, format_args!("no response came: {cause}"))
            }
        }
    }
}

fn judge_response(response: &ResponseHead, kind: StoreKind, error: &(dyn Error + 'static)) -> Refusal {
    let code = code(error);
    let status = match &code {
        Some(code) => format!("{} {code}", response.status),
        None => response.status.to_string(),
    };
    if kind != StoreKind::Http
        && let Some(refusal) = judge_bucket(response, code.as_deref(), &status)
    {
        return refusal;
    }
    if let Some(code) = code.filter(|code| REFUSED_BY_CODE.contains(&code.as_str())) {
        let refusal = Refusal::new(AfterRefusal::GiveUp, format_args!("access is denied ({status})"));
        return match code == TIME_TOO_SKEWED {
            true => Refusal { hint: "; set the clock of this machine", ..refusal },
            false => refusal.with_credentials_hint(kind),
        };
    }
    match response.status {
        200..=299 => {
            let cause = root_cause(error);
            match cause == WITHOUT_LENGTH {
                true => Refusal {
                    hint: "; use a copy on disk",
                    ..Refusal::new(AfterRefusal::Fail, "the server does not say how long it is")
                },
                false => {
                    Refusal::new(AfterRefusal::Retry, format_args!("the response is not what was asked for: {cause}"))
                }
            }
        }
        300..=399 => Refusal::new(AfterRefusal::Fail, format_args!("it is elsewhere ({status})")),
        // CloudFront itself sends 403 as a block. For a missing object or denied access, the store behind it responds.
        403 if response.is_by_cloudfront => Refusal::new(
            AfterRefusal::SlowDown(response.retry_after),
            format_args!("CloudFront blocks requests from here for some minutes ({status}), as it does after too many"),
        ),
        404 | 410 => Refusal::new(AfterRefusal::Fail, format_args!("there is no such object ({status})")),
        401 | 403 => {
            // A store has one set of credentials for all objects. A server may protect some of its folders.
            let refuses_all = response.status == 401 && kind != StoreKind::Http;
            let next = if refuses_all { AfterRefusal::GiveUp } else { AfterRefusal::Fail };
            Refusal::new(next, format_args!("access is denied ({status})")).with_credentials_hint(kind)
        }
        409 if is_conflict(error) => {
            Refusal::new(AfterRefusal::Retry, format_args!("another request changes it ({status})"))
        }
        412 | 416 => Refusal::changed(),
        429 | 503 => Refusal::new(
            AfterRefusal::SlowDown(response.retry_after),
            format_args!("the server has too many requests ({status})"),
        ),
        501 => Refusal::new(AfterRefusal::Fail, format_args!("the server does not support the request ({status})")),
        408 | 500..=599 => {
            let next = if response.retry_after.is_some() {
                AfterRefusal::SlowDown(response.retry_after)
            } else {
                AfterRefusal::Retry
            };
            Refusal::new(next, format_args!("the server failed ({status})"))
        }
        _ => Refusal::new(AfterRefusal::Fail, format_args!("the server refused ({status})")),
    }
}

/// Classifies a response that concerns the bucket and so all of its objects. `None` if it concerns one object.
/// (docs.aws.amazon.com, "Error responses"; learn.microsoft.com, "Blob Storage error codes")
fn judge_bucket(response: &ResponseHead, code: Option<&str>, status: &str) -> Option<Refusal> {
    let is_missing = matches!(code, Some("NoSuchBucket" | "ContainerNotFound"));
    let is_elsewhere = matches!(response.status, 300..=399) || code == Some(REGION_DIFFERS);
    let text = match &response.region {
        _ if is_missing => format!("there is no such bucket ({status})"),
        _ if !is_elsewhere => return None,
        Some(region) => format!("its bucket is elsewhere ({status}): set AWS_REGION={region}"),
        None => format!("its bucket may be elsewhere ({status}): set AWS_REGION to its region"),
    };
    Some(Refusal::new(AfterRefusal::GiveUp, text))
}

/// The code for a signature that was made for another region.
const REGION_DIFFERS: &str = "AuthorizationHeaderMalformed";

/// The codes of stores for requests that they refuse because of the credentials or the clock, whatever the object.
/// (docs.aws.amazon.com, "Error responses"; learn.microsoft.com, "Common REST API error codes")
const REFUSED_BY_CODE: [&str; 9] = [
    "AuthenticationFailed",
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidSecurity",
    "InvalidToken",
    "RequestExpired",
    TIME_TOO_SKEWED,
    "SignatureDoesNotMatch",
    "TokenRefreshRequired",
];

/// The code for a request whose time differs too much from that of the store.
const TIME_TOO_SKEWED: &str = "RequestTimeTooSkewed";

/// The text of the crate `object_store` for a response without a length.
const WITHOUT_LENGTH: &str = "Content-Length Header missing from response";

fn credentials_hint(kind: StoreKind) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct TestError(&'static str);

    impl fmt::Display for TestError {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }
    }

    impl Error for TestError {}

    #[track_caller]
    fn check(response: &ResponseHead, error: &'static str, next: AfterRefusal, expected: &str) {
        let refusal = judge_response(response, StoreKind::Http, &TestError(error));
        assert_eq!((refusal.next, refusal.text.as_str()), (next, expected));
    }

    #[test]
    fn responses_are_judged_by_status_and_server() {
        let status = |status| ResponseHead { status, ..ResponseHead::default() };
        let block = ResponseHead { is_by_cloudfront: true, ..status(403) };
        let blocked = "CloudFront blocks requests from here for some minutes (403), as it does after too many";
        check(&block, "", AfterRefusal::SlowDown(None), blocked);
        check(&status(403), "<Code>AccessDenied</Code>", AfterRefusal::Fail, "access is denied (403 AccessDenied)");
        check(&status(404), "", AfterRefusal::Fail, "there is no such object (404)");
        check(&status(412), "", AfterRefusal::FailChanged, "it has changed while it was read");
        check(&status(500), "", AfterRefusal::Retry, "the server failed (500)");
        check(&status(501), "", AfterRefusal::Fail, "the server does not support the request (501)");
        let wait = Some(Duration::from_secs(7));
        let busy = ResponseHead { retry_after: wait, ..status(503) };
        let too_many = "the server has too many requests (503 SlowDown)";
        check(&busy, "a <Code>SlowDown</Code> b", AfterRefusal::SlowDown(wait), too_many);
        check(&status(301), "", AfterRefusal::Fail, "it is elsewhere (301)");
    }

    /// A bucket is one host. On a server, other folders may be buckets, too.
    #[test]
    fn answers_about_a_bucket_concern_all_of_its_objects() {
        let check = |status: u16, region: Option<&str>, code: &'static str, expected: &str| {
            let response = ResponseHead { status, region: region.map(str::to_owned), ..ResponseHead::default() };
            let judge = |kind| judge_response(&response, kind, &TestError(code));
            let refusal = judge(StoreKind::S3);
            assert_eq!((refusal.next, refusal.text.as_str()), (AfterRefusal::GiveUp, expected));
            assert_eq!(judge(StoreKind::Http).next, AfterRefusal::Fail);
        };
        let eu = Some("eu-west-1");
        check(301, eu, "", "its bucket is elsewhere (301): set AWS_REGION=eu-west-1");
        check(301, None, "", "its bucket may be elsewhere (301): set AWS_REGION to its region");
        let malformed = "<Code>AuthorizationHeaderMalformed</Code>";
        let elsewhere = "its bucket is elsewhere (400 AuthorizationHeaderMalformed): set AWS_REGION=eu-west-1";
        check(400, eu, malformed, elsewhere);
        let elsewhere = "its bucket may be elsewhere (400 AuthorizationHeaderMalformed): set AWS_REGION to its region";
        check(400, None, malformed, elsewhere);
        check(404, None, "<Code>NoSuchBucket</Code>", "there is no such bucket (404 NoSuchBucket)");
        check(404, None, "<Code>ContainerNotFound</Code>", "there is no such bucket (404 ContainerNotFound)");
    }

    #[test]
    fn an_error_shows_only_its_code() {
        let error = "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKIASECRET</AWSAccessKeyId></Error>";
        let response = ResponseHead { status: 403, ..ResponseHead::default() };
        check(&response, error, AfterRefusal::GiveUp, "access is denied (403 SignatureDoesNotMatch)");
        assert_eq!(root_cause(&TestError("broken: <html>secret</html>\nmore")), "broken:");
        assert_eq!(code(&TestError("<Code>\u{1b}[31m</Code>")), None);
    }
}
