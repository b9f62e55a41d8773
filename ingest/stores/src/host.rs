//! A host or bucket: its client, and the limits on requests to it.

use crate::location::{ObjectUrl, StoreKind};
use crate::options::StoreOptions;
use crate::pace::Pace;
use crate::refusal::FetchError;
use crate::service::NotingConnector;
use crate::store_error::root_cause;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::list::PaginatedListStore;
use object_store::{BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// The default limits for a host.
#[derive(Debug, Clone, Copy)]
struct HostLimits {
    requests_per_second: f64,
    connections: usize,
}

impl HostLimits {
    fn default_for(url: &ObjectUrl) -> Self {
        match url.kind() {
            // With a dot at its end, a name is the same host.
            StoreKind::Http if url.host().trim_end_matches('.') == "data.commoncrawl.org" => COMMON_CRAWL,
            StoreKind::Http => SERVER,
            _ => BUCKET,
        }
    }
}

/// data.commoncrawl.org serves everybody and limits requests, but publishes no limit. Common Crawl's own tool, with ten
/// connections by default, was blocked after five minutes of robots.txt archives, which are small
/// (commoncrawl/cc-downloader#29). One connection was reported as tolerated (CAIDA/commoncrawl-host-ip-mapper#4). At a
/// third of a second per 2 MB archive, that is this rate. The 90,000 archives of a crawl then take eight hours.
const COMMON_CRAWL: HostLimits = HostLimits { requests_per_second: 3.0, connections: 4 };

/// Any other server. Somebody pays for its traffic.
const SERVER: HostLimits = HostLimits { requests_per_second: 10.0, connections: 4 };

/// A bucket serves 5,500 requests per second and prefix, says the documentation of S3. Common Crawl's bucket is shared,
/// so it may answer 503, which slows a run down.
const BUCKET: HostLimits = HostLimits { requests_per_second: 100.0, connections: 16 };

/// Settings of all clients. The timeout is long because a body may take as long as its reader; this crate detects
/// stalls.
const CLIENT: [(ClientConfigKey, &str); 3] = [
    (ClientConfigKey::Timeout, "7 days"),
    (ClientConfigKey::ConnectTimeout, "10 seconds"),
    (ClientConfigKey::UserAgent, concat!("robocensus/", env!("CARGO_PKG_VERSION"))),
];

/// A host or bucket.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The same store, for lists; `None` for HTTP servers, which cannot list.
    pub(crate) pages: Option<Arc<dyn ListedStore>>,
    pub(crate) pace: Arc<Pace>,
    pub(crate) kind: StoreKind,
}

impl Host {
    /// The host of an object, with the settings and credentials of the environment.
    pub(crate) fn open(url: &ObjectUrl, options: &StoreOptions) -> Result<Self, FetchError> {
        let kind = url.kind();
        let limits = HostLimits::default_for(url);
        let requests_per_second = options.requests_per_second.unwrap_or(limits.requests_per_second);
        let connections = options.connections.map_or(limits.connections, NonZeroUsize::get);
        let pace = Arc::new(Pace::new(requests_per_second, connections));
        let connector = NotingConnector { pace: Arc::clone(&pace), stall: options.waits.stall, server: Arc::default() };
        let (store, pages) = open_store(url, kind, connector).map_err(|error| {
            let cause = without_quoted(&root_cause(&error));
            FetchError::unread(format_args!("the settings of the environment do not fit: {cause}"))
        })?;
        Ok(Host { store, pages, pace, kind })
    }
}

/// A store whose objects can be listed.
pub(crate) trait ListedStore: ObjectStore + PaginatedListStore {}

impl<S: ObjectStore + PaginatedListStore> ListedStore for S {}

/// A store, and the same store for lists.
type OpenStore = (Arc<dyn ObjectStore>, Option<Arc<dyn ListedStore>>);

fn open_store(url: &ObjectUrl, kind: StoreKind, connector: NotingConnector) -> object_store::Result<OpenStore> {
    let root = format!("{}/", url.authority());
    // No retries here: `fetch` makes them.
    let retry = RetryConfig { backoff: BackoffConfig::default(), max_retries: 0, retry_timeout: Duration::ZERO };
    Ok(match kind {
        StoreKind::S3 => {
            let mut builder = AmazonS3Builder::from_env().with_url(root).with_retry(retry);
            for (key, value) in CLIENT {
                builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
            }
            if is_plain("AWS_ENDPOINT_URL") || is_plain("AWS_ENDPOINT_URL_S3") {
                builder = builder.with_allow_http(true);
            }
            listed(builder.with_http_connector(connector).build()?)
        }
        StoreKind::Gcs => {
            let mut builder = GoogleCloudStorageBuilder::from_env().with_url(root).with_retry(retry);
            for (key, value) in CLIENT {
                builder = builder.with_config(GoogleConfigKey::Client(key), value);
            }
            if is_plain("GOOGLE_BASE_URL") {
                builder = builder.with_config(GoogleConfigKey::Client(ClientConfigKey::AllowHttp), "true");
            }
            listed(builder.with_http_connector(connector).build()?)
        }
        StoreKind::Azure => {
            let mut builder = MicrosoftAzureBuilder::from_env().with_url(root).with_retry(retry);
            for (key, value) in CLIENT {
                builder = builder.with_config(AzureConfigKey::Client(key), value);
            }
            listed(builder.with_http_connector(connector).build()?)
        }
        StoreKind::Http => {
            let mut builder = HttpBuilder::new().with_url(root).with_retry(retry);
            for (key, value) in CLIENT {
                builder = builder.with_config(key, value);
            }
            builder = builder.with_config(ClientConfigKey::AllowHttp, "true");
            (Arc::new(builder.with_http_connector(connector).build()?), None)
        }
    })
}

/// A text without what it quotes, which may be a key: Google's accounts are JSON, and an error repeats a value of the
/// wrong type.
fn without_quoted(text: &str) -> String {
    match (text.split_once('"'), text.rsplit_once('"')) {
        (Some((before, _)), Some((_, after))) => format!("{before}…{after}"),
        _ => text.to_owned(),
    }
}

/// Whether a variable has an http:// endpoint. Like other tools, we accept one without a second variable that allows
/// HTTP.
fn is_plain(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|endpoint| endpoint.starts_with("http://"))
}

fn listed<S: ListedStore>(store: S) -> OpenStore {
    let store = Arc::new(store);
    (Arc::clone(&store) as Arc<dyn ObjectStore>, Some(store))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_not_repeated() {
        let check = |text: &str, shown: &str| assert_eq!(without_quoted(text), shown);
        check(r#"invalid type: string "{\"private_key\": 1}", expected"#, "invalid type: string …, expected");
        check(r#"failed to parse "key" as boolean"#, "failed to parse … as boolean");
        check("no items found", "no items found");
    }

    #[test]
    fn the_limits_of_a_host() {
        let check = |url: &str, per_second: f64| {
            let limits = HostLimits::default_for(&ObjectUrl::parse(url).unwrap());
            assert!((limits.requests_per_second - per_second).abs() < 1e-9, "{url}: {limits:?}");
        };
        for host in
            ["data.commoncrawl.org", "DATA.CommonCrawl.org", "data.commoncrawl.org:443", "data.commoncrawl.org."]
        {
            check(&format!("https://{host}/crawl-data/a"), 3.0);
            check(&format!("http://{host}/a"), 3.0);
        }
        check("https://example.com/a", 10.0);
        check("s3://commoncrawl/a", 100.0);
    }
}
