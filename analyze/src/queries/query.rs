//! A query from a file of `queries/`.

use super::header::Header;
use super::parameter::Parameter;
use crate::statement::{ParameterValues, ParsedQuery};
use datafusion::error::DataFusionError;
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const FILES: &[QueryFile] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// A query from a file.
#[derive(Debug, Clone)]
pub struct Query {
    /// The name of its file, without the ending.
    pub name: String,
    /// Its header, parsed.
    pub header: Header,
    /// The text of the file, with the header.
    pub text: String,
    /// Whether it is built in, and not a file of the user.
    pub is_built_in: bool,
}

/// The purpose of a file of `queries/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// A query that several questions share.
    View,
    /// The statement of a derived table.
    Model,
    /// A question of a user.
    Question,
    /// A statement that returns no row over valid tables.
    Check,
}

impl QueryKind {
    /// The folder of its files, in `queries/`.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            QueryKind::View => "views",
            QueryKind::Model => "models",
            QueryKind::Question => "questions",
            QueryKind::Check => "checks",
        }
    }
}

/// The queries of a kind, by name.
pub fn all(kind: QueryKind) -> Result<Vec<Query>, Failure> {
    files(kind).map(read).collect()
}

/// The query of this kind and name; `None` for an unknown name. Reads no other header.
pub fn find(kind: QueryKind, name: &str) -> Result<Option<Query>, Failure> {
    files(kind).find(|(_, own, _)| *own == name).map(read).transpose()
}

/// Folder, name and text.
type QueryFile = (&'static str, &'static str, &'static str);

fn files(kind: QueryKind) -> impl Iterator<Item = &'static QueryFile> {
    FILES.iter().filter(move |(folder, ..)| *folder == kind.folder())
}

fn read((folder, name, text): &QueryFile) -> Result<Query, Failure> {
    let query = Query::parse(name, text, &PathBuf::from(format!("queries/{folder}/{name}.sql")))?;
    Ok(Query { is_built_in: true, ..query })
}

impl Query {
    /// Reads the text of a query of the user. Fails if its header is not valid; the statement is not parsed.
    pub fn parse(name: &str, text: &str, path: &Path) -> Result<Self, Failure> {
        Ok(Query {
            name: name.to_owned(),
            header: Header::parse(text, path)?,
            text: text.to_owned(),
            is_built_in: false,
        })
    }

    /// Its statement, parsed, with unbound parameters and without views. Fails if it is not exactly one query.
    pub fn parsed(&self) -> Result<ParsedQuery, Failure> {
        ParsedQuery::parse(&self.text).map_err(|error| match &error {
            DataFusionError::Plan(cause) => self.failure(cause),
            DataFusionError::SQL(cause, _) => self.failure(&cause.to_string().trim_start_matches("sql parser error: ")),
            _ => self.failure(&error.strip_backtrace()),
        })
    }

    /// The views that it reads, directly or through another view. A view comes after those that it reads.
    pub fn views<'v>(&self, views: &'v [Query]) -> Vec<&'v Query> {
        let mut found = Vec::new();
        self.collect_views(views, &mut found, &mut BTreeSet::from([self.name.clone()]));
        found
    }

    fn collect_views<'v>(&self, views: &'v [Query], found: &mut Vec<&'v Query>, seen: &mut BTreeSet<String>) {
        for view in self.header.reads.iter().filter_map(|name| views.iter().find(|view| view.name == *name)) {
            if seen.insert(view.name.clone()) {
                view.collect_views(views, found, seen);
                found.push(view);
            }
        }
    }

    /// The parameters that users can set: its own, and those of the views that it reads. Without hidden ones that it does
    /// not declare as its own, and without `crawl` if users cannot choose one crawl.
    #[must_use]
    pub fn parameters(&self, views: &[Query]) -> Vec<Parameter> {
        let read = self.views(views);
        let hidden = read.iter().copied().chain([self]).flat_map(|query| &query.header.hidden_parameters);
        let is_own = |name: &str| self.header.parameters.iter().any(|own| own.name == name);
        let mut kept_back: BTreeSet<&str> =
            hidden.map(|parameter| parameter.name.as_str()).filter(|name| !is_own(name)).collect();
        if self.header.no_crawl.is_some() {
            kept_back.insert("crawl");
        }
        let mut parameters = self.bound_parameters(views);
        parameters.retain(|parameter| !kept_back.contains(parameter.name.as_str()));
        parameters
    }

    /// All parameters of its statement.
    pub(super) fn bound_parameters(&self, views: &[Query]) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = self.header.declared_parameters().cloned().collect();
        for parameter in self.views(views).iter().flat_map(|view| view.header.declared_parameters()) {
            if parameters.iter().all(|other| other.name != parameter.name) {
                parameters.push(parameter.clone());
            }
        }
        parameters
    }

    /// The values of all its parameters: those in `typed`, and defaults for the others. Fails for an unknown parameter
    /// and for a value of the wrong type.
    pub fn values(&self, views: &[Query], typed: &BTreeMap<String, String>) -> Result<ParameterValues, Failure> {
        let parameters = self.parameters(views);
        if let Some(name) = typed.keys().find(|name| parameters.iter().all(|parameter| parameter.name != **name)) {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let cause = if names.is_empty() {
                "it has no parameters".to_owned()
            } else {
                format!("known parameters are {}", names.join(", "))
            };
            return Err(Failure::new("parameter is unknown", Path::new(&self.name), format_args!("{name}; {cause}")));
        }
        (self.bound_parameters(views).iter())
            .map(|parameter| {
                let value = match typed.get(&parameter.name) {
                    None => parameter.default.clone(),
                    Some(typed) => parameter.read(typed).map_err(|cause| {
                        Failure::new(
                            "parameter cannot be read",
                            Path::new(&self.name),
                            format_args!("{}: {cause}", parameter.name),
                        )
                    })?,
                };
                Ok((parameter.name.clone(), value))
            })
            .collect()
    }

    /// The tables that it reads, directly or through a view.
    #[must_use]
    pub fn tables(&self, views: &[Query]) -> BTreeSet<String> {
        let through = self.views(views);
        let names = through.iter().flat_map(|view| &view.header.reads).chain(&self.header.reads);
        names.filter(|name| views.iter().all(|view| view.name != **name)).cloned().collect()
    }

    fn failure(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::new("query cannot be read", Path::new(&self.name), cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::ParameterValue;

    /// The view `sites` has the hidden parameter `port`, and each question another line about it.
    #[test]
    fn a_hidden_parameter_is_of_the_questions_that_declare_it() {
        let query = |name: &str, line: &str, statement: &str| {
            let text = format!("-- title: A\n-- grain: one row\n{line}{statement}");
            Query::parse(name, &text, Path::new(name)).unwrap()
        };
        let port = "parameter: port integer = 80, port: which";
        let views = [query("sites", &format!("-- hidden {port}\n"), "SELECT $port AS port")];
        #[track_caller]
        fn check(question: &Query, views: &[Query], visible: &[&str], bound: i64) {
            let parameters = question.parameters(views);
            assert_eq!(parameters.iter().map(|parameter| &*parameter.name).collect::<Vec<_>>(), visible);
            let values = question.values(views, &BTreeMap::new()).unwrap();
            assert_eq!(values["port"], ParameterValue::Integer(bound));
            let typed = BTreeMap::from([("port".to_owned(), "8080".to_owned())]);
            assert_eq!(question.values(views, &typed).is_ok(), !visible.is_empty());
        }
        let ask = |line: &str| query("ports", &format!("-- reads: sites\n{line}"), "SELECT port FROM sites");
        check(&ask(""), &views, &[], 80);
        check(&ask(&format!("-- {port}\n")), &views, &["port"], 80);
        check(&ask("-- parameter: port integer = 443, port: which\n"), &views, &["port"], 443);
        check(&ask("-- hidden parameter: port integer = 443, port: which\n"), &views, &[], 443);
    }

    #[test]
    fn the_default_limit_of_a_file_is_that_of_the_parser() {
        let questions = all(QueryKind::Question).unwrap();
        let of_files = questions.iter().filter(|question| question.name.starts_with("over_500kib"));
        let parameters = of_files.flat_map(|question| &question.header.parameters);
        let limits: Vec<_> = parameters.filter(|parameter| parameter.name == "limit_bytes").collect();
        assert_eq!(limits.len(), 2);
        for limit in limits {
            assert_eq!(limit.default, ParameterValue::Integer(robots::limits::FIVE_HUNDRED_KIB as i64));
        }
    }
}
