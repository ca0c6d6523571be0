import { ReportTransport } from '../report-transport.js';
import { type TcpAddress, tcpPlace } from './tcp.js';
import { openUartDevice } from './uart-line.js';

const TIMES = { probeMs: 2000, lostMs: 5000 };

/**
 * A signer on a UART that is reached over TCP, such as through ser2net or QEMU (docs/APDU.md#uart). Its
 * display and buttons may be its own or those of a panel program. Connects at the first exchange, and again
 * after a failure.
 */
export class UartTransport extends ReportTransport {
  /** Throws `INVALID_INPUT` if the address has no valid port. */
  constructor(address: TcpAddress) {
    const { host, port } = tcpPlace(address);
    super(() => openUartDevice(host, port), TIMES);
  }
}
