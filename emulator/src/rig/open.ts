import { invalidInputError } from '@zbc-signer/chain';
import { openTransport } from '@zbc-signer/host/node';
import { EmulatorError } from '../errors.js';
import { RemoteHands } from './remote-hands.js';
import { SerialSigner } from './serial-signer.js';
import type { Hands, SignerUnderTest } from './signer-under-test.js';

/** In place of a URL: the person presses and looks. */
const YOU = 'you';

/** Which device to open, and who is there to press. */
export interface RigOptions {
  /** As `openTransport` takes it. */
  device: string;
  /**
   * `you` for the person, or the base URL of what presses and shows in place of one. Default: an `http:`
   * device itself; of a `uart:` device display and keys are at this end; else the person.
   */
  buttons?: string | undefined;
  /** Cuts the power of the device and gives it back. */
  restart?: (() => Promise<void>) | undefined;
  /** Ends requests for buttons and screens. */
  signal: AbortSignal;
  /** The person, asked for when nothing else presses. */
  openUser(): Hands;
}

/** An opened device. */
export interface Rig {
  signer: SignerUnderTest;
  /** Closes what was opened; the connections are their owner's. */
  close(): void;
}

/**
 * Opens a device with whoever presses its buttons. Throws `INVALID_INPUT` for what names no device,
 * DEVICE_UNSUITABLE for a UART on which no signer answers, and what `openUser` throws.
 */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { device, signal, restart } = options;
  if (/^uart:/i.test(device) && options.buttons === undefined) return openSerial(options);
  const connect = () => openTransport(device);
  // Connects to nothing yet, and throws for what names no device.
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

async function openSerial({ device, restart }: RigOptions): Promise<Rig> {
  if (!URL.canParse(device) || new URL(device).port === '') {
    throw invalidInputError('the device must be uart://host:port');
  }
  const signer = await SerialSigner.open(device, restart).catch((cause: Error) => {
    throw new EmulatorError('DEVICE_UNSUITABLE', `cannot connect to ${device}: ${cause.message}`, { cause });
  });
  return { signer, close: () => signer.close() };
}
