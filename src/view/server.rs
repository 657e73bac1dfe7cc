//! Serves the page and the run to a browser of this machine, and to nobody else: on the loopback interface, at an
//! address that nobody guesses, for requests that were meant for it (a page of another site that has its name resolve
//! to this machine sends its own name as `Host`). Nothing of the disk is served.

use super::{Feed, Page};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tiny_http::{Header, Method, Request, Response};

/// Serves until it is dropped.
pub struct Server {
    http: Arc<tiny_http::Server>,
    address: SocketAddr,
    token: String,
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be had.
    #[error("no port of the loopback interface can be listened on: {0}")]
    Listen(String),
    /// There are no random numbers.
    #[error("the system has no random numbers for the address: {0}")]
    Random(getrandom::Error),
}

impl Server {
    /// Serves `page` and `feed` at a free port.
    ///
    /// # Errors
    /// [`ServerError`].
    pub fn start(page: Page, feed: Feed) -> Result<Self, ServerError> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(ServerError::Random)?;
        let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let listen = |error: String| ServerError::Listen(error);
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, 0)).map_err(|error| listen(error.to_string()))?;
        let address = http.server_addr().to_ip().ok_or_else(|| listen("not an address of the internet".into()))?;
        let http = Arc::new(http);
        let serving = Serving { http: http.clone(), page, feed, hosts: hosts(address), token: token.clone() };
        std::thread::spawn(move || serving.run());
        Ok(Server { http, address, token })
    }

    /// Where a browser finds the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.http.unblock();
    }
}

/// The names under which this machine asks for itself.
fn hosts(address: SocketAddr) -> [String; 2] {
    [address.to_string(), format!("localhost:{}", address.port())]
}

struct Serving {
    http: Arc<tiny_http::Server>,
    page: Page,
    feed: Feed,
    hosts: [String; 2],
    token: String,
}

/// What a request gets.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Page,
    Stream,
    Refused(u16),
}

impl Serving {
    /// Answers requests until the server is dropped.
    fn run(&self) {
        for request in self.http.incoming_requests() {
            // A browser that went away is no failure.
            let _ = self.answer(request);
        }
    }

    fn answer(&self, request: Request) -> io::Result<()> {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let host = host.map_or("", |header| header.value.as_str());
        match answer_to(request.method(), request.url(), host, &self.hosts, &self.token) {
            Answer::Page => {
                let mut response = Response::from_string(self.page.html());
                for (field, value) in HEADERS.iter().chain(&[("Content-Type", "text/html; charset=utf-8")]) {
                    if let Ok(header) = Header::from_bytes(*field, *value) {
                        response.add_header(header);
                    }
                }
                request.respond(response)
            }
            Answer::Stream => {
                // Its readers wait for lines that are yet to be told.
                let feed = self.feed.clone();
                std::thread::spawn(move || drop(stream(&feed, request.into_writer())));
                Ok(())
            }
            Answer::Refused(status) => request.respond(Response::empty(status)),
        }
    }
}

const HEADERS: [(&str, &str); 4] = [
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "SAMEORIGIN"),
];

/// Writes lines as they come, each at once: a response of the library would hold back small ones.
fn stream(feed: &Feed, mut out: Box<dyn Write + Send>) -> io::Result<()> {
    write!(out, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n")?;
    HEADERS.iter().try_for_each(|(field, value)| write!(out, "{field}: {value}\r\n"))?;
    write!(out, "\r\n")?;
    let mut index = 0;
    while let Some(line) = feed.wait(index) {
        out.write_all(&line)?;
        out.flush()?;
        index += 1;
    }
    out.flush()
}

fn answer_to(method: &Method, url: &str, host: &str, hosts: &[String], token: &str) -> Answer {
    if !hosts.iter().any(|own| own == host) {
        return Answer::Refused(403);
    }
    if *method != Method::Get {
        return Answer::Refused(405);
    }
    let path = url.split(['?', '#']).next().unwrap_or(url);
    match path.strip_prefix('/').and_then(|path| path.split_once('/')) {
        Some((given, "")) if given == token => Answer::Page,
        Some((given, "stream")) if given == token => Answer::Stream,
        Some((given, _)) if given == token => Answer::Refused(404),
        _ => Answer::Refused(403),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_meant_for_the_page_is_answered() {
        let hosts = hosts("127.0.0.1:4000".parse().unwrap());
        let ask = |url: &str, host: &str| answer_to(&Method::Get, url, host, &hosts, "secret");
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
        assert_eq!(answer_to(&Method::Post, "/secret/", "127.0.0.1:4000", &hosts, "secret"), Answer::Refused(405));
    }
}
