//! Threads for connections.

use kinegraph_io::view::threads::Threads;
use std::sync::mpsc::channel;
use std::thread;

#[test]
fn a_thread_that_is_done_takes_the_next_job_and_no_job_waits() {
    let (done, ended) = channel();
    let threads = Threads::new(move |job: Option<std::sync::mpsc::Receiver<()>>| {
        // A job that waits keeps its thread.
        if let Some(end) = job {
            let _ = end.recv();
        }
        done.send(thread::current().id()).unwrap();
    });
    threads.hand(None).unwrap();
    let first = ended.recv().unwrap();
    let wait_for_idle = || {
        while threads.idle() == 0 {
            thread::yield_now();
        }
    };
    wait_for_idle();
    threads.hand(None).unwrap();
    assert_eq!(ended.recv().unwrap(), first);
    wait_for_idle();
    // The second job does not wait for the first, whichever thread runs that.
    let (end, kept) = channel();
    threads.hand(Some(kept)).unwrap();
    threads.hand(None).unwrap();
    ended.recv().unwrap();
    end.send(()).unwrap();
    ended.recv().unwrap();
}
