import { invalidInputError } from '@zbc-signer/chain';
import { openTransport } from '@zbc-signer/host/node';
import { EmulatorError } from '../errors.js';
import { HttpControls } from './http-controls.js';
import { SerialSigner } from './serial-signer.js';
import type { DeviceControls, SignerUnderTest } from './signer-under-test.js';

/** The value of `buttons` if a person presses the buttons and reads the display. */
const YOU = 'you';

/** The device to open, and how its buttons are pressed. */
export interface RealDeviceOptions {
  /** The name of the device for `openTransport`. */
  device: string;
  /**
   * `you` if a person presses the buttons, or the base URL of a REST interface that presses them and returns
   * the screen. Default: for an `http:` device, its own interface; for a `uart:` device, this program is the
   * panel; otherwise a person.
   */
  buttons?: string | undefined;
  /** Cuts the power of the device and restores it. */
  restart?: (() => Promise<void>) | undefined;
  /** Aborts the requests for presses and screens. */
  signal: AbortSignal;
  /** Returns controls that ask a person; called only if a person presses the buttons. */
  openUser(): DeviceControls;
}

/** An opened device. */
export interface RealDevice {
  signer: SignerUnderTest;
  /** Closes what `openRealDevice` opened, but not the connections that `signer.connect` opened. */
  close(): void;
}

/**
 * Opens a device and its buttons. Throws `INVALID_INPUT` for an invalid name, DEVICE_UNSUITABLE if no signer
 * answers on a UART, and the errors of `openUser`.
 */
export async function openRealDevice(options: RealDeviceOptions): Promise<RealDevice> {
  const { device, signal, restart } = options;
  if (/^uart:/i.test(device) && options.buttons === undefined) return openSerial(options);
  const connect = () => openTransport(device);
  // This does not connect, but throws for an invalid name.
  connect();
  const url = options.buttons ?? (/^http:/i.test(device) ? device : undefined);
  const controls = url === undefined || url === YOU ? options.openUser() : new HttpControls(url, signal);
  return {
    signer: { name: device, connect, controls: restart ? withRestart(controls, restart) : controls },
    close,
  };
}

const close = () => undefined;

function withRestart(controls: DeviceControls, restart: () => Promise<void>): DeviceControls {
  return {
    ...(controls.follow && { follow: steps => controls.follow!(steps) }),
    ...(controls.awaitFrame && { awaitFrame: (press, isMeant) => controls.awaitFrame!(press, isMeant) }),
    hurry: () => controls.hurry?.(),
    ...(controls.enterWords && { enterWords: mnemonic => controls.enterWords!(mnemonic) }),
    async cutPower() {
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
