//! State that all parts of a check share.

use super::options::CheckOptions;
use crate::progress::Progress;
use folder::Folder;
use std::sync::atomic::AtomicBool;

/// State that all parts of a check share.
#[derive(Debug, Clone, Copy)]
pub(super) struct CheckJob<'j> {
    pub(super) folder: &'j Folder,
    pub(super) options: CheckOptions,
    pub(super) progress: &'j Progress,
    pub(super) stop: &'j AtomicBool,
}
