//! Requests and responses of HTTP/1.1, one per connection, with limits on everything: bytes of the head and the body,
//! number of headers, and time. The text of heads is parsed by `httparse`.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Maximum length of a head \[bytes\].
const MAX_HEAD_BYTES: usize = 64 << 10;
/// Maximum number of headers; browsers send about fifteen.
pub const MAX_HEADERS: usize = 64;
/// Time limit of a head, from the first byte to the last.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit of a body, and of a pause of its sender.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit of a pause of the reader of a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Head of a request, with the fields in use.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// `GET`, `POST`, ….
    pub method: String,
    /// Target of the request.
    pub target: String,
    /// Name under which the client knows this machine.
    pub host: String,
    /// Media type of the body.
    pub content_type: String,
    /// Length of the body \[bytes\], if it is given.
    pub length: Option<u64>,
}

/// Reason why a request gets only a status.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// This status.
    Status(u16),
    /// The connection ended or took too long; no response is sent.
    Silent,
}

/// A connection whose head was read.
pub(super) struct Exchange {
    /// The head.
    pub head: Head,
    stream: TcpStream,
    /// Part of the body that arrived with the head.
    begun: Vec<u8>,
}

impl Exchange {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// The refusal, together with the connection.
    pub fn read(mut stream: TcpStream) -> Result<Self, (Refusal, TcpStream)> {
        match read_head(&mut stream) {
            Ok((head, begun)) => Ok(Exchange { head, stream, begun }),
            Err(refusal) => Err((refusal, stream)),
        }
    }

    /// Reads the body of at most `most` bytes.
    ///
    /// # Errors
    /// The refusal.
    pub fn body(&mut self, most: u64) -> Result<Vec<u8>, Refusal> {
        let length = self.head.length.ok_or(Refusal::Status(411))?;
        if length > most {
            return Err(Refusal::Status(413));
        }
        let length = usize::try_from(length).map_err(|_| Refusal::Status(413))?;
        let mut body = std::mem::take(&mut self.begun);
        body.truncate(length);
        let end = Instant::now() + BODY_TIMEOUT;
        while body.len() < length {
            read_some(&mut self.stream, &mut body, length, end)?;
        }
        Ok(body)
    }

    /// Responds with a status and nothing else.
    ///
    /// # Errors
    /// Errors of the connection.
    pub fn refuse(mut self, status: u16) -> io::Result<()> {
        refuse(&mut self.stream, status)
    }

    /// Responds with a text.
    ///
    /// # Errors
    /// Errors of the connection; the reader pauses too long.
    pub fn respond(mut self, headers: &[(&str, &str)], text: &str) -> io::Result<()> {
        self.stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let mut head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n", text.len());
        headers.iter().for_each(|(field, value)| head += &format!("{field}: {value}\r\n"));
        self.stream.write_all((head + "\r\n").as_bytes())?;
        self.stream.write_all(text.as_bytes())
    }

    /// Begins a response in chunks.
    ///
    /// # Errors
    /// Errors of the connection.
    pub fn stream(mut self, headers: &[(&str, &str)]) -> io::Result<Chunks> {
        let mut head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n".to_owned();
        headers.iter().for_each(|(field, value)| head += &format!("{field}: {value}\r\n"));
        self.stream.set_nodelay(true)?;
        self.stream.write_all((head + "\r\n").as_bytes())?;
        Ok(Chunks(self.stream))
    }
}

/// A response in chunks. Writing waits for the reader, who may pause for any time.
pub(super) struct Chunks(TcpStream);

impl Chunks {
    /// Writes one chunk.
    ///
    /// # Errors
    /// Errors of the connection.
    pub fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        write!(self.0, "{:x}\r\n", chunk.len())?;
        self.0.write_all(chunk)?;
        self.0.write_all(b"\r\n")
    }

    /// True if the reader is gone.
    pub fn is_closed(&mut self) -> bool {
        let peeked = self.0.set_nonblocking(true).and_then(|()| self.0.peek(&mut [0]));
        let restored = self.0.set_nonblocking(false);
        match peeked {
            Ok(bytes) => bytes == 0 || restored.is_err(),
            Err(error) => error.kind() != ErrorKind::WouldBlock || restored.is_err(),
        }
    }

    /// Ends the response after the last chunk.
    ///
    /// # Errors
    /// Errors of the connection.
    pub fn end(mut self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")
    }
}

/// Responds to a connection with a status.
///
/// # Errors
/// Errors of the connection.
pub(super) fn refuse(stream: &mut TcpStream, status: u16) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let reason = match status {
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    };
    // A response without content has no length.
    let length = if status == 204 { "" } else { "Content-Length: 0\r\n" };
    stream.write_all(format!("HTTP/1.1 {status} {reason}\r\n{length}Connection: close\r\n\r\n").as_bytes())
}

/// Reads the head of a request, and returns the part of the body that arrived with it.
fn read_head(stream: &mut TcpStream) -> Result<(Head, Vec<u8>), Refusal> {
    let (mut bytes, end) = (Vec::new(), Instant::now() + HEAD_TIMEOUT);
    loop {
        let before = bytes.len();
        read_some(stream, &mut bytes, MAX_HEAD_BYTES, end)?;
        // The blank line may have begun before the new bytes.
        let from = before.saturating_sub(3);
        let blank = bytes[from..].windows(4).position(|window| window == b"\r\n\r\n");
        match blank {
            Some(at) => {
                let begun = bytes.split_off(from + at + 4);
                return parse(&bytes).map(|head| (head, begun));
            }
            None if bytes.len() >= MAX_HEAD_BYTES => return Err(Refusal::Status(431)),
            None => {}
        }
    }
}

/// Reads available bytes, up to `most` in all.
fn read_some(stream: &mut TcpStream, bytes: &mut Vec<u8>, most: usize, end: Instant) -> Result<(), Refusal> {
    const PIECE: usize = 4 << 10;
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(Refusal::Silent);
    }
    let before = bytes.len();
    bytes.resize(before + PIECE.min(most - before), 0);
    let read = loop {
        match stream.read(&mut bytes[before..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    let read = read.unwrap_or(0);
    bytes.truncate(before + read);
    if read == 0 { Err(Refusal::Silent) } else { Ok(()) }
}

pub fn parse(bytes: &[u8]) -> Result<Head, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(Refusal::Status(431)),
        Ok(httparse::Status::Partial) | Err(_) => return Err(Refusal::Status(400)),
    }
    let text = |name: &str| -> Result<Option<String>, Refusal> {
        let mut given = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let value = given.next().map(|header| String::from_utf8_lossy(header.value).trim().to_owned());
        // With two values of a header, two readers might see different requests.
        if given.next().is_some() { Err(Refusal::Status(400)) } else { Ok(value) }
    };
    let length = text("Content-Length")?;
    let length = length.map(|length| length.parse().map_err(|_| Refusal::Status(400))).transpose()?;
    let (host, content_type) = (text("Host")?.unwrap_or_default(), text("Content-Type")?.unwrap_or_default());
    let (method, target) = (request.method.unwrap_or_default(), request.path.unwrap_or_default());
    Ok(Head { method: method.to_owned(), target: target.to_owned(), host, content_type, length })
}
