//! The messages that stand in a file, as far as it is whole.
//!
//! Read here and not by the library that writes them: of a damaged length that reserves as much memory as the length
//! says, and of a record that is longer than its chunk it takes more than there is. What this program writes is simple.
//! A file is eight bytes, then records: a byte for the kind, eight for the length, and so many bytes
//! (<https://mcap.dev/spec>). Numbers have their least byte first, texts their length in four bytes.
//!
//! | kind | content |
//! |---|---|
//! | channel (4) | number (2), number of its schema (2), topic, … |
//! | message (5) | number of its channel (2), count (4), two times (8 + 8), data |
//! | chunk (6) | two times (8 + 8), length (8) and checksum (4) of records, compression (text), stored length (8), |
//! | | records |
//! | end of data (15) | what follows repeats what came before |

use std::collections::HashMap;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
const CHANNEL: u8 = 4;
const MESSAGE: u8 = 5;
const CHUNK: u8 = 6;
const END_OF_DATA: u8 = 15;

/// A message.
pub(super) struct StoredMessage<'a> {
    pub topic: &'a str,
    /// In nanoseconds.
    pub time: u64,
    pub data: &'a [u8],
}

/// Calls `take` with every message of a file in turn, up to where it is whole.
///
/// # Errors
/// Those of `take`; `fault` makes one of what is wrong with the file as a whole.
pub(super) fn each_message<'a, E>(
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
            // A message of a channel that the file does not describe is nobody's.
            if let (Some(topic), Some(time), Some(_)) = (topic, time, number::<8>(&mut body)) {
                take(&StoredMessage { topic, time, data: body })?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// A record, or the part of it that there is.
struct Record<'a> {
    kind: u8,
    body: &'a [u8],
    is_whole: bool,
}

impl<'a> Record<'a> {
    /// The first of `rest`, which is what follows it then.
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
    /// The length of the records and their checksum; 0: none was taken.
    length: u64,
    checksum: u32,
    /// As far as they are there.
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

    /// Whether its records are those that were written.
    fn is_sound(&self) -> bool {
        let is_same = || crc32fast::hash(self.records) == self.checksum;
        self.records.len() as u64 == self.length && (self.checksum == 0 || is_same())
    }
}

/// The first bytes of `rest`, which is what follows them then.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, length: u64, body: &[u8]) -> Vec<u8> {
        [&[kind][..], &length.to_le_bytes(), body].concat()
    }

    fn whole(kind: u8, body: &[u8]) -> Vec<u8> {
        record(kind, body.len() as u64, body)
    }

    fn channel(id: u16, topic: &str) -> Vec<u8> {
        whole(
            CHANNEL,
            &[&id.to_le_bytes()[..], &[0; 2], &(topic.len() as u32).to_le_bytes(), topic.as_bytes()].concat(),
        )
    }

    fn message(id: u16, data: &[u8]) -> Vec<u8> {
        whole(MESSAGE, &[&id.to_le_bytes()[..], &[0; 4], &7_u64.to_le_bytes(), &[0; 8], data].concat())
    }

    fn chunk(records: &[u8]) -> Vec<u8> {
        let (length, sum) = ((records.len() as u64).to_le_bytes(), crc32fast::hash(records).to_le_bytes());
        whole(CHUNK, &[&[0; 16][..], &length, &sum, &[0; 4], &length, records].concat())
    }

    fn read(bytes: &[u8]) -> Result<Vec<String>, &'static str> {
        let mut all = Vec::new();
        each_message(
            bytes,
            |fault| fault,
            |message| {
                all.push(format!("{} {} {}", message.topic, message.time, String::from_utf8_lossy(message.data)));
                Ok(())
            },
        )?;
        Ok(all)
    }

    #[test]
    fn a_file_is_read_as_far_as_it_is_whole() {
        let first = chunk(&[channel(1, "a"), message(1, b"x"), message(2, b"nobody's")].concat());
        let second = chunk(&[message(1, b"y"), message(1, b"z")].concat());
        let file = [MAGIC, &first, &second, &whole(END_OF_DATA, &[]), &message(1, b"repeated")].concat();
        assert_eq!(read(&file), Ok(vec!["a 7 x".to_owned(), "a 7 y".into(), "a 7 z".into()]));
        let torn = MAGIC.len() + first.len() + second.len() - 1;
        assert_eq!(read(&file[..torn]).map(|all| all.len()), Ok(2));
        let mut damaged = file.clone();
        damaged[torn] ^= 1;
        assert_eq!(read(&damaged).map(|all| all.len()), Ok(1), "of a chunk with another checksum nothing is known");
        assert_eq!(read(&file[1..]), Err("it does not begin as one"));
        for length in MAGIC.len()..file.len() {
            assert!(read(&file[..length]).is_ok_and(|all| all.len() <= 3));
        }
    }

    #[test]
    fn lengths_beyond_the_file_reserve_nothing() {
        for length in [u64::MAX, 1 << 40, u64::from(u32::MAX)] {
            for kind in [CHANNEL, MESSAGE, CHUNK, 1, 200] {
                assert_eq!(read(&[MAGIC, &record(kind, length, &[0xff; 60])].concat()), Ok(Vec::new()));
                assert_eq!(read(&[MAGIC, &chunk(&record(kind, length, &[0xff; 60]))].concat()), Ok(Vec::new()));
            }
        }
    }
}
