//! File of rows that always ends with a whole row.

use kinegraph_engine::io_reason::plain_reason;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file of lines. Rows wait in memory until [`flush`](Write::flush). If they do not fit on the disk, the file ends
/// with the last row that did.
#[derive(Debug)]
pub struct RowFile {
    file: File,
    /// File name for messages.
    name: String,
    waiting: Vec<u8>,
    /// Bytes written, and how many of them are whole rows.
    written: u64,
    whole: u64,
    /// True after a failure was reported: nothing more is written.
    failed: bool,
}

/// Size of the parts in which a step with many samples is written.
const MAX_WAITING_BYTES: usize = 1 << 16;

impl RowFile {
    /// Creates a file at `path` and replaces an existing one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (file, name) = (File::create(path)?, path.display().to_string());
        Ok(RowFile { file, name, waiting: Vec::new(), written: 0, whole: 0, failed: false })
    }

    /// Continues a file of `written` bytes, all of whole rows.
    ///
    /// # Errors
    /// The position cannot be moved to its end.
    pub fn going_on(mut file: File, name: String, written: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(written))?;
        Ok(RowFile { file, name, waiting: Vec::new(), written, whole: written, failed: false })
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let mut from = 0;
        while from < self.waiting.len() {
            match self.file.write(&self.waiting[from..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(length) => {
                    let new = &self.waiting[from..from + length];
                    if let Some(last) = new.iter().rposition(|byte| *byte == b'\n') {
                        self.whole = self.written + last as u64 + 1;
                    }
                    self.written += length as u64;
                    from += length;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.waiting.clear();
        Ok(())
    }
}

impl Write for RowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.failed {
            self.waiting.extend_from_slice(bytes);
            if self.waiting.len() >= MAX_WAITING_BYTES {
                self.flush()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Ok(());
        }
        self.write_waiting().map_err(|error| {
            self.failed = true;
            // Only a plain file can be truncated, not a pipe or a device.
            let shortened = self.written == self.whole || self.file.set_len(self.whole).is_ok();
            let torn = if shortened { "" } else { "; its last row is not whole" };
            io::Error::new(error.kind(), format!("{}: {}{torn}", self.name, plain_reason(&error)))
        })
    }
}

/// Writes the waiting rows when the file is dropped.
impl Drop for RowFile {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
