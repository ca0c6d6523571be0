import { invalidInputError } from '@zbc-signer/chain';
import { openTransport } from '@zbc-signer/host/node';
import { EmulatorError } from '../errors.js';
import { RemoteHands } from './remote-hands.js';
import { SerialSigner } from './serial-signer.js';
import type { Hands, SignerUnderTest } from './signer-under-test.js';

/** The person presses and looks, instead of a URL. */
const YOU = 'you';

/** The device to open, and how its buttons are pressed. */
export interface RealDeviceOptions {
  /** The name of the device for `openTransport`. */
  device: string;
  /**
   * `you` for the person, or the base URL of a service that presses and shows. Default: an `http:` device
   * itself; for a `uart:` device, display and keys at this end; otherwise the person.
   */
  buttons?: string | undefined;
  /** Cuts the power of the device and restores it. */
  restart?: (() => Promise<void>) | undefined;
  /** Ends requests for buttons and screens. */
  signal: AbortSignal;
  /** Returns the person, if nothing else presses. */
  openUser(): Hands;
}

/** An opened device. */
export interface RealDevice {
  signer: SignerUnderTest;
  /** Closes the opened resources; connections belong to their owner. */
  close(): void;
}

/**
 * Opens a device and its buttons. Throws `INVALID_INPUT` for an invalid name, DEVICE_UNSUITABLE for a UART on
 * which no signer answers, and the errors of `openUser`.
 */
export async function openRealDevice(options: RealDeviceOptions): Promise<RealDevice> {
  const { device, signal, restart } = options;
  if (/^uart:/i.test(device) && options.buttons === undefined) return openSerial(options);
  const connect = () => openTransport(device);
  // This does not connect, but throws for an invalid name.
  connect();
  const url = options.buttons ?? (/^http:/i.test(device) ? device : undefined);
  const hands = url === undefined || url === YOU ? options.openUser() : new RemoteHands(url, signal);
  return { signer: { name: device, connect, hands: restart ? withRestart(hands, restart) : hands }, close };
}

const close = () => undefined;

function withRestart(hands: Hands, restart: () => Promise<void>): Hands {
  return {
    follow: steps => hands.follow(steps),
    ...(hands.see && { see: (press, isMeant) => hands.see!(press, isMeant) }),
    ...(hands.enterWords && { enterWords: mnemonic => hands.enterWords!(mnemonic) }),
    async cut() {
      await restart();
      return true;
    },
  };
}

async function openSerial({ device, restart }: RealDeviceOptions): Promise<RealDevice> {
  if (!URL.canParse(device) || new URL(device).port === '') {
    throw invalidInputError('the device must be uart://host:port');
  }
  const signer = await SerialSigner.open(device, restart).catch((cause: Error) => {
    throw new EmulatorError('DEVICE_UNSUITABLE', `cannot connect to ${device}: ${cause.message}`, { cause });
  });
  return { signer, close: () => signer.close() };
}
