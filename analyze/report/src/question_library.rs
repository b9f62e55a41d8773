//! The questions of the library, and their answers for a report.

use crate::answer_table::AnswerTable;
use crate::elsewhere;
use analyze::portable::{self, Engine};
use analyze::queries::{self, Query, QueryKind};
use analyze::statement::{ParameterValues, ParsedQuery};
use analyze::{AnswerBatches, Session, SessionOptions, known_agents, template_names};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::DataFusionError;
use folder::Failure;
use std::collections::BTreeMap;
use std::path::Path;
use tokio::runtime::Handle;

/// All questions and views.
pub(crate) struct QuestionLibrary {
    pub(crate) questions: BTreeMap<String, Query>,
    pub(crate) views: Vec<Query>,
    /// The names of agents as their operators spell them, by token.
    spellings: BTreeMap<String, String>,
    /// The names of templates, by their codes.
    templates: BTreeMap<String, String>,
}

/// Why a question has no answer.
pub(crate) struct QuestionError {
    pub(crate) failure: Failure,
    pub(crate) is_out_of_memory: bool,
}

impl From<Failure> for QuestionError {
    fn from(failure: Failure) -> Self {
        QuestionError { failure, is_out_of_memory: false }
    }
}

/// The answer to a question.
pub(crate) struct AnsweredQuestion {
    pub(crate) question: Query,
    pub(crate) values: ParameterValues,
    pub(crate) sql: String,
    pub(crate) answer: AnswerTable,
    pub(crate) is_given: bool,
}

impl QuestionLibrary {
    pub(crate) fn load() -> Result<Self, Failure> {
        let questions = queries::all(QueryKind::Question)?;
        let questions = questions.into_iter().map(|question| (question.name.clone(), question)).collect();
        let (spellings, templates) = (BTreeMap::new(), BTreeMap::new());
        Ok(QuestionLibrary { questions, views: queries::all(QueryKind::View)?, spellings, templates })
    }

    /// Reads the names of agents and templates that the answers show. `agents` is a list of the user.
    pub(crate) fn read_names(&mut self, agents: Option<&Path>) -> Result<(), Failure> {
        self.spellings = known_agents(agents)?.into_iter().map(|agent| (agent.token, agent.name)).collect();
        self.templates = template_names()?;
        Ok(())
    }

    /// A question by its name, with the values of its parameters and its statement.
    fn statement(&self, name: &str, set: &[(&str, String)]) -> Result<(&Query, ParameterValues, ParsedQuery), Failure> {
        let question = self.questions.get(name);
        let question = question.ok_or_else(|| Failure::new("question is unknown", Path::new(name), "no such file"))?;
        let typed = set.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let values = question.values(&self.views, &typed)?;
        let statement = question.statement(&self.views, &values)?;
        Ok((question, values, statement))
    }

    /// The statements of a question for an engine; `None` if they need a function that only robocensus has.
    pub(crate) async fn script(
        &self,
        session: &Session,
        options: &SessionOptions,
        engine: Engine,
        name: &str,
        set: &[(&str, String)],
    ) -> Result<Option<String>, Failure> {
        let (question, _, statement) = self.statement(name, set)?;
        if portable::own_function(&statement).is_some() {
            return Ok(None);
        }
        let (root, context) = (session.folder().root(), session.context());
        portable::script(&statement, root, options, context, engine, question).await.map(Some)
    }

    /// Answers a question that the report cannot do without, in the first session that has enough memory.
    pub(crate) async fn answer_needed(&self, session: &Session, name: &str) -> Result<AnswerTable, Failure> {
        let mut session = session;
        loop {
            let error = match self.answer(session, name, &[], None).await {
                Ok(found) => return Ok(found.answer),
                Err(error) => error,
            };
            let sparing = if error.is_out_of_memory { session.sparing().await? } else { None };
            let Some((sparing, _)) = sparing else { return Err(error.failure) };
            session = sparing;
        }
    }

    /// Answers a question. `given` is a folder of answers by another engine, and the id of the figure.
    pub(crate) async fn answer(
        &self,
        session: &Session,
        name: &str,
        set: &[(&str, String)],
        given: Option<(&Path, &str)>,
    ) -> Result<AnsweredQuestion, QuestionError> {
        let (question, values, statement) = self.statement(name, set)?;
        let sql = format!("{statement:#}");
        let place = Path::new(name);
        let question_error = |error: DataFusionError| {
            let is_out_of_memory = analyze::is_of_memory(&error);
            QuestionError { failure: session.failure(&error, place), is_out_of_memory }
        };
        let frame = session.answer(statement.into()).await.map_err(question_error)?;
        let schema = SchemaRef::new(frame.schema().as_arrow().clone());
        let given = given.map(|(answers, id)| elsewhere::read(answers, id, &schema)).transpose()?.flatten();
        let is_given = given.is_some();
        let batches = match given {
            Some(batches) => batches,
            None => {
                let work = async move { frame.execute_stream().await };
                AnswerBatches::start(&Handle::current(), work).all().await.map_err(question_error)?
            }
        };
        let mut answer =
            AnswerTable::read(schema, batches).map_err(|error| Failure::new("answer cannot be read", place, error))?;
        answer.spell_agents(&self.spellings);
        answer.name_templates(&self.templates);
        Ok(AnsweredQuestion { question: question.clone(), values, sql, answer, is_given })
    }
}
