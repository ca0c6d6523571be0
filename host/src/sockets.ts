export { SocketTransport, type TcpAddress } from './device/transport/serial/socket-transport.js';
export type { CreateConnection, TcpSocket } from './device/transport/serial/tcp-link.js';
