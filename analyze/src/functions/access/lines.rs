//! Reads the user-agent lines and rules of bodies, one body at a time.

use super::cursor::{AgentRows, BodyCursor, BodyKey, RuleRows};
use datafusion::common::{Result, internal_err};
use datafusion::execution::SendableRecordBatchStream;
use robots::Transcript;

/// User-agent lines and rules, and a transcript that is reused for each body.
pub(super) struct Lines {
    agents: BodyCursor<AgentRows>,
    rules: BodyCursor<RuleRows>,
    transcript: Transcript,
}

impl Lines {
    pub(super) fn new(groups: SendableRecordBatchStream, rules: SendableRecordBatchStream) -> Self {
        Lines { agents: BodyCursor::new(groups), rules: BodyCursor::new(rules), transcript: Transcript::default() }
    }

    /// A transcript of the lines of a body. Bodies must be requested in order. Fails if lines are not in order.
    pub(super) async fn read_body(&mut self, key: BodyKey<'_>) -> Result<&Transcript> {
        let Lines { agents, rules, transcript } = self;
        transcript.clear();
        let number = |number: i32| u32::try_from(number).unwrap_or_default();
        let mut last = LineOrder::default();
        let add = |rows: &AgentRows, row: usize| {
            let (group, line) = (number(rows.groups.value(row)), number(rows.lines.value(row)));
            last.push(line);
            transcript.push_agent(group, line, rows.agents.value(row).as_bytes());
        };
        agents.take(key, add).await?;
        last.line = 0;
        let add = |rows: &RuleRows, row: usize| {
            let (group, line) = (number(rows.groups.value(row)), number(rows.lines.value(row)));
            last.push(line);
            transcript.push_rule(group, line, rows.allows.value(row), rows.patterns.value(row).as_bytes());
        };
        rules.take(key, add).await?;
        if last.is_unordered {
            return internal_err!("lines of a body are not in the order of the file: {}: body {}", key.0, key.1);
        }
        Ok(transcript)
    }
}

/// Checks that lines come in the order of the file. If the tables have this order, the lines are not sorted again.
#[derive(Default)]
struct LineOrder {
    line: u32,
    is_unordered: bool,
}

impl LineOrder {
    fn push(&mut self, line: u32) {
        self.is_unordered |= line < self.line;
        self.line = line;
    }
}
