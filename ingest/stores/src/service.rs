//! The HTTP client below the crate `object_store`: it counts each request and notes its response.

use crate::chunks::Chunks;
use crate::pace::Pace;
use crate::store_error::WITHIN_RESPONSE;
use async_trait::async_trait;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};
use parking_lot::Mutex;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

/// How many bytes of an error response are read.
const ERROR_BYTES: usize = 16 << 10;

/// The slowest connection on which a body can be sent before its timeout, in bytes per second.
const SLOWEST_BYTES_PER_SECOND: u64 = 64 << 10;

/// Makes clients whose requests are counted.
#[derive(Debug)]
pub(crate) struct NotingConnector {
    pub(crate) pace: Arc<Pace>,
    /// The timeout for the head of a response.
    pub(crate) stall: Duration,
    /// The server of the objects, once a request with a note was sent to it.
    pub(crate) server: Arc<OnceLock<String>>,
}

impl HttpConnector for NotingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        let NotingConnector { pace, stall, server } = self;
        Ok(HttpClient::new(NotingService { client, pace: Arc::clone(pace), stall: *stall, server: Arc::clone(server) }))
    }
}

#[derive(Debug)]
struct NotingService {
    client: HttpClient,
    pace: Arc<Pace>,
    stall: Duration,
    server: Arc<OnceLock<String>>,
}

impl NotingService {
    /// Counts a request if it goes to the server of the objects, and returns whether it does. The crate `object_store`
    /// drops the notes of copies, deletions and pieces, but every command lists or reads before. Requests for
    /// credentials have no note either, and go to another server.
    fn count(&self, request: &HttpRequest, note: Option<&RequestNote>) -> bool {
        let server = request.uri().authority().map_or("", |authority| authority.as_str());
        let is_of_object = match note {
            Some(note) => {
                note.is_sent.store(true, Ordering::Relaxed);
                self.server.get_or_init(|| server.to_owned());
                true
            }
            None => self.server.get().is_some_and(|known| known == server),
        };
        if is_of_object {
            self.pace.count();
        }
        is_of_object
    }
}

#[async_trait]
impl HttpService for NotingService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let note = request.extensions().get::<Arc<RequestNote>>().cloned();
        let is_of_object = self.count(&request, note.as_deref());
        let sent_in = Duration::from_secs(request.body().content_length() as u64 / SLOWEST_BYTES_PER_SECOND);
        let most = self.stall + sent_in;
        let answered = tokio::time::timeout(most, self.client.execute(request)).await;
        let response = answered.unwrap_or_else(|_| Err(stalled(format!("nothing came for {most:?}"))))?;
        if is_of_object {
            self.pace.answered();
        }
        let is_streamed = note.as_ref().is_some_and(|note| note.is_streamed);
        if let Some(note) = note {
            *note.response.lock() = Some(ResponseHead::read(&response));
        }
        match response.status().is_success() {
            false => Ok(with_short_body(response, self.stall).await),
            true if is_streamed => Ok(response),
            true => with_whole_body(response, self.stall).await,
        }
    }
}

/// The error for a response that does not come, or too slowly.
fn stalled(cause: String) -> HttpError {
    HttpError::new(HttpErrorKind::Timeout, io::Error::new(io::ErrorKind::TimedOut, cause))
}

/// The response with the start of its body, which gives the reason. The crate `object_store` would read all of it,
/// however long.
async fn with_short_body(response: HttpResponse, stall: Duration) -> HttpResponse {
    let (head, body) = response.into_parts();
    let mut chunks = Chunks::new(body.bytes_stream(), stall);
    let mut kept = Vec::new();
    while kept.len() < ERROR_BYTES {
        match chunks.next().await {
            Ok(Some(Ok(bytes))) => kept.extend_from_slice(bytes.get(..ERROR_BYTES).unwrap_or(&bytes)),
            Ok(None | Some(Err(_))) | Err(_) => break,
        }
    }
    HttpResponse::from_parts(head, String::from_utf8_lossy(&kept).into_owned().into())
}

/// The response with its whole body, such as a page of a list. The crate `object_store` would wait for it without a
/// timeout. It takes most errors after status 200 for success, so they get another status here.
async fn with_whole_body(response: HttpResponse, stall: Duration) -> Result<HttpResponse, HttpError> {
    let (mut head, body) = response.into_parts();
    let mut chunks = Chunks::new(body.bytes_stream(), stall);
    let mut bytes = Vec::new();
    while let Some(next) = chunks.next().await.map_err(stalled)? {
        bytes.extend_from_slice(&next?);
    }
    if is_error(&bytes)
        && let Ok(status) = WITHIN_RESPONSE.try_into()
    {
        head.status = status;
    }
    Ok(HttpResponse::from_parts(head, bytes.into()))
}

/// Whether a body is an error of a store: its outermost element is `Error`.
fn is_error(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    let root = match body.strip_prefix(b"<?xml") {
        Some(declared) => declared.iter().position(|byte| *byte == b'>').and_then(|end| declared.get(end + 1..)),
        None => Some(body),
    };
    root.is_some_and(|root| root.trim_ascii_start().starts_with(b"<Error>"))
}

/// Records whether a request was sent, and its response. It is attached to the request.
#[derive(Debug, Default)]
pub(crate) struct RequestNote {
    /// Whether the caller reads the body with a timeout of its own. Otherwise it gets the body whole.
    is_streamed: bool,
    is_sent: AtomicBool,
    response: Mutex<Option<ResponseHead>>,
}

impl RequestNote {
    /// The note of a request whose caller reads the body with a timeout of its own.
    pub(crate) fn of_stream() -> Self {
        RequestNote { is_streamed: true, ..RequestNote::default() }
    }

    /// Whether the request was sent. Without credentials it may not be.
    pub(crate) fn is_sent(&self) -> bool {
        self.is_sent.load(Ordering::Relaxed)
    }

    pub(crate) fn response(&self) -> Option<ResponseHead> {
        self.response.lock().clone()
    }
}

/// The head of a response, as far as it matters here.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    /// Whether CloudFront itself sent it, not a server behind it.
    pub(crate) is_by_cloudfront: bool,
    pub(crate) retry_after: Option<Duration>,
    /// The region of the bucket, if the response names it.
    pub(crate) region: Option<String>,
}

impl ResponseHead {
    fn read(response: &HttpResponse) -> Self {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let region = header("x-amz-bucket-region").filter(|region| region.bytes().all(is_of_region));
        ResponseHead {
            status: response.status().as_u16(),
            is_by_cloudfront: header("server").is_some_and(|server| server.eq_ignore_ascii_case("CloudFront")),
            retry_after: header("retry-after").and_then(|value| retry_after(value, SystemTime::now())),
            region: region.map(str::to_owned),
        }
    }
}

fn is_of_region(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// RFC 9110 § 10.2.3: `Retry-After = HTTP-date / delay-seconds`.
fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More seconds than fit are a long wait all the same.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    Some(httpdate::parse_http_date(value).ok()?.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_outermost_elements() {
        let check = |body: &str, is: bool| assert_eq!(is_error(body.as_bytes()), is, "{body}");
        check("<Error><Code>InternalError</Code></Error>", true);
        check("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error></Error>", true);
        check("<?xml version=\"1.0\"?><DeleteResult><Error></Error></DeleteResult>", false);
        check("<?xml", false);
        check("", false);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Mon, 23 Nov 2026 22:00:00 GMT").unwrap();
        let check = |value: &str, seconds: Option<u64>| {
            assert_eq!(retry_after(value, now), seconds.map(Duration::from_secs), "{value}");
        };
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("Mon, 23 Nov 2026 22:00:30 GMT", Some(30));
        check("Mon, 23 Nov 2026 21:00:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        check("+1", None);
        check("99999999999999999999", Some(u64::MAX));
        check("", None);
    }
}
