//! Labels for the codes of violations.

/// The code and its label, in the order of the catalogue.
const LABELS: &[(&str, &str)] = &[
    ("rule-before-group", "rule before any user-agent line"),
    ("ua-empty", "user-agent line without a name"),
    ("ua-full-header", "whole User-Agent header as an agent's name"),
    ("ua-list", "several names in a user-agent line"),
    ("ua-star-mixed", "* beside other text in an agent's name"),
    ("ua-non-ascii", "agent's name not in ASCII"),
    ("ua-version", "version or other text after an agent's name"),
    ("ua-space", "several words in an agent's name"),
    ("ua-bad-char", "other invalid character in an agent's name"),
    ("ua-dot", "dot in an agent's name"),
    ("ua-digit", "digit in an agent's name"),
    ("path-star-start", "path starts with *"),
    ("path-absolute-url", "whole URL in place of a path"),
    ("path-no-slash", "path starts without a slash"),
    ("path-space", "white space in a path"),
    ("path-control-char", "control character in a path"),
    ("path-invalid-utf8", "path not in UTF-8"),
    ("comment-control-char", "control character in a comment"),
    ("comment-invalid-utf8", "comment not in UTF-8"),
    ("key-misspelt", "misspelt key"),
    ("key-bad-whitespace", "white space in a key"),
    ("key-empty", "line starts with its colon"),
    ("key-invalid", "invalid key"),
    ("colon-missing", "no colon after a key"),
    ("stray-url", "URL without a key"),
    ("html-line", "line of HTML"),
    ("line-not-understood", "line without a key"),
    ("bom-utf8", "byte order mark at the start"),
    ("bom-misplaced", "byte order mark elsewhere"),
    ("bom-mojibake", "byte order mark encoded twice"),
    ("bom-before-comment", "byte order mark before a comment"),
    ("nul-byte", "NUL byte"),
    ("eol-missing-final", "last line without a line end"),
    ("ext-sitemap", "Sitemap record"),
    ("ext-crawl-delay", "Crawl-delay record"),
    ("ext-host", "Host record"),
    ("ext-noindex", "Noindex record"),
    ("ext-nofollow", "Nofollow record"),
    ("ext-noarchive", "Noarchive record"),
    ("ext-clean-param", "Clean-param record"),
    ("ext-request-rate", "Request-rate record"),
    ("ext-visit-time", "Visit-time record"),
    ("ext-robot-version", "Robot-version record"),
    ("ext-comment", "Comment record"),
    ("ext-content-signal", "Content-Signal record"),
    ("ext-content-usage", "Content-Usage record"),
    ("ext-user-agent-purpose", "User-agent-purpose record"),
    ("ext-license", "License record"),
    ("ext-llms", "LLMs record"),
    ("ext-acap", "ACAP record"),
    ("ext-unknown", "unknown record"),
    ("group-head-split-by-other", "record between user-agent lines"),
    ("group-duplicate-agent", "two groups for one crawler"),
    ("rule-duplicate", "rule repeated in its group"),
    ("rule-conflict", "path allowed and disallowed"),
    ("allow-empty", "allow line without a path"),
    ("path-dollar-inside", "$ inside a path"),
    ("path-star-trailing", "* at the end of a path"),
    ("path-star-run", "** in a path"),
    ("path-pct-invalid", "% without two hexadecimal digits"),
    ("path-pct-lowercase", "percent-encoding in lower case"),
    ("path-pct-unreserved", "percent-encoding without need"),
    ("path-non-ascii", "path not in ASCII"),
    ("path-cut-by-hash", "# directly after a path"),
    ("path-over-1024", "path over 1,024 bytes"),
    ("line-over-2083", "line over 2,083 bytes"),
    ("line-over-16k", "line over 16,663 bytes"),
    ("record-key-misspelt", "misspelt key of another record"),
    ("sitemap-empty", "Sitemap line without a URL"),
    ("sitemap-not-absolute", "Sitemap URL not absolute"),
    ("sitemap-space", "white space in a Sitemap URL"),
    ("crawl-delay-invalid", "crawl delay not a number"),
    ("crawl-delay-huge", "crawl delay over 300 seconds"),
    ("crawl-delay-before-group", "crawl delay before any user-agent line"),
    ("preference-void", "Content-Usage line with a syntax error"),
    ("preference-empty", "gap in a Content-Signal line"),
    ("preference-no-value", "preference without a value"),
    ("preference-unknown-label", "preference with an unknown label"),
    ("preference-unknown-value", "preference with an unknown value"),
    ("preference-before-group", "preference before any user-agent line"),
    ("preference-repeated", "preference repeated on its line"),
    ("preference-overruled", "preference overruled by another line"),
    ("eol-mixed", "mixed line ends"),
    ("eol-cr-only", "lines end in CR alone"),
    ("file-empty", "empty file"),
    ("file-only-comments", "only comments"),
    ("file-no-group", "no user-agent line"),
    ("file-over-500-kib", "file over 500 KiB"),
    ("file-over-16-mib", "file over 16 MiB"),
    ("file-over-2048-rules", "more than 2,048 rules"),
    ("file-html", "web page in place of robots.txt"),
    ("file-not-utf8", "file not in UTF-8"),
    ("file-utf16", "file in UTF-16"),
    ("file-binary", "file not text"),
];

/// The label of a code; `None` for an unknown code.
pub(super) fn label(code: &str) -> Option<&'static str> {
    LABELS.iter().find(|(known, _)| *known == code).map(|(_, label)| *label)
}

/// The label of a code; a code without a label is shown with blanks.
pub(super) fn name(code: &str) -> String {
    label(code).map_or_else(|| code.replace('-', " "), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::LABELS;
    use robots::Code;
    use std::collections::BTreeSet;

    #[test]
    fn each_code_has_a_label_of_its_own() {
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(LABELS.iter().map(|(code, _)| *code).collect::<Vec<_>>(), codes);
        let labels: BTreeSet<&str> = LABELS.iter().map(|(_, label)| *label).collect();
        assert_eq!(labels.len(), codes.len());
    }
}
