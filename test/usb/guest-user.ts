import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { HOST_ADDRESS } from '../../testkit/guest/attach.js';
import { follow, Person } from '../../testkit/screen/person.js';

/** Matches guest/person.ts's message about the plugged-in device and the test. */
const IN_FRONT = /^In front of you: (\w+)\. (.*)$/gm;

/**
 * The person at a terminal of the guest, whose output arrives over TCP. They press the guest's devices, which
 * are emulators, through the REST interfaces. In the test of unplugging, they unplug the device after its
 * first page.
 */
export class GuestUser {
  readonly #server = createServer({ noDelay: true });
  #person: Person | undefined;

  private constructor(private readonly devices: ReadonlyMap<string, EmulatorServer>) {
    this.#server.on('connection', terminal => {
      const person = new Person(
        text => terminal.write(text),
        asked => this.#act(asked),
      );
      this.#person = person;
      // Errors after the end of a program are ignored.
      terminal.on('error', () => undefined);
      terminal.setEncoding('utf8').on('data', text => person.see(`${text}`));
    });
  }

  /** Starts a user with these devices, by serial number. */
  static async start(devices: ReadonlyMap<string, EmulatorServer>): Promise<GuestUser> {
    const outside = new GuestUser(devices);
    outside.#server.listen(0, '127.0.0.1');
    await once(outside.#server, 'listening');
    return outside;
  }

  /** All output of the terminal so far. */
  get shown(): string {
    return this.#person?.shown ?? '';
  }

  /** Runs a command of the guest's shell on this terminal, with the same exit code. */
  command(command: string): string {
    const { port } = this.#server.address() as AddressInfo;
    const terminal = `script -qefc 'stty cols 100; exec ${command}' /dev/null`;
    return `bash -c "exec 3<>/dev/tcp/${HOST_ADDRESS}/${port}; ${terminal} <&3 >&3 2>&3"`;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #act(asked: string): Promise<string> {
    const [, serialNumber = '', test = ''] = [...this.shown.matchAll(IN_FRONT)].at(-1) ?? [];
    const device = this.devices.get(serialNumber)!;
    if (!test.includes('unplugged') || asked.includes('Press nothing.')) return follow(device.api, asked);
    await device.close();
    return '';
  }
}
