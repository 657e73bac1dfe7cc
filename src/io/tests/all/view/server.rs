//! Serves the page and the run to a browser of this machine, and to nobody else.

use kinegraph_io::view::http::Head;
use kinegraph_io::view::server::{Answer, Handed, answer_to, hosts};
use kinegraph_io::view::{End, EndStatus, Feed, Line, Page, Server};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

#[test]
fn only_requests_for_the_page_are_answered() {
    let hosts = hosts("127.0.0.1:4000".parse().unwrap());
    let head = |method: &str, url: &str, host: &str| Head {
        method: method.into(),
        target: url.into(),
        host: host.into(),
        ..Head::default()
    };
    let ask = |url: &str, host: &str| answer_to(&head("GET", url, host), &hosts, "secret");
    assert_eq!(ask("/secret/", "127.0.0.1:4000"), Answer::Page);
    assert_eq!(ask("/secret/?x", "localhost:4000"), Answer::Page);
    assert_eq!(ask("/secret/stream", "127.0.0.1:4000"), Answer::Stream);
    for host in ["evil.example:4000", "127.0.0.1", "", "127.0.0.1:4001"] {
        assert_eq!(ask("/secret/", host), Answer::Refused(403), "{host}");
    }
    for url in ["/", "/stream", "/guess/", "/guess/stream", "/etc/passwd", "//secret/", "/secre/"] {
        assert_eq!(ask(url, "127.0.0.1:4000"), Answer::Refused(403), "{url}");
    }
    for url in ["/secret/../etc/passwd", "/secret/favicon.ico", "/secret//", "/secret/stream/"] {
        assert_eq!(ask(url, "127.0.0.1:4000"), Answer::Refused(404), "{url}");
    }
    let post = |url: &str, host: &str| answer_to(&head("POST", url, host), &hosts, "secret");
    assert_eq!(post("/secret/", "127.0.0.1:4000"), Answer::Refused(405));
    assert_eq!(post("/secret/picture", "127.0.0.1:4000"), Answer::Picture);
    assert_eq!(post("/guess/picture", "127.0.0.1:4000"), Answer::Refused(405));
    assert_eq!(post("/secret/picture", "evil.example:4000"), Answer::Refused(403));
}

/// Only a server that asked for a picture accepts one; a page that only shows a run cannot send one.
#[test]
fn a_picture_or_the_reason_why_there_is_none_is_handed_over() {
    let post = |server: &Server, kind: &str, body: &str| {
        let (own, token, length) = (server.address, &server.token, body.len());
        let head = format!("POST /{token}/picture HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n");
        ask(server, &format!("{head}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"))
    };
    let (server, handed) = Server::for_picture(Page::of(String::new()), Feed::default()).unwrap();
    assert!(post(&server, "image/png", "dots").starts_with("HTTP/1.1 204"));
    assert_eq!(handed.recv().unwrap(), Handed::Picture(b"dots".to_vec()));
    post(&server, "text/plain", "no scene");
    assert_eq!(handed.recv().unwrap(), Handed::Reason("no scene".into()));
    let server = Server::start(Page::of(String::new()), Feed::default()).unwrap();
    assert!(post(&server, "image/png", "dots").starts_with("HTTP/1.1 405"));
}

/// Response of a server to these bytes.
fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_browser_gets_the_page_and_the_run_as_it_goes_on() {
    let feed = Feed::default();
    let server = Server::start(Page::of("<p>hello</p>".into()), feed.clone()).unwrap();
    let (own, token) = (server.address.to_string(), server.token.clone());
    assert!(server.address.ip().is_loopback());
    let get = |path: &str, host: &str| {
        ask(&server, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    let page = get(&format!("/{token}/"), &own);
    assert!(page.starts_with("HTTP/1.1 200") && page.ends_with("<p>hello</p>"), "{page}");
    assert!(get("/", &own).starts_with("HTTP/1.1 403"));
    assert!(get("/stream", &own).starts_with("HTTP/1.1 403"));
    assert!(get(&format!("/{token}/"), "evil.example").starts_with("HTTP/1.1 403"));
    assert!(get(&format!("/{token}/Cargo.toml"), &own).starts_with("HTTP/1.1 404"));
    let line =
        |time: f64| Line::End(End { status: EndStatus::Done, message: String::new(), time, summary: String::new() });
    feed.push(&line(1.0)).unwrap();
    // The second line arrives when the first was already read.
    let mut stream = TcpStream::connect(server.address).unwrap();
    write!(stream, "GET /{token}/stream HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap).filter(|line| line.starts_with('{'));
    assert!(lines.next().unwrap().contains("1.0"));
    feed.push(&line(2.0)).unwrap();
    assert!(lines.next().unwrap().contains("2.0"));
    feed.close();
    assert_eq!(lines.next(), None);
    // A later reader receives all lines.
    assert_eq!(get(&format!("/{token}/stream"), &own).matches("\"kind\":\"end\"").count(), 2);
    // The server does not listen on other interfaces.
    for other in ["127.0.0.2", "::1"] {
        let ip: std::net::IpAddr = other.parse().unwrap();
        assert!(TcpStream::connect((ip, server.address.port())).is_err(), "{other}");
    }
}
