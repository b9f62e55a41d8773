//! Keeps a mistake from destroying an input: no command writes over a file that it reads.

use super::CommandArguments;
use super::query::QueryArguments;
use super::session::SessionArguments;
use super::sql::SqlArguments;
use folder::{Failure, regular};
use std::path::{Path, PathBuf};

/// Where a command reads standard input if it is a file.
const STDIN: &str = "/dev/stdin";

/// A file that a command writes, and the files that it reads beside the tables.
struct TypedFiles<'t> {
    out: Option<&'t PathBuf>,
    inputs: Vec<&'t Path>,
}

impl CommandArguments {
    /// Fails if the file that the command writes is one that it reads, also by a link or a second name.
    pub(crate) fn refuse_output_over_input(&self) -> Result<(), Failure> {
        let TypedFiles { out: Some(out), inputs } = self.typed_files() else { return Ok(()) };
        let inputs = inputs.into_iter().map(|input| if input == "-" { Path::new(STDIN) } else { input });
        regular::refuse_input(out, inputs)
    }

    fn typed_files(&self) -> TypedFiles<'_> {
        use CommandArguments::{
            Agents, Catalog, Check, Commit, Completions, Demo, Explain, Ingest, Judge, Lint, Man, Models, Plan, Query,
            Report, Sql,
        };
        let (out, inputs) = match self {
            Agents(typed) => (&typed.out.out, [&typed.list].into_iter().chain(&typed.known.agents).collect()),
            Lint(typed) => (&typed.out.out, typed.files.iter().collect()),
            Check(typed) => (&typed.out.out, typed.agents.iter().collect()),
            Models(typed) => (&typed.out.out, typed.list.agents.iter().collect()),
            Catalog(typed) => (&typed.out.out, typed.list.agents.iter().collect::<Vec<_>>()),
            Judge(typed) => {
                let inputs = typed.robots.as_deref().or(typed.ndjson.then_some(Path::new(STDIN)));
                return TypedFiles { out: typed.out.out.as_ref(), inputs: inputs.into_iter().collect() };
            }
            Query(typed) => return of_query(typed),
            Sql(typed) => return of_sql(typed),
            // They write folders, which must be empty or their own, or read nothing but tables.
            Demo(_) | Ingest(_) | Plan(_) | Commit(_) | Explain(_) | Report(_) | Completions(_) | Man(_) => {
                return TypedFiles { out: None, inputs: Vec::new() };
            }
        };
        TypedFiles { out: out.as_ref(), inputs: inputs.into_iter().map(PathBuf::as_path).collect() }
    }
}

fn of_query(typed: &QueryArguments) -> TypedFiles<'_> {
    of_session(&typed.session, typed.question_file())
}

fn of_sql(typed: &SqlArguments) -> TypedFiles<'_> {
    let script = typed.file.as_deref().or(typed.statement.is_none().then_some(Path::new(STDIN)));
    of_session(&typed.session, script)
}

fn of_session<'t>(session: &'t SessionArguments, script: Option<&'t Path>) -> TypedFiles<'t> {
    let own = session.table.iter().map(|own| &own.path).chain(&session.list.agents).map(PathBuf::as_path);
    TypedFiles { out: session.out.as_ref(), inputs: own.chain(script).collect() }
}
