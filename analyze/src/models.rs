//! Tables that are made from others, a crawl at a time, each by a file of `queries/models`.
//!
//! A model is made when what it is made of has changed: the files that the ledger names, the models before it, the list of
//! agents, its statement, or what was chosen. Its file is written aside, synced, and takes its name when it is whole, so
//! that whoever reads it has the old one or the new one; then the entry that says what it was made of.

use crate::engine::options::SessionOptions;
use crate::engine::session::Session;
use crate::freshness::Recipe;
use crate::queries::{self, Query};
use crate::statement::ParameterValue;
use folder::digest::Digested;
use folder::ledger::{self, WrittenFile};
use folder::models::{self, Made, PART};
use folder::{Failure, Folder, Lock, durable};
use futures_util::TryStreamExt as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tables::{BatchFile, MADE_BY, Table};

/// Which capture of a site counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CapturePreference {
    /// The latest.
    #[default]
    Latest,
    /// The first.
    First,
    /// An answer before a refusal, that before a redirect, that before a failure; of several the latest.
    Best,
}

impl CapturePreference {
    /// As a model has it for its parameter.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CapturePreference::Latest => "latest",
            CapturePreference::First => "first",
            CapturePreference::Best => "best",
        }
    }
}

/// How models are made.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    /// How the folder is opened.
    pub session: SessionOptions,
    /// Which capture of a site counts.
    pub choice: CapturePreference,
    /// Whether what is up to date is made again.
    pub again: Again,
}

/// Whether what is up to date is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// It is left as it is.
    Never,
    /// It is made again.
    Always,
}

/// What became of a model of a crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOutcome {
    /// What it is.
    pub made: Made,
    /// Whether it was up to date, and left.
    pub was_there: bool,
}

/// Makes all models of all crawls, and tells of each as it is made. It ends early where it is told to stop.
pub async fn make(
    root: &Path,
    options: &ModelOptions,
    stop: &AtomicBool,
    told: &mut (dyn FnMut(&ModelOutcome) + Send),
) -> Result<bool, Failure> {
    let folder = Folder::at(root);
    fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let made = make_all(&folder, options, stop, told).await;
    let ended = folder::end_work(&folder);
    let made = made?;
    ended?;
    Ok(made)
}

async fn make_all(
    folder: &Folder,
    options: &ModelOptions,
    stop: &AtomicBool,
    told: &mut (dyn FnMut(&ModelOutcome) + Send),
) -> Result<bool, Failure> {
    let entries = ledger::read(folder)?;
    let crawls: BTreeSet<&str> = entries.values().map(|entry| entry.crawl.as_str()).collect();
    if crawls.is_empty() {
        return Err(Failure::new(
            "there is nothing to model",
            folder.root(),
            "the ledger has no part; robocensus ingest writes them",
        ));
    }
    let models = queries::all(queries::QueryKind::Model)?;
    for table in tables::derived() {
        let missing =
            || Failure::new("model is missing", Path::new(table.name), "there is no such file in queries/models");
        let model = models.iter().find(|model| model.name == table.name).ok_or_else(missing)?;
        // One a table: what was made of the models before is to be seen, and what was seen of them before is not.
        let session = Session::open(folder.root(), &options.session).await?;
        let parameters = parameters(model, options.choice);
        for crawl in &crawls {
            let recipe = Recipe::read(model, crawl, folder, &entries, &options.session)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let before = models::read(folder, table.name, crawl)?;
            let there = before.filter(|made| {
                options.again == Again::Never && made.parameters == parameters && recipe.is_that_of(made, folder)
            });
            let outcome = match there {
                Some(made) => ModelOutcome { made, was_there: true },
                None => match make_one(&session, model, &table, &recipe, &parameters, stop).await? {
                    Some(made) => ModelOutcome { made, was_there: false },
                    None => return Ok(false),
                },
            };
            told(&outcome);
        }
    }
    Ok(true)
}

/// Makes one model of one crawl; nothing if it was told to stop.
async fn make_one(
    session: &Session,
    model: &Query,
    table: &Table,
    recipe: &Recipe,
    parameters: &BTreeMap<String, String>,
    stop: &AtomicBool,
) -> Result<Option<Made>, Failure> {
    let start = Instant::now();
    let folder = session.folder();
    let path = folder.file(table.name, &recipe.crawl, PART);
    let draft = folder.work().join(format!("{}-{}.parquet", table.name, recipe.crawl));
    let cannot = |cause: &dyn std::fmt::Display| Failure::new("model cannot be made", &path, cause);
    let file = File::create(&draft).map_err(|error| cannot(&error))?;
    let mut batches = BatchFile::new(table.clone(), Digested::new(file)).map_err(|error| cannot(&error))?;
    let chosen = parameters.iter().map(|(name, value)| (name.clone(), value.clone()));
    let values = chosen.chain([("crawl".to_owned(), recipe.crawl.clone())]);
    let statement = model.statement(&[], &values.map(|(name, value)| (name, ParameterValue::Text(value))).collect())?;
    let frame = session.answer(statement.into()).await.map_err(|error| cannot(&error.strip_backtrace()))?;
    let mut stream = frame.execute_stream().await.map_err(|error| cannot(&error.strip_backtrace()))?;
    while let Some(batch) = stream.try_next().await.map_err(|error| cannot(&error.strip_backtrace()))? {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        batches.write(&batch).map_err(|error| cannot(&error))?;
    }
    let rows = batches.finish().map_err(|error| cannot(&error))?;
    let sink = batches.sink();
    let file = WrittenFile { table: table.name.to_owned(), rows, bytes: sink.bytes(), sha256: sink.letters() };
    durable::make_folder(&folder.partition(table.name, &recipe.crawl)).map_err(|error| cannot(&error))?;
    sink.out().sync_all().and_then(|()| durable::publish(&draft, &path)).map_err(|error| cannot(&error))?;
    let made = Made {
        crawl: recipe.crawl.clone(),
        file,
        of: recipe.sources.clone(),
        parameters: parameters.clone(),
        made_by: MADE_BY.to_owned(),
        seconds: start.elapsed().as_secs_f64(),
    };
    models::write(folder, &made)?;
    Ok(Some(made))
}

/// The choice of a capture, where the statement has such a parameter.
fn parameters(model: &Query, choice: CapturePreference) -> BTreeMap<String, String> {
    let is_choice = |parameter: &&queries::Parameter| parameter.name == "capture";
    let parameter = model.header.parameters.iter().find(is_choice);
    parameter.map(|parameter| (parameter.name.clone(), choice.name().to_owned())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use crate::queries::{self, QueryKind};

    /// The statement has a join for each redirect, since SQL without recursion can count no further.
    #[test]
    fn sites_follow_as_many_redirects_as_the_limit_says() {
        let sites = queries::find(QueryKind::Model, "sites").unwrap().unwrap();
        let joins = sites.text.matches("LEFT JOIN redirect_targets AS t").count();
        // One more finds the row of the last capture.
        assert_eq!(joins, robots::limits::REDIRECTS as usize + 1);
    }
}
