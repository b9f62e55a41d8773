//! The section of the documentation that lists the functions.

use datafusion::logical_expr::DocSection;

pub(super) const SECTION: DocSection = DocSection { include: true, label: "Robots.txt", description: None };
