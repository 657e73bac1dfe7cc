//! Messages in an MCAP file, as far as the file is whole.
//!
//! They are read here and not by the library that writes them: that library reserves as much memory as a damaged length
//! says, and reads beyond the end of a chunk if a record is longer. The part of the format that this program writes is
//! simple. A file is eight bytes, then records: a byte for the kind, eight for the length, and so many bytes
//! (<https://mcap.dev/spec>). Numbers are little-endian; texts begin with their length in four bytes.
//!
//! | kind | content |
//! |---|---|
//! | channel (4) | number (2), number of its schema (2), topic, … |
//! | message (5) | number of its channel (2), count (4), two times (8 + 8), data |
//! | chunk (6) | two times (8 + 8), length (8) and checksum (4) of records, compression (text), stored length (8), |
//! | | records |
//! | end of data (15) | what follows repeats what came before |

use std::collections::HashMap;

/// First eight bytes of a file.
pub const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// Kind of record: a channel.
pub const CHANNEL: u8 = 4;
/// Kind of record: a message.
pub const MESSAGE: u8 = 5;
/// Kind of record: a chunk of records.
pub const CHUNK: u8 = 6;
/// Kind of record after the last message.
pub const END_OF_DATA: u8 = 15;

/// A message.
pub struct StoredMessage<'a> {
    /// The name of its channel.
    pub topic: &'a str,
    /// Time \[ns\].
    pub time: u64,
    /// The content of the message.
    pub data: &'a [u8],
}

/// Calls `take` with every message of a file in turn, as far as the file is whole.
///
/// # Errors
/// Errors of `take`; `fault` converts a fault of the file as a whole.
pub fn each_message<'a, E>(
    bytes: &'a [u8],
    fault: impl Fn(&'static str) -> E,
    mut take: impl FnMut(&StoredMessage<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else { return Err(fault("it does not begin as one")) };
    let mut channels = HashMap::new();
    while let Some(record) = Record::next(&mut rest) {
        match record.kind {
            CHUNK => {
                let Some(chunk) = Chunk::of(record.body) else { return Ok(()) };
                if !chunk.compression.is_empty() {
                    return Err(fault("its chunks are compressed, which is not read"));
                }
                if record.is_whole && !chunk.is_sound() {
                    return Ok(());
                }
                let mut within = chunk.records;
                while let Some(inner) = Record::next(&mut within).filter(|inner| inner.is_whole) {
                    take_record(&inner, &mut channels, &mut take)?;
                }
            }
            END_OF_DATA => return Ok(()),
            _ if record.is_whole => take_record(&record, &mut channels, &mut take)?,
            _ => {}
        }
        if !record.is_whole {
            return Ok(());
        }
    }
    Ok(())
}

fn take_record<'a, E>(
    record: &Record<'a>,
    channels: &mut HashMap<u16, &'a str>,
    take: &mut impl FnMut(&StoredMessage<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let mut body = record.body;
    match record.kind {
        CHANNEL => {
            let channel = number::<2>(&mut body).map(u16::from_le_bytes);
            let topic = number::<2>(&mut body).and_then(|_| text(&mut body));
            channels.extend(channel.zip(topic));
        }
        MESSAGE => {
            let topic = number::<2>(&mut body).and_then(|id| channels.get(&u16::from_le_bytes(id)));
            let time = number::<4>(&mut body).and_then(|_| number::<8>(&mut body)).map(u64::from_le_bytes);
            // A message of an unknown channel is ignored.
            if let (Some(topic), Some(time), Some(_)) = (topic, time, number::<8>(&mut body)) {
                take(&StoredMessage { topic, time, data: body })?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// A record, or as much of it as the file has.
struct Record<'a> {
    kind: u8,
    body: &'a [u8],
    is_whole: bool,
}

impl<'a> Record<'a> {
    /// Splits the first record off `rest`.
    fn next(rest: &mut &'a [u8]) -> Option<Self> {
        let [kind] = number::<1>(rest)?;
        let length = u64::from_le_bytes(number::<8>(rest)?);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let is_whole = length <= rest.len();
        let (body, after) = rest.split_at(length.min(rest.len()));
        *rest = after;
        Some(Record { kind, body, is_whole })
    }
}

struct Chunk<'a> {
    compression: &'a str,
    /// Length of the records, and their checksum; 0: no checksum.
    length: u64,
    checksum: u32,
    /// The records, as far as the file has them.
    records: &'a [u8],
}

impl<'a> Chunk<'a> {
    fn of(mut body: &'a [u8]) -> Option<Self> {
        let _times = number::<16>(&mut body)?;
        let length = u64::from_le_bytes(number::<8>(&mut body)?);
        let checksum = u32::from_le_bytes(number::<4>(&mut body)?);
        let compression = text(&mut body)?;
        let stored = u64::from_le_bytes(number::<8>(&mut body)?);
        let stored = usize::try_from(stored).unwrap_or(usize::MAX);
        Some(Chunk { compression, length, checksum, records: &body[..stored.min(body.len())] })
    }

    /// True if the records match their checksum.
    fn is_sound(&self) -> bool {
        let is_same = || crc32fast::hash(self.records) == self.checksum;
        self.records.len() as u64 == self.length && (self.checksum == 0 || is_same())
    }
}

/// Splits the first bytes off `rest`.
fn number<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*first)
}

fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = u32::from_le_bytes(number::<4>(rest)?) as usize;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    std::str::from_utf8(text).ok()
}
