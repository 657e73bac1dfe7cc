//! Admission of connections. While few requests name a wrong address, every connection gets a thread at once. Otherwise
//! connections are examined in turns: one thread looks at all that arrived since the last turn, and closes those that
//! do not ask for the secret address, unread and without a response. Hostile requests therefore cost the run little
//! time, and the page waits at most one turn.
//!
//! A request is judged once it is as long as the longest valid beginning. A shorter one waits, whatever its content: if
//! a wrong beginning were closed earlier, its timing would reveal the address letter by letter.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two turns.
const TURN: Duration = Duration::from_millis(5);
/// Number of strangers that may arrive before turns begin, and by which the budget grows each second.
const STRANGER_LIMIT: f64 = 64.0;
/// Budget of strangers at which turns end. It is above zero, since otherwise a pause of some milliseconds would admit
/// all that wait.
const CALM_LIMIT: f64 = 0.5 * STRANGER_LIMIT;
/// Maximum number of connections that have not sent enough in a whole turn; the oldest are closed.
pub const MAX_SILENT: usize = 128;

/// Budget of strangers: how many more may arrive. Copies share it.
#[derive(Clone)]
pub struct Patience(Arc<Mutex<(f64, Instant)>>);

impl Default for Patience {
    fn default() -> Self {
        Patience(Arc::new(Mutex::new((STRANGER_LIMIT, Instant::now()))))
    }
}

impl Patience {
    /// Subtracts a number of strangers from the budget.
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

/// Entrance of connections.
pub struct Door {
    /// Socket at which connections come in.
    pub listener: TcpListener,
    token: String,
    /// Budget of strangers.
    pub patience: Patience,
    /// True while connections are examined in turns because of too many strangers.
    pub in_turns: bool,
    /// Connections that ask for the address.
    guests: VecDeque<TcpStream>,
    /// Connections that have not sent enough yet, the oldest first.
    pub silent: VecDeque<TcpStream>,
}

/// Judgement of a connection by its first bytes, without reading them.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// Asks for the address.
    Guest,
    /// Asks for something else, or is closed.
    Stranger,
    /// Has not sent enough yet.
    Silent,
}

impl Door {
    /// Creates the door of a listener for requests with this token.
    pub fn new(listener: TcpListener, token: &str, patience: Patience) -> Self {
        let (guests, silent) = Default::default();
        Door { listener, token: token.to_owned(), patience, in_turns: false, guests, silent }
    }

    /// The next connection; `None` once it `is_closed`.
    ///
    /// # Errors
    /// The system has no resources for another connection now.
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
            // Silent connections are served like others once turns end.
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

    /// Examines all connections that arrived since the last turn, and those that had not sent enough.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn take_turn(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.in_turns, true) {
            self.listener.set_nonblocking(true)?;
        }
        for _ in 0..self.silent.len() {
            let Some(stream) = self.silent.pop_front() else { break };
            self.sort(stream);
        }
        // Connections that arrive now have until the next turn.
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

    /// Judges a request by its beginning.
    pub fn knock(&self, begin: &[u8]) -> Look {
        let asks = |method: &str| {
            let (method, token) = (method.as_bytes(), self.token.as_bytes());
            let rightly = method.iter().chain(token).chain(b"/");
            // All bytes are compared, so that the time does not depend on where they differ.
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
