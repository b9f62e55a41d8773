//! Servers of buckets that implement more than ours: `moto` for S3, `azurite` for Azure. Our commands, and Spark, read
//! and write their buckets. For Google's storage there is only our server, since no other one lists objects by the
//! interface that the crate `object_store` uses.

use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::{GOOGLE_ACCOUNT, Server};
use crate::store_tables::TABLES;
use committed::full::is_full;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A server, and a folder with the archives of the sample. It is killed when the test ends.
struct BucketServer {
    folder: TestFolder,
    /// Where commands find the server, and the keys that it takes.
    environment: Vec<(&'static str, String)>,
    address: SocketAddr,
    server: Child,
}

impl Drop for BucketServer {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl BucketServer {
    /// Starts a server at a free port, which is the last argument.
    fn start(test: &str, mut command: Command) -> Self {
        let folder = sample::folder(test);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        drop(listener);
        let log = File::create(folder.path().join("server.log")).expect("it can be made");
        command.arg(address.port().to_string()).current_dir(folder.path());
        command.stdout(log.try_clone().expect("it is open")).stderr(log);
        let server = command.spawn().expect("it starts");
        let server = BucketServer { folder, environment: Vec::new(), address, server };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(start.elapsed().as_secs() < 60, "it does not listen: {}", server.folder.read("server.log"));
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_by(self.folder.command(arguments))
    }

    /// Runs a command with the address of the server and keys.
    fn run_by(&self, mut command: Command) -> Run {
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        self.folder.run_by(command)
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Starts `moto` with an empty bucket. Also returns its Python.
fn moto(test: &str) -> Option<(BucketServer, PathBuf)> {
    let python = PathBuf::from(committed::variable("ROBOCENSUS_SPARK")?);
    let mut command = Command::new(&python);
    command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p"]);
    let mut moto = BucketServer::start(test, command);
    let environment = [("AWS_REGION", "eu-west-1"), ("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")];
    moto.environment.extend(environment.map(|(name, value)| (name, value.to_owned())));
    moto.environment.push(("AWS_ENDPOINT_URL", moto.url()));
    let address = moto.address;
    let mut connection = TcpStream::connect(address).expect("it listens");
    let request = format!("PUT /bucket HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    connection.write_all(request.as_bytes()).expect("it takes requests");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    Some((moto, python))
}

/// The account of all emulators of Azure's storage, which Microsoft publishes.
const AZURE_ACCOUNT: [(&str, &str); 3] = [
    ("AZURE_STORAGE_USE_EMULATOR", "true"),
    ("AZURE_STORAGE_ACCOUNT_NAME", "devstoreaccount1"),
    (
        "AZURE_STORAGE_ACCOUNT_KEY",
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    ),
];

/// Starts `azurite` with an empty container `bucket`.
fn azurite(test: &str) -> Option<BucketServer> {
    let (azurite, python) = (committed::variable("ROBOCENSUS_AZURITE")?, committed::variable("ROBOCENSUS_PYTHON")?);
    let mut command = Command::new(azurite);
    command.args(["--silent", "--disableTelemetry", "--inMemoryPersistence", "--skipApiVersionCheck"]);
    command.args(["--blobHost", "127.0.0.1", "--blobPort"]);
    let mut azurite = BucketServer::start(test, command);
    azurite.environment.extend(AZURE_ACCOUNT.map(|(name, value)| (name, value.to_owned())));
    azurite.environment.push(("AZURITE_BLOB_STORAGE_URL", azurite.url()));
    let mut make = Command::new(python);
    make.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/azure_container.py"));
    make.args([&azurite.url(), "bucket"]);
    azurite.run_by(make).exits_with(0);
    Some(azurite)
}

/// A question about tables.
const QUESTION: [&str; 3] = ["query", "definition_sensitivity", "--tables"];

/// Tables are made, extended and read in the bucket. Answers are those of tables on disk. `run` runs a command that finds
/// the bucket, in a folder with the archives of the sample.
fn tables_work(run: &dyn Fn(&[&str]) -> Run, scheme: &str) {
    let tables = format!("{scheme}://bucket/of/tables");
    // The second run replaces the plan by one that has another crawl, too.
    for (archives, status) in [("crawl-data/SAMPLE-2024-10", 0), ("crawl-data", 1)] {
        run(&["ingest", archives, "--quiet", "--models", "latest", "--out", &tables]).exits_with(status);
    }
    run(&["check", &tables]).exits_with(0);
    run(&[&QUESTION[..], &[&tables]].concat()).exits_with(0).prints(&answer_on_disk(scheme));
}

/// Two shards make tables in the bucket.
fn shards_work(run: &dyn Fn(&[&str]) -> Run, scheme: &str) {
    let shared = format!("{scheme}://bucket/shared");
    run(&["plan", "crawl-data", "--shards", "2", "--out", &shared, "--quiet"]).exits_with(0);
    for shard in ["0/2", "1/2"] {
        run(&["ingest", "--shard", shard, "--start-delay=0", "--out", &shared, "--quiet"]).exits_with(0);
    }
    run(&["commit", &shared, "--quiet", "--models", "latest"]).exits_with(1);
    run(&["check", &shared]).exits_with(0);
    run(&[&QUESTION[..], &[&shared]].concat()).exits_with(0).prints(&answer_on_disk(scheme));
}

fn answer_on_disk(scheme: &str) -> String {
    let local = sample::modelled(&format!("{scheme}_tables_local"));
    local.run(&[&QUESTION[..], &[sample::OUT]].concat()).stdout
}

#[test]
fn tables_work_on_another_s3_server() {
    let Some((moto, _)) = moto("moto_tables") else { return };
    tables_work(&|arguments| moto.run(arguments), "s3");
    shards_work(&|arguments| moto.run(arguments), "s3");
}

#[test]
fn tables_work_on_an_azure_server() {
    let Some(mut azurite) = azurite("azurite_tables") else { return };
    tables_work(&|arguments| azurite.run(arguments), "az");
    shards_work(&|arguments| azurite.run(arguments), "az");
    azurite.environment.push(("AZURE_STORAGE_ACCOUNT_KEY", "bm90IHRoZSBrZXk=".to_owned()));
    let refused = azurite.run(&["check", "az://bucket/of/tables"]);
    assert!(refused.exits_with(2).stderr.contains("access is denied (403 AuthorizationFailure)"), "{refused}");
}

#[test]
fn tables_work_in_a_bucket_of_google() {
    let (folder, server) = (sample::folder("google_tables"), Server::start());
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("GOOGLE_BASE_URL", server.url("").trim_end_matches('/'));
        command.env("GOOGLE_SERVICE_ACCOUNT_KEY", GOOGLE_ACCOUNT);
        folder.run_by(command)
    };
    tables_work(&run, "gs");
    if is_full() {
        shards_work(&run, "gs");
    }
    let asked =
        |header| server.seen().iter().filter_map(|seen| seen.header(header).map(str::to_owned)).collect::<Vec<_>>();
    let generations = asked("x-goog-if-generation-match");
    assert!(generations.iter().any(|one| one == "0") && generations.iter().any(|one| one != "0"), "{generations:?}");
    assert!(asked("if-none-match").is_empty());
}

/// Options of `spark-submit` by which Spark reads the bucket. The newest connector in a Python package is the one of
/// Hadoop 3.3.1. It reads neither times with units nor the names of classes that newer versions have as defaults.
fn connector(moto: &BucketServer, python: &Path) -> Vec<OsString> {
    let packages = python.parent().and_then(Path::parent).expect("it is an environment").join("lib");
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
    let Some((moto, python)) = moto("moto_spark") else { return };
    let connector = connector(&moto, &python);
    let submit = |arguments: &[&str]| {
        let mut command = Command::new(python.with_file_name("spark-submit"));
        command.args(["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"]);
        command.args(["--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.driver.host=127.0.0.1"]);
        command.args(&connector).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("analyze/spark/census.py"));
        command.args(["--robocensus", env!("CARGO_BIN_EXE_robocensus")]).args(arguments);
        command.env("PYSPARK_PYTHON", &python);
        moto.run_by(command)
    };
    let made = submit(&["ingest", "crawl-data", "--shards", "2", "--out", TABLES]);
    // As commit does for the damaged archives of the sample.
    made.exits_with(1).prints_among_others("archives  12, of which ");
    let names = ["status_codes", "explicit_vs_wildcard", "size_quantiles"];
    submit(&[&["answer", "--tables", TABLES, "--out", "answers"], &names[..]].concat()).exits_with(0);
    for name in names {
        let answer = moto.run(&["query", name, "--tables", TABLES, "--format", "csv", "--exact", "--quiet"]);
        answer.exits_with(0).prints(&moto.folder.read(&format!("answers/{name}.csv")));
    }
    let registered = submit(&["register", "--tables", TABLES, "--database", "census"]);
    registered.exits_with(0).prints_among_others("census.captures\n").prints_among_others("census.site_access\n");
}
