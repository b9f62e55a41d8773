//! SQL functions for robots.txt. Each calls the crate `robots` or `hosts` and decides nothing itself.

mod access;
mod allowed;
mod domain;
#[cfg(test)]
mod fixture;
mod matches;
mod outcome;
#[cfg(test)]
mod page;
mod texts;
mod token;

use access::{ACCESS, BODY_ACCESS};
use datafusion::logical_expr::{AggregateUDF, DocSection, Documentation, ScalarUDF};
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// The section of the documentation that lists the functions.
const SECTION: DocSection = DocSection { include: true, label: "Robots.txt", description: None };

/// Registers all functions in a session.
pub fn register(context: &SessionContext) {
    for function in scalars() {
        context.register_udf(function);
    }
    context.register_udaf(aggregate());
    context.register_udtf(ACCESS, Arc::new(access::RobotsAccess));
    context.register_udtf(BODY_ACCESS, Arc::new(access::bodies::RobotsBodyAccess));
}

/// The name and documentation of each function.
#[must_use]
pub fn documentation() -> Vec<(String, Documentation)> {
    let scalars = scalars();
    let aggregate = aggregate();
    let of_session = scalars.iter().map(|function| (function.name(), function.documentation()));
    let of_session = of_session.chain([(aggregate.name(), aggregate.documentation())]);
    let of_tables = [(ACCESS, Some(&*access::DOCUMENTATION)), (BODY_ACCESS, Some(&*access::bodies::DOCUMENTATION))];
    of_session
        .chain(of_tables)
        .filter_map(|(name, documentation)| Some((name.to_owned(), documentation?.clone())))
        .collect()
}

fn scalars() -> [ScalarUDF; 5] {
    [
        ScalarUDF::from(matches::robots_matches()),
        ScalarUDF::from(token::robots_token()),
        ScalarUDF::from(token::robots_product_token()),
        ScalarUDF::from(outcome::RobotsOutcomeAccess::default()),
        ScalarUDF::from(domain::registered_domain()),
    ]
}

fn aggregate() -> AggregateUDF {
    AggregateUDF::from(allowed::RobotsAllowed::default())
}
