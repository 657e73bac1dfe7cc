//! Serves the page and the run to a browser on this machine, and to nobody else: on the loopback interface, at a secret
//! address, for requests that were meant for it (if a page of another site resolves its name to this machine, its
//! requests have that name as `Host`). No file of the disk is served.

use super::door::{Door, Patience};
use super::feed::Waited;
use super::http::{self, Exchange, Head, Refusal};
use super::threads::Threads;
use super::visitors::{Place, Visitors};
use super::{Command, Feed, Page};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

/// Server that runs until it is dropped.
pub struct Server {
    visitors: Visitors,
    /// Address at which it listens.
    pub address: SocketAddr,
    /// Secret that begins the path of the page.
    pub token: String,
}

/// Maximum size of a picture \[bytes\].
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// Maximum size of a command \[bytes\].
const MAX_COMMAND_BYTES: u64 = 64 << 10;
/// Maximum number of frames of a film that wait for the encoder; the page waits before it sends the next.
const MAX_WAITING_FRAMES: usize = 2;
/// Maximum number of commands that wait for the end of a step; further ones are refused.
const MAX_WAITING_COMMANDS: usize = 1024;
/// Interval at which a stream without new lines checks that its reader is still connected.
const NEWS_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause after a connection that failed for lack of files or threads.
const PAUSE: Duration = Duration::from_millis(20);

/// Result from a page that was asked for a picture or a film.
#[derive(Debug, PartialEq, Eq)]
pub enum Handed {
    /// A picture, or a frame of a film, as PNG.
    Picture(Vec<u8>),
    /// A whole film, as WebM.
    Film(Vec<u8>),
    /// No frame follows.
    End,
    /// Reason why there is no result.
    Reason(String),
}

/// Reason why nothing can be served.
#[derive(thiserror::Error)]
pub enum ServerError {
    /// The port is not available.
    #[error("no port of the loopback interface can be listened on: {0}")]
    Listen(String),
    /// The system has no random numbers.
    #[error("the system has no random numbers for the address: {0}")]
    Random(getrandom::Error),
}

kinegraph_core::debug_is_message!(ServerError);

impl Server {
    /// Starts to serve `page` and `feed` at a free port.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn start(page: Page, feed: Feed) -> Result<Self, ServerError> {
        Self::listen(page, feed, Wanted::default())
    }

    /// Starts a server for a live run; the receiver gets the commands of pages.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn live(page: Page, feed: Feed) -> Result<(Self, Receiver<Command>), ServerError> {
        let (give, take) = sync_channel(MAX_WAITING_COMMANDS);
        Ok((Self::listen(page, feed, Wanted { commands: Some(give), ..Wanted::default() })?, take))
    }

    /// Starts a server for a page that draws a picture; the receiver gets its results.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn for_picture(page: Page, feed: Feed) -> Result<(Self, Receiver<Handed>), ServerError> {
        let (give, take) = sync_channel(MAX_WAITING_FRAMES);
        Ok((Self::listen(page, feed, Wanted { pictures: Some(give), ..Wanted::default() })?, take))
    }

    fn listen(page: Page, feed: Feed, wanted: Wanted) -> Result<Self, ServerError> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(ServerError::Random)?;
        let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let listen = |error: io::Error| ServerError::Listen(error.to_string());
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let visitors = Visitors::default();
        let patience = Patience::default();
        let door = Door::new(listener, &token, patience.clone());
        let serving = Serving { page, feed, hosts: hosts(address), token: token.clone(), wanted, patience };
        let arriving = visitors.clone();
        let named = thread::Builder::new().name("page-door".into());
        named.spawn(move || accept(door, &arriving, serving)).map_err(listen)?;
        Ok(Server { visitors, address, token })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }
}

impl Server {
    /// Secret part of the address.
    pub(super) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.visitors.close();
        // The listener waits for a connection; this one is its last.
        let _ = TcpStream::connect(self.address);
    }
}

/// Host names of this machine in valid requests.
pub fn hosts(address: SocketAddr) -> [String; 2] {
    [address.to_string(), format!("localhost:{}", address.port())]
}

/// Serves every connection in a thread of its own, until the server is dropped.
fn accept(mut door: Door, visitors: &Visitors, serving: Serving) {
    // A browser that disconnects is no failure.
    let threads = Threads::new(move |(stream, place)| drop(serving.answer(stream, place)));
    loop {
        let arrived = match door.next(|| visitors.is_closed()) {
            Ok(None) => return,
            Ok(Some(stream)) => visitors.arrive(&stream).map(|place| (stream, place)),
            Err(_) => None,
        };
        let Some((stream, place)) = arrived else {
            thread::sleep(PAUSE);
            continue;
        };
        if threads.hand((stream, place)).is_err() {
            thread::sleep(PAUSE);
        }
    }
}

struct Serving {
    page: Page,
    feed: Feed,
    hosts: [String; 2],
    token: String,
    wanted: Wanted,
    patience: Patience,
}

/// Channels for data that pages may send.
#[derive(Default)]
struct Wanted {
    /// Receiver of pictures, if the page is to draw one.
    pictures: Option<SyncSender<Handed>>,
    /// Receiver of commands, for a live run.
    commands: Option<SyncSender<Command>>,
}

/// Response to a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The page.
    Page,
    /// The lines of the run.
    Stream,
    /// Takes a picture from the page.
    Picture,
    /// Takes a command from the page.
    Command,
    /// A status of HTTP only.
    Refused(u16),
}

impl Serving {
    fn answer(&self, stream: TcpStream, mut place: Place) -> io::Result<()> {
        let mut exchange = match Exchange::read(stream) {
            Ok(exchange) => exchange,
            Err((refusal, mut stream)) => {
                self.patience.spend(1);
                let Refusal::Status(status) = refusal else { return Ok(()) };
                return http::refuse(&mut stream, status);
            }
        };
        let answer = match answer_to(&exchange.head, &self.hosts, &self.token) {
            Answer::Refused(status) => {
                self.patience.spend(1);
                return exchange.refuse(status);
            }
            answer => answer,
        };
        if !place.welcome() {
            return exchange.refuse(503);
        }
        match answer {
            Answer::Page => {
                let kind = [("Content-Type", "text/html; charset=utf-8")];
                exchange.respond(&[&HEADERS[..], &kind].concat(), self.page.html())
            }
            Answer::Stream => stream_lines(&self.feed, exchange),
            Answer::Picture => {
                let Some(pictures) = &self.wanted.pictures else { return exchange.refuse(405) };
                let kind = exchange.head.content_type.clone();
                let bytes = match exchange.body(MAX_PICTURE_BYTES) {
                    Ok(bytes) => bytes,
                    Err(Refusal::Status(status)) => return exchange.refuse(status),
                    Err(Refusal::Silent) => return Ok(()),
                };
                let handed = match kind.as_str() {
                    PNG => Handed::Picture(bytes),
                    WEBM => Handed::Film(bytes),
                    FILM_END => Handed::End,
                    _ => Handed::Reason(String::from_utf8_lossy(&bytes).into_owned()),
                };
                // The receiver may be gone.
                let taken = pictures.send(handed).is_ok();
                exchange.refuse(if taken { 204 } else { 503 })
            }
            Answer::Command => {
                let Some(commands) = &self.wanted.commands else { return exchange.refuse(405) };
                // A form of another page could send a request only with another type.
                if exchange.head.content_type != JSON {
                    return exchange.refuse(400);
                }
                let bytes = match exchange.body(MAX_COMMAND_BYTES) {
                    Ok(bytes) => bytes,
                    Err(Refusal::Status(status)) => return exchange.refuse(status),
                    Err(Refusal::Silent) => return Ok(()),
                };
                let Ok(command) = serde_json::from_slice(&bytes) else { return exchange.refuse(400) };
                match commands.try_send(command) {
                    Ok(()) => exchange.refuse(204),
                    Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => exchange.refuse(503),
                }
            }
            Answer::Refused(status) => exchange.refuse(status),
        }
    }
}

/// Media type of pictures.
const PNG: &str = "image/png";
/// Media type of films, and of the end of a film that is sent frame by frame.
const WEBM: &str = "video/webm";
const FILM_END: &str = "application/x-film-end";
/// Media type of commands.
const JSON: &str = "application/json";

const HEADERS: [(&str, &str); 4] = [
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "SAMEORIGIN"),
];

/// Writes each line when it is pushed, as a chunk of its own. Lines are shared, so a reader that pauses costs only the
/// system's buffers of its connection.
fn stream_lines(feed: &Feed, exchange: Exchange) -> io::Result<()> {
    let kind = [("Content-Type", "application/x-ndjson")];
    let mut out = exchange.stream(&[&HEADERS[..], &kind].concat())?;
    let (take, mut index) = (feed.take(), 0);
    loop {
        match feed.wait_for(take, index, NEWS_TIMEOUT) {
            Waited::Line(line) => out.write(&line)?,
            Waited::Nothing if out.is_closed() => return Ok(()),
            Waited::Nothing => continue,
            Waited::End => return out.end(),
        }
        index += 1;
    }
}

pub fn answer_to(head: &Head, hosts: &[String], token: &str) -> Answer {
    let Head { method, target, host, .. } = head;
    if !hosts.iter().any(|own| own == host) {
        return Answer::Refused(403);
    }
    let path = target.split(['?', '#']).next().unwrap_or(target);
    let parts = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    match (method.as_str(), parts) {
        ("POST", Some((given, "picture"))) if given == token => return Answer::Picture,
        ("POST", Some((given, "command"))) if given == token => return Answer::Command,
        ("GET", _) => {}
        _ => return Answer::Refused(405),
    }
    match parts {
        Some((given, "")) if given == token => Answer::Page,
        Some((given, "stream")) if given == token => Answer::Stream,
        Some((given, _)) if given == token => Answer::Refused(404),
        _ => Answer::Refused(403),
    }
}
