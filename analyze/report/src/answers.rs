//! Asks the questions of a report.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::contents::{FigureSpec, ReportSection};
use crate::crawl_days::CrawlDays;
use crate::options::{ReportOptions, ReportProgress};
use crate::question_library::{QuestionError, QuestionLibrary};
use crate::report_questions::{ReportQuestions, arguments};
use analyze::Session;
use analyze::queries::Query;
use analyze::statement::{ParameterValue, ParameterValues};
use folder::Failure;
use futures_util::future::TryFutureExt as _;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::runtime::Handle;
use visible::shell_word;

/// All answers of a report.
pub(crate) struct ReportAnswers {
    /// The title of the report.
    pub(crate) title: String,
    /// All crawls, in the order of the view `crawls`.
    pub(crate) crawls: Vec<String>,
    /// The crawl that figures of one crawl show.
    pub(crate) crawl: String,
    /// How many parts of the archives are not in the tables yet.
    pub(crate) parts_left: usize,
    /// The day on which each crawl started.
    pub(crate) crawl_days: CrawlDays,
    /// The answer to `what_was_read`.
    pub(crate) read: AnswerTable,
    /// The answer to `lists_in_use`.
    pub(crate) lists: AnswerTable,
    /// The sections of the report, each with its figures.
    pub(crate) sections: Vec<(&'static ReportSection, Vec<FigureOutcome>)>,
}

/// A figure with its answer, or left out.
#[derive(Clone)]
pub(crate) enum FigureOutcome {
    /// The question was answered.
    Shown(Box<ShownFigure>),
    /// The question was not asked, with the reason.
    LeftOut(&'static FigureSpec, &'static str),
}

/// A figure with its answer.
#[derive(Clone)]
pub(crate) struct ShownFigure {
    pub(crate) figure: &'static FigureSpec,
    /// The question with its header.
    pub(crate) question: Query,
    /// The values of all parameters.
    pub(crate) values: ParameterValues,
    /// The shell command that gives the same answer.
    pub(crate) command: String,
    /// The statement that was run.
    pub(crate) sql: String,
    pub(crate) answer: AnswerTable,
    /// Whether another engine computed the answer.
    pub(crate) is_given: bool,
}

/// From so many captures on, a report asks half as many questions at a time.
const MANY_CAPTURES: f64 = 4e6;

/// How many questions to ask at a time. No single question keeps all threads busy to its end, but each needs memory.
/// Measured with two threads: over 9.96 million captures, two questions at a time take 87 s and 2.2 GB, one takes 91 s
/// and 1.35 GB; over 996,000 captures, 8.4 s and 10 s.
fn questions_at_a_time(jobs: usize, captures: f64) -> usize {
    let questions = if captures < MANY_CAPTURES { jobs } else { jobs / 2 };
    questions.clamp(1, 4)
}

/// Views that several questions of a report read, and that have few rows: at most about as many as there are bodies. A
/// session for a report keeps them.
pub const KEPT_VIEWS: &[&str] =
    &["strata", "stratum_bodies", "stratum_classes", "stratum_contents", "stratum_totals", "template_bodies"];

const TITLE: &str = "A census of robots.txt";

impl ReportAnswers {
    /// Asks the questions of all chosen sections.
    pub(crate) async fn ask(
        session: &Arc<Session>,
        options: &ReportOptions,
        progress: &ReportProgress,
    ) -> Result<Self, Failure> {
        let mut library = QuestionLibrary::load()?;
        library.read_names(options.agents.as_deref())?;
        let lists = library.answer_needed(session, "lists_in_use").await?;
        let (questions, read) = ReportQuestions::read(session, library, options).await?;
        let questions = Arc::new(questions);
        let askers = questions.askers();
        let figures: Vec<_> = questions.figures().collect();
        progress.figures_in_all.store(figures.len(), Ordering::Relaxed);
        let alike = |figure: &FigureSpec| figures.iter().filter(|other| other.asks_like(figure)).count();
        let answers = asked_apart(&askers).map(|figure| {
            let (session, questions) = (Arc::clone(session), Arc::clone(&questions));
            let alike = alike(figure);
            let runtime = Handle::current();
            // Each question has a thread: planning is much of the work, and a single thread would plan one after
            // another.
            analyze::on_own_thread(move || runtime.block_on(ask_figure(&session, &questions, figure)))
                .map_err(|error| Failure::new("question cannot be answered", Path::new(figure.question), error))
                .and_then(std::future::ready)
                .inspect_ok(move |attempt| {
                    if let FigureAttempt::Done(_) = attempt {
                        progress.figures.fetch_add(alike, Ordering::Relaxed);
                    }
                })
        });
        let captures = read.column("captures").filter_map(AnswerCell::number).sum();
        let at_a_time = questions_at_a_time(options.jobs, captures);
        let asked: Vec<FigureAttempt> = stream::iter(answers).buffered(at_a_time).try_collect().await?;
        let mut outcomes = Vec::with_capacity(asked.len());
        for attempt in asked {
            outcomes.push(match attempt {
                FigureAttempt::Done(outcome) => outcome,
                FigureAttempt::OutOfMemory(figure) => {
                    let outcome = ask_again(session, at_a_time == 1, &questions, figure, progress).await?;
                    progress.figures.fetch_add(alike(figure), Ordering::Relaxed);
                    outcome
                }
            });
        }
        let of = |figure| outcomes.iter().find_map(|outcome| outcome.shared_with(figure));
        let answered = |section: &'static ReportSection| (section, section.figures.iter().filter_map(of).collect());
        let sections = questions.sections().map(answered).collect();
        let crawl_days = CrawlDays::read(&read);
        let title = options.title.clone().unwrap_or_else(|| TITLE.to_owned());
        let (crawls, crawl) = (questions.crawls.clone(), questions.crawl.clone());
        let parts_left = session.parts_left();
        Ok(ReportAnswers { title, crawls, crawl, parts_left, crawl_days, read, lists, sections })
    }

    /// The figures with an answer.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &ShownFigure> {
        self.sections.iter().flat_map(|(_, outcomes)| outcomes).filter_map(FigureOutcome::shown)
    }

    /// The figures left out, with the reason.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = (&'static FigureSpec, &'static str)> {
        self.sections.iter().flat_map(|(_, outcomes)| outcomes).filter_map(|outcome| match outcome {
            FigureOutcome::Shown(_) => None,
            FigureOutcome::LeftOut(figure, why) => Some((*figure, *why)),
        })
    }
}

/// The order in which questions are asked. Neighbours are asked apart, because they often keep rows of the same table
/// in memory.
fn asked_apart<T: Copy>(askers: &[T]) -> impl Iterator<Item = T> {
    let every_second = |start: usize| askers.iter().skip(start).step_by(2).copied();
    every_second(0).chain(every_second(1))
}

impl FigureOutcome {
    /// The figure, if the question was answered.
    pub(crate) fn shown(&self) -> Option<&ShownFigure> {
        match self {
            FigureOutcome::Shown(shown) => Some(shown),
            FigureOutcome::LeftOut(..) => None,
        }
    }

    /// The outcome for another figure; `None` if it does not ask the same.
    fn shared_with(&self, figure: &'static FigureSpec) -> Option<Self> {
        match self {
            FigureOutcome::Shown(shown) => {
                let copy = || FigureOutcome::Shown(Box::new(ShownFigure { figure, ..ShownFigure::clone(shown) }));
                shown.figure.asks_like(figure).then(copy)
            }
            FigureOutcome::LeftOut(asker, why) => {
                asker.asks_like(figure).then_some(FigureOutcome::LeftOut(figure, why))
            }
        }
    }
}

/// The result of asking the question of a figure once.
enum FigureAttempt {
    Done(FigureOutcome),
    /// The memory limit was too low.
    OutOfMemory(&'static FigureSpec),
}

/// Why a figure is left out whose question found too little memory each time.
pub const SHORT_OF_MEMORY: &str = "it needs more memory than --memory allows";

/// Asks a question again that found too little memory: first alone, if it was not; then in sessions that use less and
/// less memory. A figure that still finds too little is left out; the others stay.
async fn ask_again(
    session: &Session,
    was_alone: bool,
    questions: &ReportQuestions,
    figure: &'static FigureSpec,
    progress: &ReportProgress,
) -> Result<FigureOutcome, Failure> {
    let mut session = session;
    if !was_alone && let FigureAttempt::Done(outcome) = ask_figure(session, questions, figure).await? {
        return Ok(outcome);
    }
    progress.asked_again.fetch_add(1, Ordering::Relaxed);
    while let Some((sparing, _)) = session.sparing().await? {
        if let FigureAttempt::Done(outcome) = ask_figure(sparing, questions, figure).await? {
            return Ok(outcome);
        }
        session = sparing;
    }
    Ok(FigureOutcome::LeftOut(figure, SHORT_OF_MEMORY))
}

async fn ask_figure(
    session: &Session,
    questions: &ReportQuestions,
    figure: &'static FigureSpec,
) -> Result<FigureAttempt, Failure> {
    let left_out = |why| Ok(FigureAttempt::Done(FigureOutcome::LeftOut(figure, why)));
    let set = match questions.values(figure) {
        Ok(set) => set,
        Err(why) => return left_out(why),
    };
    if is_short_of_memory_for_tests(figure) {
        return Ok(FigureAttempt::OutOfMemory(figure));
    }
    let given = questions.options.answers.as_deref().map(|answers| (answers, figure.id));
    let mut found = match questions.library.answer(session, figure.question, &set, given).await {
        Ok(found) => found,
        Err(QuestionError { is_out_of_memory: true, .. }) => return Ok(FigureAttempt::OutOfMemory(figure)),
        Err(QuestionError { failure, .. }) => return Err(failure),
    };
    found.answer.order_crawls(&questions.crawls);
    if found.answer.rows.is_empty() && !figure.absent.is_empty() {
        return left_out(figure.absent);
    }
    Ok(FigureAttempt::Done(FigureOutcome::Shown(Box::new(ShownFigure {
        figure,
        question: found.question,
        values: found.values,
        command: write_command(figure, &set, questions.options.agents.is_some()),
        sql: found.sql,
        answer: found.answer,
        is_given: found.is_given,
    }))))
}

/// Whether a test wants the question of a figure to find too little memory. Only debug builds do that. With a low limit,
/// it depends on the threads which questions do.
fn is_short_of_memory_for_tests(figure: &FigureSpec) -> bool {
    cfg!(debug_assertions) && std::env::var("ROBOCENSUS_TEST_MEMORY").is_ok_and(|name| name == figure.question)
}

/// The shell command that gives the same answer. The user's own table or list of agents is `FILE`, since its path may be
/// private.
fn write_command(figure: &FigureSpec, set: &[(&str, String)], has_own_agents: bool) -> String {
    let mut words: Vec<String> = arguments(figure, set).iter().map(|argument| shell_word(argument)).collect();
    let table = figure.needs.map(|table| format!("--table {table}=FILE"));
    words.splice(1..1, table.into_iter().chain(has_own_agents.then(|| "--agents FILE".to_owned())));
    format!("robocensus query {}", words.join(" "))
}

impl ShownFigure {
    /// The value of a text parameter.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            Some(ParameterValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The value of the parameter `top`, which limits an answer.
    pub(crate) fn top(&self) -> Option<usize> {
        match self.values.get("top") {
            Some(ParameterValue::Integer(top)) => usize::try_from(*top).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::{figure, figures};
    use std::collections::BTreeSet;

    #[test]
    fn large_crawls_have_fewer_questions_at_a_time() {
        assert_eq!([1, 2, 3, 16].map(|jobs| questions_at_a_time(jobs, 1e6)), [1, 2, 3, 4]);
        assert_eq!([1, 2, 4, 16].map(|jobs| questions_at_a_time(jobs, 1e7)), [1, 1, 2, 4]);
    }

    #[test]
    fn several_questions_read_each_view_that_is_kept() {
        let library = QuestionLibrary::load().unwrap();
        let asked: BTreeSet<_> = figures().map(|figure| figure.question).collect();
        let readers = || asked.iter().map(|name| &library.questions[*name]).chain(&library.views);
        for view in KEPT_VIEWS {
            assert!(library.views.iter().any(|known| known.name == *view), "{view} is no view");
            let count = readers().filter(|query| query.header.reads.iter().any(|read| read == view)).count();
            assert!(count > 1, "{view} has {count} readers");
        }
    }

    #[test]
    fn commands_are_for_a_shell() {
        let command = |id: &str, set: &[(&'static str, &str)], has_own_agents| {
            let set: Vec<_> = set.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            write_command(figure(id), &set, has_own_agents)
        };
        assert_eq!(
            command("top_agents", &[("top", "5"), ("crawl", "A-1")], false),
            "robocensus query top_agents --top 5 --crawl A-1"
        );
        assert_eq!(
            command("top_agents", &[("crawl", "x'; rm")], false),
            r"robocensus query top_agents --crawl 'x'\''; rm'"
        );
        // Without the table, or without the list that the derived tables were made with, the question fails.
        assert_eq!(
            command("agents_by_rank", &[("top", "8")], true),
            "robocensus query agents_by_rank --table ranks=FILE --agents FILE --top 8"
        );
    }
}
