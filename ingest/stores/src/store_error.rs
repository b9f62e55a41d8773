//! What an error of the crate `object_store` says: its status, its code and its root cause.

use std::error::Error;

/// The status in an error of a request that has no note.
pub(crate) fn status_of(error: &object_store::Error) -> Option<u16> {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    match error {
        Unauthenticated { .. } => Some(401),
        PermissionDenied { .. } => Some(403),
        NotFound { .. } => Some(404),
        // The error has no kind, only text.
        _ => match root_cause(error).split_once(STATUS) {
            Some((_, status)) => status.get(..3)?.parse().ok(),
            None => stated_code(&error.to_string())?.parse().ok(),
        },
    }
}

/// The status of requests that a store refuses with a code.
pub(crate) fn status_for(code: &str) -> u16 {
    match code {
        "AccessDenied" | "AllAccessDisabled" => 403,
        "NoSuchKey" => 404,
        "ServiceUnavailable" | "SlowDown" => 503,
        _ => WITHIN_RESPONSE,
    }
}

/// The status that stands for an error within a response with status 200. (docs.aws.amazon.com, "CopyObject": "A copy
/// request might return an error when Amazon S3 receives the copy request or while Amazon S3 is copying the files.")
pub(crate) const WITHIN_RESPONSE: u16 = 500;

/// The text that the crate `object_store` writes before a status.
const STATUS: &str = "non-2xx status code: ";

/// The code in an error of S3, Google or Azure, such as `SlowDown`. The rest of such an error may contain a key and a
/// signature, and is not shown.
pub(crate) fn code(error: &(dyn Error + 'static)) -> Option<String> {
    let text = error.to_string();
    let code = match text.split_once("<Code>") {
        Some((_, after)) => after.split_once("</Code>")?.0,
        None => stated_code(&text)?,
    };
    // Azure states the status.
    let is_code = code.len() <= 64
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && code.starts_with(|first: char| first.is_ascii_alphabetic());
    is_code.then(|| code.to_owned())
}

/// The code at the end of the text of the crate `object_store` for an object that was not deleted. Before it is the
/// message of the store.
fn stated_code(text: &str) -> Option<&str> {
    text.rsplit_once("(code: ")?.1.strip_suffix(')')
}

/// The root cause of an error. The errors above it repeat the URL.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    let line = text.lines().next().unwrap_or_default();
    // Cuts off markup: it may be a page from outside, or a document with keys.
    match line.find('<') {
        Some(at) => line.get(..at).unwrap_or_default().trim_end().to_owned(),
        None => line.to_owned(),
    }
}

/// The codes of S3 for an object that another request is changing, whether or not it exists.
const CONFLICTS: [&str; 2] = ["ConditionalRequestConflict", "OperationAborted"];

/// Whether a store refuses a request only because another one changes the same object.
pub(crate) fn is_conflict(error: &(dyn Error + 'static)) -> bool {
    code(error).is_some_and(|code| CONFLICTS.contains(&code.as_str()))
}
