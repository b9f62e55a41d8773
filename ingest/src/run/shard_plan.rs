//! How many shards share a plan.

use crate::plan::{Part, Plan};
use folder::seal::Unread;
use folder::{Failure, Folder, seal};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// How many shards share a plan. Its file is beside the plan until all shards are published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardPlan {
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// The digest of the plan: its inputs, versions and options.
    pub plan: String,
}

impl ShardPlan {
    /// The shards of a folder. `None` if it has no shards, or they are published.
    pub fn read(folder: &Folder) -> Result<Option<Self>, Failure> {
        let remedy = "if you remove it, robocensus plan starts all shards again";
        seal::read(Unread { what: UNREAD, remedy }, &folder.shard_plan())
    }

    pub(super) fn write(&self, folder: &Folder) -> Result<(), Failure> {
        let path = folder.shard_plan();
        seal::write(&folder.draft(&path), &path, self).map_err(Failure::at("shards cannot be planned", &path))
    }
}

/// The failure of a shard plan or marker that cannot be read.
pub(super) const UNREAD: &str = "record of shards cannot be read";

impl ShardPlan {
    /// The parts of a shard.
    pub(super) fn parts_of<'p>(&self, shard: u32, plan: &'p Plan) -> impl Iterator<Item = &'p Part> {
        let shards = self.shards;
        plan.parts.iter().filter(move |part| part.part % shards == shard)
    }
}

/// Fails if the plan of a folder waits for shards, since it must not change then.
pub(super) fn refuse_planned(folder: &Folder) -> Result<(), Failure> {
    match ShardPlan::read(folder)? {
        None => Ok(()),
        Some(_) => {
            let cause = "shards make its parts; robocensus commit publishes them";
            Err(Failure::new("folder is planned for shards", folder.root(), cause))
        }
    }
}
