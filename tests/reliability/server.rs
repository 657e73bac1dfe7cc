//! The server of the page under hostile requests: it still delivers the page, the run goes on, and memory stays
//! bounded.

use super::Random;
use kinegraph::simulate::Scenario;
use kinegraph::view::{Feed, Page, Server, Stream};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A running server, from the view of a client.
struct Target {
    address: SocketAddr,
    path: String,
}

impl Target {
    fn of(server: &Server) -> Self {
        let url = server.url();
        let (address, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        Target { address: address.parse().expect("an address"), path: format!("/{path}") }
    }

    fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(5)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
        stream.set_write_timeout(Some(Duration::from_secs(1))).ok()?;
        Some(stream)
    }

    /// Sends these bytes; the server may close the connection before it has them all.
    fn send(&self, bytes: &[u8]) -> Option<TcpStream> {
        let mut stream = self.connect()?;
        let _ = stream.write_all(bytes);
        Some(stream)
    }

    /// Response to these bytes.
    fn ask(&self, bytes: &[u8]) -> String {
        let Some(mut stream) = self.send(bytes) else { return String::new() };
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> Vec<u8> {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).into_bytes()
    }

    /// Time to load the page, which must be complete.
    fn page(&self) -> Duration {
        let start = Instant::now();
        let answer = self.ask(&self.get(&self.path));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("<p>page</p>"), "{answer:?}");
        start.elapsed()
    }
}

fn serving() -> (Server, Target, Feed) {
    let feed = Feed::default();
    let server = Server::start(Page::of("<p>page</p>".into()), feed.clone()).expect("a server");
    let target = Target::of(&server);
    (server, target, feed)
}

#[test]
fn too_large_or_malformed_requests_are_refused_before_they_are_stored() {
    let (_server, target, _feed) = serving();
    let head = |lines: &str| format!("GET / HTTP/1.1\r\nHost: {}\r\n{lines}\r\n", target.address).into_bytes();
    let longest = "a".repeat(80 << 10);
    for (bytes, status) in [
        (head(""), "403"),
        (head(&format!("X: {longest}\r\n")), "431"),
        (head(&"X: y\r\n".repeat(1000)), "431"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n".to_vec(), "400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".to_vec(), "400"),
        (format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n", target.address).into_bytes(), "405"),
    ] {
        let answer = target.ask(&bytes);
        // A connection that is ended with unread bytes in it may lose its answer.
        assert!(answer.is_empty() || answer.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {answer:?}");
    }
    // A picture that nobody asked for is refused without its body.
    let post = format!(
        "POST {}picture HTTP/1.1\r\nHost: {}\r\nContent-Length: 99999999999\r\n\r\n",
        target.path, target.address
    );
    assert!(target.ask(post.as_bytes()).starts_with("HTTP/1.1 405"));
    target.page();
}

/// One unfinished request kept all others waiting before.
#[test]
fn requests_that_never_end_keep_nobody_out() {
    let (_server, target, _feed) = serving();
    let unfinished = format!("POST /x/picture HTTP/1.1\r\nHost: {}\r\nContent-Len", target.address);
    let open: Vec<TcpStream> = (0..200).filter_map(|_| target.send(unfinished.as_bytes())).collect();
    assert_eq!(open.len(), 200);
    for _ in 0..5 {
        assert!(target.page() < Duration::from_secs(2));
    }
}

/// Resident memory of this process \[bytes\], if the system reports it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Processor time of this thread \[s\], if the system reports it; other threads and programs are not included.
fn computed() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds * 1e-9)
}

/// Sends one hostile request; connections that stay open are added to `open`.
fn attack(target: &Target, random: &mut Random, noise: &[u8], open: &mut VecDeque<TcpStream>) {
    let host = target.address;
    let piece = |random: &mut Random, most: usize| {
        let length = 1 + random.below(most);
        let at = random.below(noise.len() - length);
        noise[at..at + length].to_vec()
    };
    let kept = match random.below(8) {
        0 => target.connect(),
        1 => target
            .send(format!("POST /x/picture HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\nab").as_bytes()),
        2 => {
            let header = "X-Long: ".to_owned() + &"y".repeat(1 + random.below(1 << 20));
            target.send(format!("GET / HTTP/1.1\r\n{header}").as_bytes())
        }
        3 => target.send(&piece(random, 4000)),
        4 => target.send(&[&b"GET / HTTP/1.1\r\n"[..], &piece(random, 2000), b"\r\n\r\n"].concat()),
        // A page that does not read its stream.
        5 if random.below(20) == 0 => target.send(&target.get(&format!("{}stream", target.path))),
        6 => {
            target.send(format!("GET /{:032x}/ HTTP/1.1\r\nHost: {host}\r\n\r\n", random.below(usize::MAX)).as_bytes())
        }
        _ => target.send(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
    };
    open.extend(kept);
    while open.len() > 60 {
        open.pop_front();
    }
}

/// Processor time of the threads of the server \[s\], if the system reports it.
fn served() -> Option<f64> {
    let mut sum = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let read = |file: &str| std::fs::read_to_string(task.path().join(file)).unwrap_or_default();
        if read("comm").starts_with("page") {
            let nanoseconds = read("schedstat").split(' ').next().and_then(|time| time.parse::<f64>().ok());
            sum += 1e-9 * nanoseconds.unwrap_or(0.0);
        }
    }
    Some(sum)
}

#[test]
fn the_page_is_served_and_the_run_goes_on_under_hostile_requests() {
    let whole = std::env::var_os("KINEGRAPH_WHOLE").is_some();
    let requests = if whole { 10_000 } else { 400 };
    // As many runs one after the other as the attack lasts; the page begins anew with each.
    let rounds = if whole { 7 } else { 1 };
    let once = |feed: &Feed| {
        feed.restart();
        let scenario = Scenario::open("examples/clutter/clutter.yaml").expect("a scenario");
        let mut simulation = scenario.simulation().expect("a simulation");
        let mut stream = Stream::new(feed.clone(), None);
        let end = if whole { 6.0 } else { 0.5 };
        simulation.advance_observing(end, 0.01, &scenario.channels, &mut stream).expect("a run");
    };
    let run = |feed: Feed| {
        let (start, before) = (Instant::now(), computed());
        (0..rounds).for_each(|_| once(&feed));
        feed.close();
        (start.elapsed(), before.zip(computed()).map(|(before, now)| now - before))
    };
    let alone = if whole { Some(run(Feed::default())) } else { None };
    let (_server, target, feed) = serving();
    target.page();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let noise: Vec<u8> = (0..1 << 16).map(|_| random.below(256) as u8).collect();
    let (mut open, mut page_times) = (VecDeque::new(), Vec::new());
    let (before, served_before) = (memory(), served());
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(feed.clone()));
        for i in 0..requests {
            attack(&target, &mut random, &noise, &mut open);
            if i % 40 == 0 {
                page_times.push(target.page());
            }
        }
        let served = served_before.zip(served()).map(|(before, now)| 1e6 * (now - before) / requests as f64);
        let attacked = running.join().expect("the run");
        // Everything that was written is there for those who read it.
        let lines = target.ask(&target.get(&format!("{}stream", target.path)));
        assert!(lines.contains("\"kind\":\"begin\"") && lines.ends_with("0\r\n\r\n"));
        page_times.sort();
        let grown = before.zip(memory()).map(|(before, now)| now.saturating_sub(before) >> 20);
        let times = |(wall, computed): (Duration, Option<f64>)| {
            format!("{:.2} s ({:.2} s of computing)", wall.as_secs_f64(), computed.unwrap_or(f64::NAN))
        };
        println!(
            "| hostile requests to the server of the page while a run streams: heads of up to 1 MiB, unfinished ones, \
             random bytes, streams that nobody reads | {requests} | {rounds} runs take {} instead of {}; the page comes \
             after {:.1?} (median) and {:.1?} (longest); {} MiB more memory, the run's stream included; a request \
             costs the server {:.0} µs of computing |",
            times(attacked),
            alone.map_or("(not measured)".into(), times),
            page_times[page_times.len() / 2],
            page_times[page_times.len() - 1],
            grown.unwrap_or(0),
            served.unwrap_or(f64::NAN)
        );
        // Times by the clock are the machine's, too: a short run, beside whatever else runs, only looks for hangs.
        let slack = if whole { 1 } else { 10 };
        assert!(page_times[page_times.len() / 2] < slack * Duration::from_millis(100), "{page_times:?}");
        assert!(page_times[page_times.len() - 1] < slack * Duration::from_secs(2), "{page_times:?}");
        if let (Some((_, Some(alone))), Some(attacked)) = (alone, attacked.1) {
            assert!(attacked < 1.05 * alone, "{attacked} s of computing instead of {alone} s");
        }
        // The run and its stream are in it, too; in a short run also what other tests of this program take meanwhile.
        let most = if whole { 20 } else { 60 };
        assert!(grown.is_none_or(|grown| grown < most), "{grown:?} MiB");
    });
}
