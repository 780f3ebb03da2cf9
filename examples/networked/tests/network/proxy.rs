//! A bad network: it loses packets and delays some, so that later ones overtake them.

use std::collections::HashMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// How long delayed packets take. A frame takes 17 ms.
const DELAY_MS: std::ops::Range<u64> = 20..120;
/// The size of the largest packet.
const PACKET: usize = 2048;

#[derive(Default)]
struct Counts {
    lost: AtomicU32,
    delayed: AtomicU32,
    has_ended: AtomicBool,
}

/// Forwards packets between clients and a server.
pub struct Proxy {
    address: SocketAddr,
    counts: Arc<Counts>,
}

impl Proxy {
    /// A network that loses a part of all packets, and delays as many.
    pub fn to(server: SocketAddr, lost: f64) -> Self {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
        let address = socket.local_addr().unwrap();
        let counts = Arc::<Counts>::default();
        let shared = counts.clone();
        thread::spawn(move || {
            // The server tells clients apart by their addresses: each gets a socket of its own.
            let mut clients: HashMap<SocketAddr, Arc<UdpSocket>> = HashMap::new();
            let mut line = Line { random: StdRng::seed_from_u64(1), lost, counts: shared.clone() };
            let mut packet = [0; PACKET];
            while let Some((length, client)) = receive(&socket, &mut packet, &shared) {
                let to_server = clients.entry(client).or_insert_with(|| {
                    let to_server = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
                    let (back, source) = (socket.clone(), to_server.clone());
                    let seed = u64::from(client.port());
                    let random = StdRng::seed_from_u64(seed);
                    let mut line = Line { random, lost, counts: shared.clone() };
                    thread::spawn(move || {
                        let mut packet = [0; PACKET];
                        let counts = line.counts.clone();
                        while let Some((length, _)) = receive(&source, &mut packet, &counts) {
                            line.send(&back, &packet[..length], client);
                        }
                    });
                    to_server
                });
                line.send(to_server, &packet[..length], server);
            }
        });
        Self { address, counts }
    }

    /// Where clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many packets were lost, and how many delayed.
    pub fn counts(&self) -> (u32, u32) {
        let Counts { lost, delayed, .. } = &*self.counts;
        (lost.load(Ordering::Relaxed), delayed.load(Ordering::Relaxed))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.counts.has_ended.store(true, Ordering::Relaxed);
    }
}

/// The next packet; `None` at the end.
fn receive(socket: &UdpSocket, packet: &mut [u8], counts: &Counts) -> Option<(usize, SocketAddr)> {
    socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    while !counts.has_ended.load(Ordering::Relaxed) {
        // An error is a timeout, or tells that a receiver is gone, which UDP does not mind.
        if let Ok(received) = socket.recv_from(packet) {
            return Some(received);
        }
    }
    None
}

/// One direction of a connection.
struct Line {
    random: StdRng,
    lost: f64,
    counts: Arc<Counts>,
}

impl Line {
    fn send(&mut self, socket: &Arc<UdpSocket>, packet: &[u8], to: SocketAddr) {
        let chance: f64 = self.random.random();
        if chance < self.lost {
            self.counts.lost.fetch_add(1, Ordering::Relaxed);
        } else if chance < 2.0 * self.lost {
            self.counts.delayed.fetch_add(1, Ordering::Relaxed);
            let delay = Duration::from_millis(self.random.random_range(DELAY_MS));
            let (socket, packet) = (socket.clone(), packet.to_vec());
            thread::spawn(move || {
                thread::sleep(delay);
                let _ = socket.send_to(&packet, to);
            });
        } else {
            let _ = socket.send_to(packet, to);
        }
    }
}
