use super::*;
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use tempfile::TempDir;

/// A fresh folder. The first file has one byte, the second two, and so on.
fn folder(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, bytes) in files.iter().zip(1..) {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, vec![b'x'; bytes]).unwrap();
    }
    folder
}

/// Crawl, name and size of each input, or the failures, for arguments relative to a folder.
fn listed(folder: &TempDir, arguments: &[&str], naming: &InputNaming, stdin: &str) -> Vec<String> {
    let arguments: Vec<PathBuf> = arguments
        .iter()
        .map(|argument| {
            let is_plain = *argument == "-" || argument.contains("://");
            if is_plain { PathBuf::from(argument) } else { folder.path().join(argument) }
        })
        .collect();
    let text = match expand(&arguments, naming, &mut stdin.as_bytes()) {
        Ok(ListedInputs { inputs, .. }) => inputs
            .iter()
            .map(|Input { crawl, warc_filename, stamp, .. }| {
                let bytes = stamp.map_or("missing".to_owned(), |stamp| stamp.bytes.to_string());
                format!("{crawl} {warc_filename} {bytes}")
            })
            .collect(),
        Err(unlisted) => unlisted.iter().map(ToString::to_string).collect::<Vec<String>>(),
    };
    text.iter().map(|line| line.replace(&format!("{}/", folder.path().display()), "")).collect()
}

const FILES: [&str; 4] = [
    "crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/b.warc.gz",
    "crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz",
    "crawl-data/CC-MAIN-2017-35/segments/1/robotstxt/c.warc",
    "crawl-data/CC-MAIN-2017-35/notes.txt",
];
const ALL: [&str; 3] = [
    "CC-MAIN-2017-35 crawl-data/CC-MAIN-2017-35/segments/1/robotstxt/c.warc 3",
    "CC-MAIN-2024-22 crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz 2",
    "CC-MAIN-2024-22 crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/b.warc.gz 1",
];

#[test]
fn files_folders_and_patterns_mean_the_same_list() {
    let folder = folder(&FILES);
    let naming = InputNaming::default();
    assert_eq!(listed(&folder, &["crawl-data"], &naming, ""), ALL);
    assert_eq!(listed(&folder, &["crawl-data/**/*.warc*"], &naming, ""), ALL);
    assert_eq!(listed(&folder, &[FILES[2], FILES[0], FILES[1], FILES[0]], &naming, ""), ALL);
    assert_eq!(listed(&folder, &[FILES[1], "crawl-data"], &naming, ""), ALL);
}

#[test]
fn lists_on_disk_and_on_standard_input() {
    let folder = folder(&FILES);
    let list = format!("{}\n\n{}\r\n{}", FILES[0], FILES[1], FILES[2]);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(list.as_bytes()).unwrap();
    let crawl = folder.path().join("crawl-data/CC-MAIN-2024-22");
    std::fs::write(crawl.join("robotstxt.paths.gz"), encoder.finish().unwrap()).unwrap();
    std::fs::write(folder.path().join("some.paths"), &list).unwrap();
    let naming = InputNaming::default();
    assert_eq!(listed(&folder, &["crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz"], &naming, ""), ALL);
    assert_eq!(listed(&folder, &["some.paths"], &naming, ""), ALL);
    let based = InputNaming { base: Some(folder.path().to_owned()), ..InputNaming::default() };
    assert_eq!(listed(&folder, &["-"], &based, &list), ALL);
    let twice = expand(&["-".into(), "-".into()], &based, &mut list.as_bytes()).unwrap_err();
    assert_eq!(twice, [Failure::new("input is named twice", Path::new("-"), READ_ONCE)]);
}

#[test]
fn objects_have_the_names_of_their_copies_on_disk() {
    let folder = folder(&[]);
    let list = FILES[..3].join("\n");
    let all = ALL.map(|line| line.rsplit_once(' ').unwrap().0.to_owned() + " missing");
    let based = |base: &str| InputNaming { base: Some(PathBuf::from(base)), ..InputNaming::default() };
    assert_eq!(listed(&folder, &["-"], &based("s3://commoncrawl/"), &list), all);
    assert_eq!(listed(&folder, &["-"], &based("https://data.commoncrawl.org"), &list), all);
    let urls = FILES[..3].iter().map(|file| format!("gs://bucket/copy/{file}\n")).collect::<String>();
    assert_eq!(listed(&folder, &["-"], &InputNaming::default(), &urls), all);
    let mut odd = b"crawl-data/A-1/a.warc.gz\n\nb\xff\n".as_slice();
    let refused = expand(&["-".into()], &InputNaming::default(), &mut odd).unwrap_err();
    let cause = "list cannot be read: -: line 3 is not UTF-8, but names in tables must be: b\u{fffd}";
    assert_eq!(refused[0].to_string(), cause);
    let outside = "https://other/crawl-data/C-1/a.warc.gz";
    let refused = format!("input is not supported: {outside}: it leads out of s3://commoncrawl/");
    assert_eq!(listed(&folder, &["-"], &based("s3://commoncrawl/"), outside), [refused]);
}

#[test]
fn all_failures_are_reported_together() {
    let folder = folder(&["x.warc.gz", "empty/notes.txt", "zipped/a.wacz", "old/b.arc.gz", "old/C.WARC.ZST"]);
    let naming = InputNaming::default();
    let check = |arguments: &[&str], expected: &[&str]| {
        assert_eq!(listed(&folder, arguments, &naming, ""), expected, "{arguments:?}");
    };
    check(&["x.warc.gz"], &["crawl is unknown: x.warc.gz: its path does not name one; set it with --crawl"]);
    let text = "crawl is unknown: empty/notes.txt: its path does not name one; set it with --crawl; if it is a list, its \
        name must end in .paths or .paths.gz";
    check(&["empty/notes.txt"], &[text]);
    let based = InputNaming { base: Some(PathBuf::from("/data")), ..InputNaming::default() };
    let useless = "base has no use: /data: no INPUT is a list, which ends in .paths or .paths.gz";
    assert_eq!(listed(&folder, &["empty/notes.txt"], &based, ""), [useless]);
    check(
        &["none.warc.gz", "empty", "*.warc.xz"],
        &[
            "input is missing: none.warc.gz: no such file or directory (os error 2)",
            "folder has no archive: empty: no file ends in .warc.gz, .warc, .warc.zst, .arc.gz, .arc, .wacz",
            "pattern matches nothing: *.warc.xz: no such file",
        ],
    );
    check(
        &["https://host/x.warc.gz", "ftp://host/x.warc.gz", "s3://bucket/crawl-data/"],
        &[
            "crawl is unknown: https://host/x.warc.gz: its path does not name one; set it with --crawl",
            "input is not supported: ftp://host/x.warc.gz: ftp is not supported; use s3, gs, az, abfs, https, http or file",
            "folder is not supported: s3://bucket/crawl-data/: name archives in it, or a list of them",
        ],
    );
    check(
        &["empty"],
        &["folder has no archive: empty: no file ends in .warc.gz, .warc, .warc.zst, .arc.gz, .arc, .wacz"],
    );
    let named = InputNaming { crawl: Some("MINE-1".to_owned()), ..InputNaming::default() };
    assert_eq!(listed(&folder, &["x.warc.gz"], &named, ""), ["MINE-1 x.warc.gz 1"]);
    let others = ["MINE-1 old/C.WARC.ZST 5", "MINE-1 old/b.arc.gz 4", "MINE-1 zipped/a.wacz 3"];
    assert_eq!(listed(&folder, &["zipped", "old"], &named, ""), others);
}

#[test]
fn a_crawl_that_no_archive_takes_is_refused() {
    let files: Vec<&str> = FILES.into_iter().chain(["x.warc.gz"]).collect();
    let folder = folder(&files);
    let naming = |crawl: &str| InputNaming { crawl: Some(crawl.to_owned()), ..InputNaming::default() };
    let useless = "crawl has no use: MINE-1: the path of each archive names its crawl after crawl-data/, such as \
        CC-MAIN-2017-35";
    assert_eq!(listed(&folder, &[FILES[2], FILES[0]], &naming("MINE-1"), ""), [useless]);
    assert_eq!(listed(&folder, &["crawl-data"], &naming("CC-MAIN-2017-35"), ""), ALL);
    assert_eq!(listed(&folder, &["crawl-data", "x.warc.gz"], &naming("MINE-1"), "").len(), ALL.len() + 1);
}

#[test]
fn messages_of_a_folder_do_not_stand_in_the_order_of_the_system() {
    let names: Vec<String> = (0..40).map(|number| format!("{:02}.warc.gz", (number * 17) % 40)).collect();
    let folder = folder(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let refused: Vec<String> = (0..40)
        .map(|number| format!("crawl is unknown: {number:02}.warc.gz: its path does not name one; set it with --crawl"))
        .collect();
    assert_eq!(listed(&folder, &[""], &InputNaming::default(), ""), refused);
}
