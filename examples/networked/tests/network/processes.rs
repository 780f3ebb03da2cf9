//! Servers and clients that report in JSON.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The example program, which `cargo test` builds.
pub fn program() -> Command {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap().join("examples/multiplayer");
    let built = built.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(built.exists(), "{built:?} is not built: cargo build --example multiplayer");
    Command::new(built)
}

/// A running program, killed when dropped.
pub struct Process {
    child: Child,
    lines: Arc<Mutex<Vec<Value>>>,
}

impl Process {
    pub fn server(arguments: &[&str]) -> Self {
        let listen: &[&str] =
            if arguments.contains(&"--listen") { &[] } else { &["--listen", "127.0.0.1:0"] };
        Self::start(&[&["server", "--json"], listen, arguments].concat())
    }

    pub fn client(server: SocketAddr, arguments: &[&str]) -> Self {
        let server = server.to_string();
        let client = ["client", "--json", "--headless", "--connect", &server];
        Self::start(&[&client, arguments].concat())
    }

    fn start(arguments: &[&str]) -> Self {
        let mut command = program();
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::<Mutex<Vec<Value>>>::default();
        let shared = lines.clone();
        std::thread::spawn(move || {
            // Other lines are from the log.
            for value in output.lines().map_while(Result::ok) {
                if let Ok(value @ Value::Object(_)) = serde_json::from_str(&value) {
                    shared.lock().unwrap().push(value);
                }
            }
        });
        Self { child, lines }
    }

    /// The last report; `Null` before the first.
    pub fn last(&self) -> Value {
        self.lines.lock().unwrap().last().cloned().unwrap_or_default()
    }

    /// The address of a server.
    pub fn address(&self) -> SocketAddr {
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            let first = self.lines.lock().unwrap().first().cloned().unwrap_or_default();
            if let Some(address) = first["listening"].as_str() {
                return address.parse().unwrap();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not listen");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
