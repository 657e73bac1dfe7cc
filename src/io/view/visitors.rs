//! List of connections. Until a request has named the secret address, its connection is one of a limited number: if
//! there is no room for another, the oldest is closed. A client that sends nothing, or sends slowly, therefore blocks
//! nobody.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of connections whose request is not read yet.
const MAX_STRANGERS: usize = 32;
/// Maximum number of connections of pages: each is a thread with one buffer.
const MAX_GUESTS: usize = 64;

/// List of connections. Copies share it.
#[derive(Clone, Default)]
pub(super) struct Visitors(Arc<Mutex<Lists>>);

#[derive(Default)]
struct Lists {
    closed: bool,
    next: u64,
    /// Connections before their request, the oldest first.
    strangers: VecDeque<(u64, TcpStream)>,
    guests: usize,
}

/// Place of one connection in the list; free again when it is dropped.
pub(super) struct Place {
    visitors: Visitors,
    number: u64,
    is_guest: bool,
}

impl Visitors {
    /// Adds a connection that has sent nothing yet; `None` if it could not be closed later.
    pub fn arrive(&self, stream: &TcpStream) -> Option<Place> {
        let stream = stream.try_clone().ok()?;
        let mut lists = self.lock();
        if lists.strangers.len() >= MAX_STRANGERS
            && let Some((_, oldest)) = lists.strangers.pop_front()
        {
            // Its thread reads an end of file.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = lists.next;
        lists.next += 1;
        lists.strangers.push_back((number, stream));
        drop(lists);
        Some(Place { visitors: self.clone(), number, is_guest: false })
    }

    /// Allows no more connections.
    pub fn close(&self) {
        self.lock().closed = true;
    }

    /// True if no more connections are allowed.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Marks the connection as one that has named the address, so that it stays until it ends. Returns true if there is
    /// room for it.
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
