//! Who is connected. Before a request has named the address that nobody guesses, its connection is one of few: where
//! there is no room for another, the oldest of these ends. So whoever sends nothing, or sends slowly, keeps nobody out.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Connections whose request is not read yet.
const MAX_STRANGERS: usize = 32;
/// Connections of pages: each is a thread with one buffer.
const MAX_GUESTS: usize = 64;

/// Who is connected. Copies share it.
#[derive(Clone, Default)]
pub(super) struct Visitors(Arc<Mutex<Lists>>);

#[derive(Default)]
struct Lists {
    closed: bool,
    next: u64,
    /// The oldest first.
    strangers: VecDeque<(u64, TcpStream)>,
    guests: usize,
}

/// The place of one connection; free again when it is dropped.
pub(super) struct Place {
    visitors: Visitors,
    number: u64,
    is_guest: bool,
}

impl Visitors {
    /// A place for a connection that has said nothing yet; `None` where it cannot be ended later.
    pub fn arrive(&self, stream: &TcpStream) -> Option<Place> {
        let stream = stream.try_clone().ok()?;
        let mut lists = self.lock();
        if lists.strangers.len() >= MAX_STRANGERS
            && let Some((_, oldest)) = lists.strangers.pop_front()
        {
            // Its thread reads an end.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = lists.next;
        lists.next += 1;
        lists.strangers.push_back((number, stream));
        drop(lists);
        Some(Place { visitors: self.clone(), number, is_guest: false })
    }

    /// No more connections.
    pub fn close(&self) {
        self.lock().closed = true;
    }

    /// Whether there are to be no more connections.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// The connection has named the address: it stays until it ends. Whether there is room for it.
    pub fn welcome(&mut self) -> bool {
        let mut lists = self.visitors.lock();
        lists.strangers.retain(|(number, _)| *number != self.number);
        let has_room = lists.guests < MAX_GUESTS;
        if has_room && !self.is_guest {
            lists.guests += 1;
            self.is_guest = true;
        }
        has_room
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lists = self.visitors.lock();
        lists.strangers.retain(|(number, _)| *number != self.number);
        lists.guests -= usize::from(self.is_guest);
    }
}
