//! The files that statements read and write: all but those of the folder of tables may be written.
//!
//! A statement that may write names its files itself, by `COPY` or as the location of a table of its own. Every one of them
//! is written through this store.

use async_trait::async_trait;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path as Location;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, RenameOptions, Result,
};
use folder::regular;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use std::fmt;
use std::path::{Path, PathBuf};

/// The files of this machine, without writing below a folder of tables.
#[derive(Debug)]
pub(super) struct FilesBesideTables {
    files: LocalFileSystem,
    /// The folder of tables.
    tables: PathBuf,
}

impl FilesBesideTables {
    pub(super) fn new(tables: &Path) -> Self {
        FilesBesideTables { files: LocalFileSystem::new(), tables: tables.to_path_buf() }
    }

    /// Fails if a file is below the folder of tables, whatever links lead there.
    fn check(&self, location: &Location) -> Result<()> {
        check(&self.files, location, &self.tables)
    }
}

fn check(files: &LocalFileSystem, location: &Location, tables: &Path) -> Result<()> {
    let path = files.path_to_filesystem(location)?;
    regular::refuse_below(&path, tables).map_err(|failure| Error::Generic { store: "files", source: Box::new(failure) })
}

impl fmt::Display for FilesBesideTables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.fmt(formatter)
    }
}

#[async_trait]
impl ObjectStore for FilesBesideTables {
    async fn put_opts(&self, location: &Location, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.check(location)?;
        self.files.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Location,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.check(location)?;
        self.files.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Location, options: GetOptions) -> Result<GetResult> {
        self.files.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Location>>) -> BoxStream<'static, Result<Location>> {
        let (files, tables) = (self.files.clone(), self.tables.clone());
        let checked = locations.map(move |found| {
            let location = found?;
            check(&files, &location, &tables)?;
            Ok(location)
        });
        self.files.delete_stream(checked.boxed())
    }

    fn list(&self, prefix: Option<&Location>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Location>) -> Result<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Location, to: &Location, options: CopyOptions) -> Result<()> {
        self.check(to)?;
        self.files.copy_opts(from, to, options).await
    }

    async fn rename_opts(&self, from: &Location, to: &Location, options: RenameOptions) -> Result<()> {
        self.check(from)?;
        self.check(to)?;
        self.files.rename_opts(from, to, options).await
    }
}
