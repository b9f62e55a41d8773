//! Which questions a report asks, and their list for another engine.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::contents::{CrawlScope, FigureSpec, ReportSection, SECTIONS};
use crate::elsewhere::ListedQuestion;
use crate::options::ReportOptions;
use crate::question_library::QuestionLibrary;
use analyze::portable::Engine;
use analyze::queries::{Query, option_name};
use analyze::{Session, SessionOptions, known_agents};
use folder::Failure;
use std::collections::BTreeSet;

/// The questions of the chosen sections, and the crawls that they are about.
pub(crate) struct ReportQuestions {
    pub(crate) library: QuestionLibrary,
    pub(crate) options: ReportOptions,
    /// All crawls, in the order of the view `crawls`.
    pub(crate) crawls: Vec<String>,
    /// The crawl that figures of one crawl show.
    pub(crate) crawl: String,
    /// The agents that the list of agents tracks, by token.
    tracked: BTreeSet<String>,
    /// Whether one of them is an AI agent.
    has_ai_agents: bool,
}

impl ReportQuestions {
    /// Reads the crawls. Also returns the answer to `what_was_read`, which names them. Fails if the chosen crawl is
    /// unknown.
    pub(crate) async fn read(
        session: &Session,
        library: QuestionLibrary,
        options: &ReportOptions,
    ) -> Result<(Self, AnswerTable), Failure> {
        let read = library.answer_needed(session, "what_was_read").await?;
        let crawls: Vec<String> = read
            .column("crawl")
            .filter_map(|cell| match cell {
                AnswerCell::Text(crawl) => Some(crawl.clone()),
                _ => None,
            })
            .collect();
        let crawl = match &options.crawl {
            None => crawls.last().cloned().unwrap_or_default(),
            Some(crawl) => {
                session.find_crawl(crawl)?;
                crawl.clone()
            }
        };
        let agents = known_agents(options.agents.as_deref())?;
        let tracked = || agents.iter().filter(|agent| agent.is_tracked);
        let has_ai_agents = tracked().any(|agent| agent.is_ai);
        let tracked = tracked().map(|agent| agent.token.clone()).collect();
        Ok((ReportQuestions { library, options: options.clone(), crawls, crawl, tracked, has_ai_agents }, read))
    }

    /// The chosen sections.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &'static ReportSection> {
        let only = &self.options.only;
        SECTIONS.iter().filter(|section| only.is_empty() || only.iter().any(|name| name == section.id))
    }

    /// The figures of the chosen sections.
    pub(crate) fn figures(&self) -> impl Iterator<Item = &'static FigureSpec> {
        self.sections().flat_map(|section| section.figures)
    }

    /// The figures whose questions are asked. A figure that asks the same as an earlier one shares its answer.
    pub(crate) fn askers(&self) -> Vec<&'static FigureSpec> {
        let mut askers: Vec<&'static FigureSpec> = Vec::new();
        for figure in self.figures() {
            if !askers.iter().any(|asker| asker.asks_like(figure)) {
                askers.push(figure);
            }
        }
        askers
    }

    /// The values of parameters for the question of a figure, or the reason not to ask it.
    pub(crate) fn values(&self, figure: &'static FigureSpec) -> Result<Vec<(&'static str, String)>, &'static str> {
        if let Some(table) = figure.needs
            && self.options.own.iter().all(|own| own != table)
        {
            return Err("it needs a list of ranks: --table ranks=FILE");
        }
        if figure.crawls == CrawlScope::Several && self.crawls.len() < 2 {
            return Err("it compares crawls, and there is no second one");
        }
        // "No site blocks an AI agent" would not follow from such a list.
        let is_about_ai = || {
            SECTIONS
                .iter()
                .any(|section| section.id == "ai" && section.figures.iter().any(|of_ai| of_ai.id == figure.id))
        };
        if !self.has_ai_agents && is_about_ai() {
            return Err("it is about AI agents, and the list of agents tracks none");
        }
        let mut set: Vec<_> = figure.set.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        if let Some(tokens) = self.tracked_tokens(figure) {
            // In these questions, no token means all agents. Other questions also count sites that name none of them.
            let is_about_them = |question: &Query| question.text.contains("'' IN ($tokens)");
            if tokens.is_empty() && self.library.questions.get(figure.question).is_some_and(is_about_them) {
                return Err("the list of agents tracks none of the agents that it is about");
            }
            set.retain(|(name, _)| *name != "tokens");
            set.push(("tokens", tokens));
        }
        if figure.crawls == CrawlScope::One && !self.crawl.is_empty() {
            set.push(("crawl", self.crawl.clone()));
        }
        Ok(set)
    }

    /// The value of `tokens` for a list of agents that does not track all agents of a figure: those that it tracks.
    /// `query` would also find verdicts for the others.
    fn tracked_tokens(&self, figure: &FigureSpec) -> Option<String> {
        let default = || {
            let parameters = &self.library.questions.get(figure.question)?.header.parameters;
            parameters.iter().find(|parameter| parameter.name == "tokens").map(|tokens| &*tokens.written_default)
        };
        let set = figure.set.iter().find(|(name, _)| *name == "tokens").map(|(_, tokens)| *tokens);
        let tokens =
            || set.or_else(default).unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
        let is_tracked = |name: &&str| self.tracked.contains(&name.to_ascii_lowercase());
        let tracked: Vec<&str> = tokens().filter(is_tracked).collect();
        (tracked.len() < tokens().count()).then(|| tracked.join(","))
    }

    /// The questions with their arguments, and with their statements for an engine.
    pub(crate) async fn list(
        &self,
        session: &Session,
        engine: Option<(Engine, &SessionOptions)>,
    ) -> Result<Vec<ListedQuestion>, Failure> {
        let mut listed = Vec::new();
        for figure in self.askers() {
            let Ok(set) = self.values(figure) else { continue };
            let arguments = arguments(figure, &set);
            let sql = match engine {
                Some((engine, options)) => self.library.script(session, options, engine, figure.question, &set).await?,
                None => None,
            };
            listed.push(ListedQuestion { id: figure.id, arguments, sql });
        }
        Ok(listed)
    }
}

/// The arguments of `robocensus query` that ask the question of a figure.
pub(crate) fn arguments(figure: &FigureSpec, set: &[(&str, String)]) -> Vec<String> {
    let options = set.iter().flat_map(|(name, value)| [format!("--{}", option_name(name)), value.clone()]);
    [figure.question.to_owned()].into_iter().chain(options).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::{Series, figure, figures};
    use crate::formatting::{Measure, format_date};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn each_figure_has_a_question_with_the_parameters_that_it_sets() {
        let library = QuestionLibrary::load().unwrap();
        let mut ids = BTreeSet::new();
        for figure in figures() {
            assert!(ids.insert(figure.id), "id occurs twice: {}", figure.id);
            let question = library.questions.get(figure.question).unwrap_or_else(|| panic!("{}", figure.question));
            let mut typed: BTreeMap<String, String> =
                figure.set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            if figure.crawls == CrawlScope::One {
                typed.insert("crawl".to_owned(), "A".to_owned());
            }
            question.values(&library.views, &typed).unwrap_or_else(|failure| panic!("{}: {failure}", figure.id));
        }
    }

    #[test]
    fn the_figure_on_definitions_draws_each_definition_of_its_question() {
        let library = QuestionLibrary::load().unwrap();
        let text = &library.questions.get("definition_sensitivity").unwrap().text;
        let counts = text.lines().filter_map(|line| line.trim_end_matches(',').split_once(" AS sites_"));
        let asked: Vec<&str> =
            counts.map(|(_, column)| column).filter(|column| !column.starts_with("counted")).collect();
        assert_eq!(asked.len(), 10, "{asked:?}");
        let figure = figure("definition_sensitivity");
        let Series::Wide(drawn) = figure.plot.series else { panic!("it draws no columns") };
        assert_eq!(drawn.iter().map(|(column, _)| *column).collect::<Vec<_>>(), asked);
        for column in asked {
            assert!(figure.columns.contains(&column), "{column} is missing in the table");
            assert_eq!(Measure::of_column(column), Measure::Share, "{column}");
        }
    }
    /// Figures state the name and the day of their event.
    #[test]
    fn figures_of_events_state_their_day() {
        let mut stated = 0;
        for figure in figures() {
            let Some((_, name)) = figure.set.iter().find(|(name, _)| *name == "event") else { continue };
            let event = analyze::events().into_iter().find(|event| event.event == *name).unwrap();
            let day = format_date(&event.day).unwrap();
            assert_eq!(figure.title, format!("Before and after: {} ({day})", event.name));
            assert!(figure.definition.contains(&format!("ended before {day} and")), "{}: {day}", figure.id);
            stated += 1;
        }
        assert!(stated > 2, "{stated}");
    }
}
