//! Admission of connections.

use kinegraph_io::view::door::{Door, Look, MAX_SILENT, Patience};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn door(token: &str) -> (Door, std::net::SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (Door::new(listener, token, Patience::default()), address)
}

#[test]
fn only_whole_requests_distinguish_guests_from_strangers() {
    let (door, _) = door("5ec2e7");
    for guest in ["GET /5ec2e7/ HTTP/1.1", "POST /5ec2e7/command HTTP", "GET /5ec2e7/stream"] {
        assert_eq!(door.knock(guest.as_bytes()), Look::Guest, "{guest}");
    }
    for stranger in ["GET /5ec2e8/ HTTP/1.1", "GET / HTTP/1.1\r\n", "\x16\x03\x01\x02 and so on", "GET /5ec2e70 HT"] {
        assert_eq!(door.knock(stranger.as_bytes()), Look::Stranger, "{stranger}");
    }
    // A wrong beginning is treated no worse than a right one.
    for begin in ["GET /5ec", "GET /6", "nothing", ""] {
        assert_eq!(door.knock(begin.as_bytes()), Look::Silent, "{begin}");
    }
}

#[test]
fn guests_come_in_while_strangers_are_many() {
    let (mut door, address) = door("5ec2e7");
    let say = |text: &[u8]| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text).unwrap();
        stream
    };
    let open: Vec<_> = (0..20).map(|_| say(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")).collect();
    let silent: Vec<_> = (0..100).map(|_| say(b"GET /")).collect();
    let guest = say(b"GET /5ec2e7/ HTTP/1.1\r\n\r\n");
    // The budget of strangers grows while a slow machine connects. From here on, turns are on for half a second.
    door.in_turns = true;
    door.listener.set_nonblocking(true).unwrap();
    door.patience.spend(1000);
    let found = door.next(|| false).unwrap().unwrap();
    assert_eq!(found.peer_addr().unwrap(), guest.local_addr().unwrap());
    // Of the silent connections, the newest are kept, and they wait as long as there are many strangers.
    let more: Vec<_> = (0..100).map(|_| say(b"GET /")).collect();
    door.take_turn().unwrap();
    assert_eq!(door.silent.len(), silent.len() + more.len());
    door.take_turn().unwrap();
    assert_eq!(door.silent.len(), MAX_SILENT);
    thread::sleep(Duration::from_millis(50));
    let late = door.next(|| false).unwrap().unwrap();
    let is_late = |one: &TcpStream| one.local_addr().unwrap() == late.peer_addr().unwrap();
    assert!(silent.iter().chain(&more).any(is_late) && !open.iter().any(is_late));
    assert!(door.next(|| true).unwrap().is_none());
}
