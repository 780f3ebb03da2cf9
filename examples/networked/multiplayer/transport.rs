//! The sockets: UDP with the connections of netcode.
//!
//! Connections are not encrypted, and clients choose their own ids. For a game on the internet,
//! give out connect tokens instead: see `ServerAuthentication::Secure`.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::SystemTime;

use bevy::prelude::*;
use bevy_replicon::prelude::RepliconChannels;
use bevy_replicon_renet::netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication,
    ServerConfig,
};
use bevy_replicon_renet::renet::ConnectionConfig;
use bevy_replicon_renet::{RenetChannelsExt, RenetClient, RenetServer};

/// Tells this program's packets from others. Change it with the protocol.
const PROTOCOL: u64 = 0x6f72_6f67_656e_7901;
const MAX_CLIENTS: usize = 64;

/// Opens a server, and returns its address.
pub fn listen(
    channels: &RepliconChannels,
    address: SocketAddr,
) -> Result<(RenetServer, NetcodeServerTransport, SocketAddr), BevyError> {
    let socket = UdpSocket::bind(address)?;
    let address = socket.local_addr()?;
    let config = ServerConfig {
        current_time: now()?,
        max_clients: MAX_CLIENTS,
        protocol_id: PROTOCOL,
        public_addresses: vec![address],
        authentication: ServerAuthentication::Unsecure,
    };
    let transport = NetcodeServerTransport::new(config, socket)?;
    Ok((RenetServer::new(connection(channels)), transport, address))
}

/// Starts to connect to a server.
pub fn connect(
    channels: &RepliconChannels,
    server_addr: SocketAddr,
    client_id: u64,
) -> Result<(RenetClient, NetcodeClientTransport), BevyError> {
    let any: SocketAddr = match server_addr {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let authentication = ClientAuthentication::Unsecure {
        protocol_id: PROTOCOL,
        client_id,
        server_addr,
        user_data: None,
    };
    let transport = NetcodeClientTransport::new(now()?, authentication, UdpSocket::bind(any)?)?;
    Ok((RenetClient::new(connection(channels)), transport))
}

fn connection(channels: &RepliconChannels) -> ConnectionConfig {
    ConnectionConfig {
        server_channels_config: channels.server_configs(),
        client_channels_config: channels.client_configs(),
        ..default()
    }
}

fn now() -> Result<std::time::Duration, BevyError> {
    Ok(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?)
}
