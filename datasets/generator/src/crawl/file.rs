//! One archive: a warcinfo record, then pairs of a request and its response. Each record has its own member.

use super::answer::CrawlAnswer;
use super::body::{self, CrawlBody};
use super::host;
use super::moment::Moment;
use super::plan::CrawlPlan;
use super::random::Random;
use super::shape::{self, Class, CrawlContent};
use crate::digest::sha1_base32;
use crate::member::Members;
use std::fmt::Write;

/// Writes the archive with a number.
pub(super) fn write(plan: &CrawlPlan, number: u32, members: &mut Members, out: &mut Vec<u8>) {
    let random = Random::new(plan.seed, u64::from(number));
    let mut file = CrawlFile { random, year: plan.year, warcinfo: String::new(), members, out };
    file.warcinfo = uuid(&mut file.random);
    file.about(plan, number);
    let mut site = None;
    for _ in 0..plan.captures_per_file {
        site = file.capture(site);
    }
}

struct CrawlFile<'o> {
    random: Random,
    year: u32,
    warcinfo: String,
    members: &'o mut Members,
    out: &'o mut Vec<u8>,
}

/// State that a capture passes to the next one.
enum CrawlSite {
    /// A redirect leads here.
    Ahead { name: String, url: String },
    /// This host responded with this body, and may be fetched again with another scheme.
    Seen { name: String, is_https: bool, body: CrawlBody },
}

impl CrawlFile<'_> {
    fn about(&mut self, plan: &CrawlPlan, number: u32) {
        let CrawlPlan { crawl, seed, .. } = plan;
        let date = Moment::new(&mut self.random, self.year).warc();
        let block = format!(
            "isPartOf: {crawl}\r\npublisher: robocensus\r\ndescription: synthetic, of seed {seed}; no site is in it\r\n\
             format: WARC File Format 1.0\r\n"
        );
        let id = &self.warcinfo;
        let head = format!(
            "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nContent-Length: {}\r\n\
             Content-Type: application/warc-fields\r\nWARC-Filename: {crawl}-{number:05}.warc.gz\r\n\r\n",
            block.len()
        );
        self.record(&head, block.as_bytes());
    }

    /// One capture, after another.
    fn capture(&mut self, before: Option<CrawlSite>) -> Option<CrawlSite> {
        let class = self.random.weighted(&shape::CLASSES).copied().unwrap_or(Class::Successful);
        let mut content = self.random.weighted(&shape::BODIES).copied().unwrap_or(CrawlContent::Own);
        let (name, url, body) = match (before, class, content) {
            (Some(CrawlSite::Seen { name, is_https, body }), Class::Successful, CrawlContent::Again) => {
                let url = robots_txt(!is_https, &name);
                (name, url, Some(body))
            }
            (Some(CrawlSite::Ahead { name, url }), ..) => (name, url, None),
            _ => {
                let mut name = host::name(&mut self.random);
                if self.random.happens(4_500) {
                    name.insert_str(0, "www.");
                }
                let url = robots_txt(self.random.happens(5_000), &name);
                (name, url, None)
            }
        };
        if content == CrawlContent::Again && body.is_none() {
            content = CrawlContent::Own;
        }
        match class {
            Class::Successful => {
                let body = body.unwrap_or_else(|| body::body(&mut self.random, content, &name, self.year));
                let answer = CrawlAnswer { status: 200, location: None, body };
                self.pair(&name, &url, &answer);
                let is_https = url.starts_with("https");
                Some(CrawlSite::Seen { name, is_https, body: answer.body })
            }
            Class::Redirect => {
                let (ahead, location) = self.location(&name, &url);
                let answer = CrawlAnswer::redirect(&mut self.random, location.clone());
                self.pair(&name, &url, &answer);
                Some(CrawlSite::Ahead { name: ahead, url: location })
            }
            Class::Error => {
                let answer = CrawlAnswer::error(&mut self.random);
                self.pair(&name, &url, &answer);
                None
            }
        }
    }

    /// The target of a redirect: mostly the same host with https or `www.`, rarely another host.
    fn location(&mut self, name: &str, url: &str) -> (String, String) {
        let name = match self.random.below(20) {
            0 => host::name(&mut self.random),
            1..=8 => match name.strip_prefix("www.") {
                Some(bare) => bare.to_owned(),
                None => format!("www.{name}"),
            },
            _ => name.to_owned(),
        };
        let location = match self.random.below(20) {
            0 => format!("https://{name}/"),
            1 if url.starts_with("https") => format!("http://{name}/robots.txt"),
            _ => format!("https://{name}/robots.txt"),
        };
        (name, location)
    }

    /// The request and the response.
    fn pair(&mut self, name: &str, url: &str, answer: &CrawlAnswer) {
        let moment = Moment::new(&mut self.random, self.year);
        let (date, ip) = (moment.warc(), address(&mut self.random));
        let (asked, answered) = (uuid(&mut self.random), uuid(&mut self.random));
        let warcinfo = &self.warcinfo;
        let path = url
            .find("://")
            .and_then(|at| url.get(at + 3..))
            .and_then(|rest| rest.find('/').and_then(|at| rest.get(at..)));
        let request = format!(
            "GET {} HTTP/1.1\r\nUser-Agent: SynthBot/1.0 (synthetic)\r\nAccept: text/html,application/xhtml+xml,\
             application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: br,gzip\r\n\
             Host: {name}\r\nConnection: Keep-Alive\r\n\r\n",
            path.unwrap_or("/")
        );
        let head = format!(
            "WARC/1.0\r\nWARC-Type: request\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:{asked}>\r\n\
             Content-Length: {}\r\nContent-Type: application/http; msgtype=request\r\n\
             WARC-Warcinfo-ID: <urn:uuid:{warcinfo}>\r\nWARC-IP-Address: {ip}\r\nWARC-Target-URI: {url}\r\n\r\n",
            request.len()
        );
        self.record(&head, request.as_bytes());

        let (block, start, is_cut) = answer.block(&mut self.random, moment);
        let payload = sha1_base32(block.get(start..).unwrap_or_default());
        let warcinfo = &self.warcinfo;
        let mut head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:{answered}>\r\n\
             Content-Length: {}\r\nContent-Type: application/http; msgtype=response\r\n\
             WARC-Warcinfo-ID: <urn:uuid:{warcinfo}>\r\nWARC-Concurrent-To: <urn:uuid:{asked}>\r\n\
             WARC-IP-Address: {ip}\r\nWARC-Target-URI: {url}\r\nWARC-Payload-Digest: sha1:{payload}\r\n\
             WARC-Block-Digest: sha1:{}\r\n",
            block.len(),
            sha1_base32(&block)
        );
        // Writing to a `String` cannot fail.
        if is_cut {
            head.push_str("WARC-Truncated: length\r\n");
        }
        if !answer.body.bytes.is_empty() {
            let _ = write!(head, "WARC-Identified-Payload-Type: {}\r\n", answer.body.media_type);
        }
        head.push_str("\r\n");
        self.record(&head, &block);
    }

    fn record(&mut self, head: &str, block: &[u8]) {
        let record = [head.as_bytes(), block, b"\r\n\r\n"].concat();
        self.members.write(&record, self.out);
    }
}

fn robots_txt(is_https: bool, name: &str) -> String {
    format!("{}://{name}/robots.txt", if is_https { "https" } else { "http" })
}

/// An address that RFC 5737 or RFC 3849 reserves for documentation.
fn address(random: &mut Random) -> String {
    let last = random.below(256);
    match random.below(10) {
        0 => format!("2001:db8::{:x}:{last:x}", random.below(1 << 16)),
        1..=3 => format!("192.0.2.{last}"),
        4..=6 => format!("198.51.100.{last}"),
        _ => format!("203.0.113.{last}"),
    }
}

/// RFC 9562 § 5.4: version 4, of random bits.
fn uuid(random: &mut Random) -> String {
    let (high, low) = (random.next(), random.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        0x8000 | low >> 48 & 0x3fff,
        low & 0xffff_ffff_ffff
    )
}
