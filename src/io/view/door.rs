//! Who is let in. As long as few ask for what is not served, every connection has a thread at once. Where many do, the
//! door opens in turns: one thread looks at all that came since the last turn, and ends what does not ask for the
//! address that nobody guesses, unread and without an answer. So hostile requests cost the run little time, however
//! many there are, and the page waits for a turn at most.
//!
//! A request is looked at once it is as long as the longest one that begins rightly. A shorter one waits, whatever it
//! says: an end that came earlier where a guess begins wrongly would give the address away letter by letter.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Between two turns.
const TURN: Duration = Duration::from_millis(5);
/// So many strangers may come before there are turns, and as many more each second.
const STRANGER_LIMIT: f64 = 64.0;
/// Turns end once so many may come again: else a pause of some milliseconds would let in all that wait.
const CALM_LIMIT: f64 = 0.5 * STRANGER_LIMIT;
/// Connections that have not said enough in a whole turn; the oldest make room.
pub const MAX_SILENT: usize = 128;

/// How many strangers are borne. Copies share it.
#[derive(Clone)]
pub struct Patience(Arc<Mutex<(f64, Instant)>>);

impl Default for Patience {
    fn default() -> Self {
        Patience(Arc::new(Mutex::new((STRANGER_LIMIT, Instant::now()))))
    }
}

impl Patience {
    /// So many strangers came.
    pub fn spend(&self, strangers: usize) {
        let left = self.left();
        self.lock().0 = (left - strangers as f64).max(0.0);
    }

    fn left(&self) -> f64 {
        let mut patience = self.lock();
        let now = Instant::now();
        let grown = STRANGER_LIMIT * now.saturating_duration_since(patience.1).as_secs_f64();
        *patience = ((patience.0 + grown).min(STRANGER_LIMIT), now);
        patience.0
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (f64, Instant)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where connections come in.
pub struct Door {
    /// Socket at which connections come in.
    pub listener: TcpListener,
    token: String,
    /// How many strangers are borne.
    pub patience: Patience,
    /// True while connections are looked at in turns because too many are strangers.
    pub in_turns: bool,
    /// They ask for the address.
    guests: VecDeque<TcpStream>,
    /// Connections that have not said enough yet, the oldest first.
    pub silent: VecDeque<TcpStream>,
}

/// What is seen of a connection without reading it.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// Asks for the address.
    Guest,
    /// Asks for something else.
    Stranger,
    /// Has not said enough yet.
    Silent,
}

impl Door {
    /// The door of a listener, for those who know the token.
    pub fn new(listener: TcpListener, token: &str, patience: Patience) -> Self {
        let (guests, silent) = Default::default();
        Door { listener, token: token.to_owned(), patience, in_turns: false, guests, silent }
    }

    /// The next connection; `None` once it `is_closed`.
    ///
    /// # Errors
    /// The system has no more connections now.
    pub fn next(&mut self, is_closed: impl Fn() -> bool) -> io::Result<Option<TcpStream>> {
        loop {
            if is_closed() {
                return Ok(None);
            }
            if let Some(guest) = self.guests.pop_front() {
                return Ok(Some(guest));
            }
            if self.patience.left() < if self.in_turns { CALM_LIMIT } else { 1.0 } {
                thread::sleep(TURN);
                self.take_turn()?;
                continue;
            }
            // They have had their turns: as any other connection now.
            if let Some(stream) = self.silent.pop_front() {
                stream.set_nonblocking(false)?;
                return Ok(Some(stream));
            }
            if std::mem::take(&mut self.in_turns) {
                self.listener.set_nonblocking(false)?;
            }
            let (stream, _) = self.listener.accept()?;
            return Ok((!is_closed()).then_some(stream));
        }
    }

    /// Looks at all that came since the last turn, and at those that had not said enough.
    ///
    /// # Errors
    /// Those of the system.
    pub fn take_turn(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.in_turns, true) {
            self.listener.set_nonblocking(true)?;
        }
        for _ in 0..self.silent.len() {
            let Some(stream) = self.silent.pop_front() else { break };
            self.sort(stream);
        }
        // Those that come now have until the next turn.
        let surplus = self.silent.len().saturating_sub(MAX_SILENT);
        self.silent.drain(..surplus);
        self.patience.spend(surplus);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => self.sort(stream),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn sort(&mut self, stream: TcpStream) {
        match self.look(&stream) {
            Look::Guest if stream.set_nonblocking(false).is_ok() => self.guests.push_back(stream),
            Look::Guest | Look::Stranger => self.patience.spend(1),
            Look::Silent => self.silent.push_back(stream),
        }
    }

    fn look(&self, stream: &TcpStream) -> Look {
        let mut begin = [0; 64];
        match stream.peek(&mut begin) {
            Ok(0) => Look::Stranger,
            Ok(length) => self.knock(&begin[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Look::Silent,
            Err(_) => Look::Stranger,
        }
    }

    /// What a request that begins so is.
    pub fn knock(&self, begin: &[u8]) -> Look {
        let asks = |method: &str| {
            let (method, token) = (method.as_bytes(), self.token.as_bytes());
            let rightly = method.iter().chain(token).chain(b"/");
            // All of it is compared, wherever it differs.
            begin.len() > method.len() + token.len()
                && begin.iter().zip(rightly).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
        };
        match begin.len() {
            length if length < "POST /".len() + self.token.len() + 1 => Look::Silent,
            _ if asks("GET /") || asks("POST /") => Look::Guest,
            _ => Look::Stranger,
        }
    }
}
