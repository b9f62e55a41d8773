//! Cases of targets, one per line.

use ingest::site::{TargetRemark, UrlParts};

/// Expects `protocol host port path query`, with `-` for a missing part, and the remarks.
#[track_caller]
fn check(target: impl AsRef<[u8]>, expected: &str, remarks: &[TargetRemark]) {
    let target = target.as_ref();
    let parts = UrlParts::split(target);
    let or_dash = |part: Option<&str>| part.unwrap_or("-").to_owned();
    let found = [
        or_dash(parts.protocol.as_deref()),
        or_dash(parts.host_name.as_deref()),
        or_dash(parts.port.map(|port| port.to_string()).as_deref()),
        or_dash(parts.path.as_deref()),
        or_dash(parts.query.as_deref()),
    ];
    assert_eq!(found.join(" "), expected, "{}", target.escape_ascii());
    assert_eq!(parts.remarks.iter().collect::<Vec<_>>(), remarks, "{}", target.escape_ascii());
    assert_eq!(parts, UrlParts::by_url_crate(target), "{}", target.escape_ascii());
}

#[test]
fn plain() {
    check("http://example.com/robots.txt", "http example.com - /robots.txt -", &[]);
    check("https://www.example.co.uk/robots.txt", "https www.example.co.uk - /robots.txt -", &[]);
    check("https://example.com/a/b.html?c=d&e=%20", "https example.com - /a/b.html c=d&e=%20", &[]);
    check("https://example.com/?", "https example.com - / ", &[]);
    check("https://example.com/a//b", "https example.com - /a//b -", &[]);
}

/// `cc-index-table`, the schema of `url_port`: "Port of the URL (null if not explicitly specified in the URL)".
#[test]
fn ports() {
    use TargetRemark::PortInvalid;
    check("http://example.com:8080/", "http example.com 8080 / -", &[]);
    check("http://example.com:80/", "http example.com 80 / -", &[]);
    check("https://example.com:443/", "https example.com 443 / -", &[]);
    check("http://example.com:443/", "http example.com 443 / -", &[]);
    check("http://EXAMPLE.com:080/", "http example.com 80 / -", &[]);
    check("http://example.com:0/", "http example.com 0 / -", &[]);
    check("http://example.com:/", "http example.com - / -", &[]);
    check("http://example.com:65536/", "http - - / -", &[PortInvalid]);
    check("http://example.com:8o/a?b", "http - - /a b", &[PortInvalid]);
    check("http://example.com:-80/", "http - - / -", &[PortInvalid]);
    check("http://example.com:+80/", "http - - / -", &[PortInvalid]);
    check("http://192.0.2.256:65536/", "http - - / -", &[PortInvalid]);
    check("http://u:1@example.com:80", "http example.com 80 / -", &[TargetRemark::Userinfo]);
    check("http://[::1]:80/", "http [::1] 80 / -", &[TargetRemark::IpAddress]);
    check("ftp://example.com:21/robots.txt", "ftp example.com 21 /robots.txt -", &[]);
}

#[test]
fn hosts() {
    use TargetRemark::{
        EmptyLabel, HostInvalid, HostKeptAsWritten, IpAddress, LongLabel, NoHost, UnlistedSuffix, Userinfo,
    };
    check("HTTP://Example.COM/", "http example.com - / -", &[]);
    check("http://example.com./", "http example.com - / -", &[]);
    check("http://example.com../", "http example.com. - / -", &[EmptyLabel]);
    check("http://a_b.example.com/", "http a_b.example.com - / -", &[]);
    check("http://-a-.example.com/", "http -a-.example.com - / -", &[]);
    check("http://.example.com/", "http .example.com - / -", &[EmptyLabel]);
    check("http://a..example.com/", "http a..example.com - / -", &[EmptyLabel]);
    check("http://localhost/", "http localhost - / -", &[UnlistedSuffix]);
    check("http://user@example.com/", "http example.com - / -", &[Userinfo]);
    check("http://user:pass@example.com/", "http example.com - / -", &[Userinfo]);
    check("http://a@b@example.com/", "http example.com - / -", &[Userinfo]);
    check("http://bücher.example.de/", "http xn--bcher-kva.example.de - / -", &[]);
    check("http://b%C3%BCcher.example.de/", "http xn--bcher-kva.example.de - / -", &[]);
    check("http://xn--bcher-kva.example.de/", "http xn--bcher-kva.example.de - / -", &[]);
    check("http://例え。jp/", "http xn--r8jz45g.jp - / -", &[]);
    check("http://straße.de/", "http xn--strae-oqa.de - / -", &[]);
    check("http://🧠.s.country/", "http xn--qv9h.s.country - / -", &[]);
    check("http://XN--A.example.com/", "http xn--a.example.com - / -", &[HostKeptAsWritten]);
    check("http://192.0.2.1/", "http 192.0.2.1 - / -", &[IpAddress]);
    check("http://192.0.513/", "http 192.0.2.1 - / -", &[IpAddress]);
    check("http://0xc0.0x0.0x2.0x1/", "http 192.0.2.1 - / -", &[IpAddress]);
    check("http://192.0.2.256/", "http 192.0.2.256 - / -", &[HostKeptAsWritten, UnlistedSuffix]);
    check("http://[2001:DB8:0:0::1]/", "http [2001:db8::1] - / -", &[IpAddress]);
    check("http://[::ffff:192.0.2.1]/", "http [::ffff:c000:201] - / -", &[IpAddress]);
    check("http://[::1/", "http - - / -", &[HostInvalid]);
    check("http://a b/", "http - - / -", &[TargetRemark::ControlOrBlank, HostInvalid]);
    check("http://a<b/", "http - - / -", &[HostInvalid]);
    check("http://a%00b/", "http - - / -", &[HostInvalid]);
    check("http://%zz/", "http - - / -", &[HostInvalid]);
    check("http:///", "http - - / -", &[NoHost]);
    check("http://", "http - - / -", &[NoHost]);
    check("http://:80/robots.txt", "http - 80 /robots.txt -", &[NoHost]);
    check("http://@/", "http - - / -", &[NoHost, Userinfo]);
    check("http://./", "http - - / -", &[NoHost]);
    let long = format!("{}.example.com", "a".repeat(64));
    check(format!("http://{long}/"), &format!("http {long} - / -"), &[LongLabel]);
    let longer = format!("{}example.com", "a.".repeat(5_000));
    check(format!("http://{longer}/"), &format!("http {longer} - / -"), &[]);
}

#[test]
fn slashes() {
    check("https:////sites.example.com/robots.txt", "https sites.example.com - /robots.txt -", &[]);
    check("http:/www.example.com/robots.txt", "http www.example.com - /robots.txt -", &[]);
    check("http:www.example.com/robots.txt", "http www.example.com - /robots.txt -", &[]);
    check("http:\\\\www.example.com\\robots.txt", "http www.example.com - /robots.txt -", &[]);
    check("http://example.com////robots.txt", "http example.com - ////robots.txt -", &[]);
    check("http:///example.com:80/", "http example.com 80 / -", &[]);
}

#[test]
fn paths_and_queries() {
    use TargetRemark::{ControlOrBlank, Fragment, NotUtf8};
    check("http://example.com", "http example.com - / -", &[]);
    check("http://example.com?a", "http example.com - / a", &[]);
    check("http://example.com#a", "http example.com - / -", &[Fragment]);
    check("http://example.com/a?b?c#d?e", "http example.com - /a b?c", &[Fragment]);
    check("http://example.com/a/./b/../c", "http example.com - /a/c -", &[]);
    check("http://example.com/../robots.txt", "http example.com - /robots.txt -", &[]);
    check("http://example.com/%2e%2E/a%2fb", "http example.com - /a%2fb -", &[]);
    check("http://example.com/.well-known", "http example.com - /.well-known -", &[]);
    check("http://example.com/é?é", "http example.com - /%C3%A9 %C3%A9", &[]);
    check(b"http://example.com/\xe9?\xe9", "http example.com - /%E9 %E9", &[NotUtf8]);
    check("http://example.com/a b?c d", "http example.com - /a%20b c%20d", &[ControlOrBlank]);
    check("http://example.com/a\tb\n", "http example.com - /ab -", &[ControlOrBlank]);
    check("http://exam\tple.com:8\n0/", "http example.com 80 / -", &[ControlOrBlank]);
    check("http://example.com/a\0b", "http example.com - /a%00b -", &[ControlOrBlank]);
    check("http://example.com/~!$&'()*+,;=:@", "http example.com - /~!$&'()*+,;=:@ -", &[]);
    check("http://example.com/?a'b", "http example.com - / a%27b", &[]);
}

/// The path and the query have the form of the URL Standard also after an invalid host or port.
#[test]
fn paths_after_invalid_hosts() {
    use TargetRemark::{Fragment, HostKeptAsWritten, PortInvalid, UnlistedSuffix};
    let kept = &[HostKeptAsWritten, UnlistedSuffix];
    check("http://192.0.2.256", "http 192.0.2.256 - / -", kept);
    check(
        "http://192.0.2.256./a/./b/../c?d e",
        "http 192.0.2.256 - /a/c d%20e",
        &[&[TargetRemark::ControlOrBlank], &kept[..]].concat(),
    );
    check("http://192.0.2.256?é", "http 192.0.2.256 - / %C3%A9", kept);
    check("http://192.0.2.256/.#a?b", "http 192.0.2.256 - / -", &[HostKeptAsWritten, Fragment, UnlistedSuffix]);
    check("http://example.com:8o/é/..", "http - - / -", &[PortInvalid]);
}

#[test]
fn characters_around_a_target() {
    use TargetRemark::{AngleBrackets, ControlOrBlank};
    check("<http://example.com/>", "http example.com - / -", &[AngleBrackets]);
    check(" http://example.com/\r\n", "http example.com - / -", &[ControlOrBlank]);
    check("<http://example.com/ >", "http example.com - / -", &[AngleBrackets, ControlOrBlank]);
}

#[test]
fn other_schemes_and_no_urls() {
    use TargetRemark::{ControlOrBlank, NoHost, NotUtf8};
    check("", "- - - - -", &[]);
    check("<>", "- - - - -", &[TargetRemark::AngleBrackets]);
    check("example.com/robots.txt", "- - - - -", &[]);
    check("/robots.txt", "- - - - -", &[]);
    check("://example.com/", "- - - - -", &[]);
    check(b"\xff\xfe\0", "- - - - -", &[ControlOrBlank, NotUtf8]);
    check("dns:example.com", "dns - - example.com -", &[NoHost]);
    check("urn:uuid:1-2", "urn - - uuid:1-2 -", &[NoHost]);
    check("metadata://Example.com/x", "metadata example.com - /x -", &[]);
    check("file:///robots.txt", "file - - /robots.txt -", &[NoHost]);
    check("ftp://ftp.example.com/robots.txt", "ftp ftp.example.com - /robots.txt -", &[]);
}

#[test]
fn domains() {
    let check = |target: &str, expected: [Option<&str>; 3]| {
        let parts = UrlParts::split(target.as_bytes());
        assert_eq!([parts.tld(), parts.registered_domain(), parts.private_domain()], expected, "{target}");
    };
    check("http://www.example.com/", [Some("com"), Some("example.com"), Some("example.com")]);
    check("http://A.Blogspot.COM:80/", [Some("com"), Some("blogspot.com"), Some("a.blogspot.com")]);
    check("http://例え.jp./", [Some("jp"), Some("xn--r8jz45g.jp"), Some("xn--r8jz45g.jp")]);
    check("http://192.0.2.1/", [None; 3]);
    check("http://[::1]/", [None; 3]);
    check("http://localhost/", [Some("localhost"), None, None]);
    check("http://co.uk/", [Some("uk"), None, None]);
    check("no URL", [None; 3]);
}

/// RFC 9309 § 2.3.
#[test]
fn the_robots_txt_of_a_service() {
    let check = |target: &str, expected: bool| {
        assert_eq!(UrlParts::split(target.as_bytes()).is_robots_txt(), expected, "{target}");
    };
    check("http://example.com/robots.txt", true);
    check("https://example.com:8443/robots.txt", true);
    check("<http://EXAMPLE.com/robots.txt>", true);
    check("http://example.com/robots.txt#top", true);
    check("http://example.com/./robots.txt", true);
    check("http://example.com/robots.txt?", false);
    check("http://example.com/robots.txt?a=b", false);
    check("http://example.com/Robots.txt", false);
    check("http://example.com/robots.txt/", false);
    check("http://example.com//robots.txt", false);
    check("http://example.com/a/robots.txt", false);
    check("http://example.com/%72obots.txt", false);
    check("http://example.com/", false);
    check("ftp://example.com/robots.txt", false);
    check("/robots.txt", false);
}

#[test]
fn the_url_stays_as_written() {
    let check = |target: &[u8], expected: &str| assert_eq!(UrlParts::split(target).url, expected, "{expected}");
    check(b"http://example.com/robots.txt", "http://example.com/robots.txt");
    check(b"<HTTP://u:p@Example.com:080/%7e/../a b#c>", "HTTP://u:p@Example.com:080/%7e/../a b#c");
    check(b" http://example.com/\xe9 ", "http://example.com/%E9");
    check(b"no URL", "no URL");
}
