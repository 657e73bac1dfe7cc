//! Messages in an MCAP file, as far as the file is whole.

use kinegraph_data::stored::{CHANNEL, CHUNK, END_OF_DATA, MAGIC, MESSAGE, each_message};

fn record(kind: u8, length: u64, body: &[u8]) -> Vec<u8> {
    [&[kind][..], &length.to_le_bytes(), body].concat()
}

fn whole(kind: u8, body: &[u8]) -> Vec<u8> {
    record(kind, body.len() as u64, body)
}

fn channel(id: u16, topic: &str) -> Vec<u8> {
    whole(CHANNEL, &[&id.to_le_bytes()[..], &[0; 2], &(topic.len() as u32).to_le_bytes(), topic.as_bytes()].concat())
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
