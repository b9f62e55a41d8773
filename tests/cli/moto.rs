//! The S3 server `moto`, which implements more of S3 than ours: our commands, and Spark, read and write its bucket.

#![expect(clippy::expect_used, clippy::print_stderr, reason = "called by tests, which fail by them")]

use crate::run::{Run, TestFolder};
use crate::sample;
use crate::store_tables::TABLES;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A server with an empty bucket, and a folder with the archives of the sample. It is killed when the test ends.
struct Moto {
    folder: TestFolder,
    python: PathBuf,
    address: SocketAddr,
    server: Child,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Moto {
    /// Starts the server. `None` if `ROBOCENSUS_SPARK` is not set.
    fn start(test: &str) -> Option<Self> {
        let Some(python) = std::env::var_os("ROBOCENSUS_SPARK").map(PathBuf::from) else {
            eprintln!("skipped: ROBOCENSUS_SPARK is not set");
            return None;
        };
        let folder = sample::folder(test);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        drop(listener);
        let log = File::create(folder.path().join("moto.log")).expect("it can be made");
        let port = address.port().to_string();
        let server =
            Command::new(&python).args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port]).stderr(log).spawn();
        let moto = Moto { folder, python, address, server: server.expect("python starts") };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(start.elapsed().as_secs() < 60, "moto does not start: {}", moto.folder.read("moto.log"));
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut connection = TcpStream::connect(address).expect("it listens");
        let request =
            format!("PUT /bucket HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        connection.write_all(request.as_bytes()).expect("it takes requests");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        Some(moto)
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_by(self.folder.command(arguments))
    }

    /// Runs a command with the address of the server and keys.
    fn run_by(&self, mut command: Command) -> Run {
        command.envs([("AWS_ENDPOINT_URL", self.url().as_str()), ("AWS_REGION", "eu-west-1")]);
        command.envs([("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")]);
        self.folder.run_by(command)
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

const INTO: [&str; 7] = ["ingest", "crawl-data", "--quiet", "--models", "latest", "--out", TABLES];

#[test]
fn tables_work_on_another_s3_server() {
    let Some(moto) = Moto::start("moto_tables") else { return };
    moto.run(&INTO).exits_with(1);
    moto.run(&["check", TABLES]).exits_with(0);
    let local = sample::modelled("moto_tables_local");
    let question = ["query", "definition_sensitivity", "--tables"];
    let here = local.run(&[&question[..], &[sample::OUT]].concat());
    moto.run(&[&question[..], &[TABLES]].concat()).exits_with(0).prints(&here.stdout);
    let shared = "s3://bucket/shared";
    moto.run(&["plan", "crawl-data", "--shards", "2", "--out", shared, "--quiet"]).exits_with(0);
    for shard in ["0/2", "1/2"] {
        moto.run(&["ingest", "--shard", shard, "--start-delay=0", "--out", shared, "--quiet"]).exits_with(0);
    }
    moto.run(&["commit", shared, "--quiet", "--models", "latest"]).exits_with(1);
    moto.run(&["check", shared]).exits_with(0);
    moto.run(&[&question[..], &[shared]].concat()).exits_with(0).prints(&here.stdout);
}

/// Options of `spark-submit` by which Spark reads the bucket. The newest connector in a Python package is the one of
/// Hadoop 3.3.1. It reads neither times with units nor the names of classes that newer versions have as defaults.
fn connector(moto: &Moto) -> Vec<OsString> {
    let packages = moto.python.parent().and_then(Path::parent).expect("it is an environment").join("lib");
    let mut jars = Vec::new();
    for version in std::fs::read_dir(packages).expect("it has packages") {
        let folder = version.expect("it can be listed").path().join("site-packages/sagemaker_pyspark/jars");
        for jar in std::fs::read_dir(folder).into_iter().flatten() {
            let jar = jar.expect("it can be listed").path().to_string_lossy().into_owned();
            if jar.contains("hadoop-aws-") || jar.contains("aws-java-sdk-bundle-") {
                jars.push(jar);
            }
        }
    }
    assert_eq!(jars.len(), 2, "install tests/readers/connector-requirements.txt: {jars:?}");
    let settings = [
        "s3.impl=org.apache.hadoop.fs.s3a.S3AFileSystem".to_owned(),
        format!("s3a.endpoint={}", moto.url()),
        "s3a.path.style.access=true".to_owned(),
        "s3a.threads.keepalivetime=60".to_owned(),
        "s3a.connection.establish.timeout=5000".to_owned(),
        "s3a.connection.timeout=200000".to_owned(),
        "s3a.multipart.purge.age=86400".to_owned(),
        "s3a.aws.credentials.provider=com.amazonaws.auth.EnvironmentVariableCredentialsProvider".to_owned(),
    ];
    let settings = settings.iter().flat_map(|setting| ["--conf".into(), format!("spark.hadoop.fs.{setting}").into()]);
    ["--jars".into(), jars.join(",").into()].into_iter().chain(settings).collect()
}

/// Executors make the tables in the bucket, and Spark reads them there.
#[test]
fn spark_works_on_tables_in_a_bucket() {
    let Some(moto) = Moto::start("moto_spark") else { return };
    let connector = connector(&moto);
    let submit = |arguments: &[&str]| {
        let mut command = Command::new(moto.python.with_file_name("spark-submit"));
        command.args(["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"]);
        command.args(["--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.driver.host=127.0.0.1"]);
        command.args(&connector).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("analyze/spark/census.py"));
        command.args(["--robocensus", env!("CARGO_BIN_EXE_robocensus")]).args(arguments);
        command.env("PYSPARK_PYTHON", &moto.python);
        moto.run_by(command)
    };
    let made = submit(&["ingest", "crawl-data", "--shards", "2", "--out", TABLES]);
    made.exits_with(0).prints_among_others("archives  12, of which ");
    let names = ["status_codes", "explicit_vs_wildcard", "size_quantiles"];
    submit(&[&["answer", "--tables", TABLES, "--out", "answers"], &names[..]].concat()).exits_with(0);
    for name in names {
        let answer = moto.run(&["query", name, "--tables", TABLES, "--format", "csv", "--exact", "--quiet"]);
        answer.exits_with(0).prints(&moto.folder.read(&format!("answers/{name}.csv")));
    }
    let registered = submit(&["register", "--tables", TABLES, "--database", "census"]);
    registered.exits_with(0).prints_among_others("census.captures\n").prints_among_others("census.site_access\n");
}
