import { ReportTransport } from '../report-transport.js';
import { type TcpAddress, tcpPlace } from './tcp.js';
import { openUartDevice } from './uart-line.js';

const TIMES = { probeMs: 2000, lostMs: 5000 };

/**
 * A signer on a UART that is reached over TCP, such as by ser2net or QEMU (docs/APDU.md#uart); its display
 * and buttons are its own or another program's. Connects at the first exchange, and again after a failure.
 */
export class UartTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` without a port. */
  constructor(address: TcpAddress) {
    const { host, port } = tcpPlace(address);
    super(() => openUartDevice(host, port), TIMES);
  }
}
