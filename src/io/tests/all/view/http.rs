//! Requests and responses of HTTP/1.1, one per connection, with limits on everything.

use kinegraph_io::view::http::{Head, MAX_HEADERS, Refusal, parse};

#[test]
fn heads_are_read_and_malformed_ones_are_refused() {
    let head = parse(b"POST /a?b HTTP/1.1\r\nhost: x:1\r\nContent-Type: image/png\r\nContent-Length: 12\r\n\r\n");
    let expected = Head {
        method: "POST".into(),
        target: "/a?b".into(),
        host: "x:1".into(),
        content_type: "image/png".into(),
        length: Some(12),
    };
    assert_eq!(head, Ok(expected));
    for (bytes, status) in [
        (&b"GET\r\n\r\n"[..], 400),
        (b"\x16\x03\x01 HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ] {
        assert_eq!(parse(bytes), Err(Refusal::Status(status)), "{}", String::from_utf8_lossy(bytes));
    }
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
    assert_eq!(parse(many.as_bytes()), Err(Refusal::Status(431)));
}
