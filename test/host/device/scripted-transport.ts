import type { Transport } from '@zbc-signer/host';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * A transport that answers each command of a script with its reply, both in hex. Any other command fails the
 * test.
 */
export class ScriptedTransport implements Transport {
  readonly commands: string[] = [];
  closed = false;
  #script: [command: string, reply: string][];

  constructor(...script: [command: string, reply: string][]) {
    this.#script = script;
  }

  get finished(): boolean {
    return this.#script.length === 0;
  }

  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    this.commands.push(hexOf(apdu));
    const [command, reply] = this.#script.shift() ?? ['no command', ''];
    expect(hexOf(apdu)).toBe(command);
    return new Uint8Array(Buffer.from(reply, 'hex'));
  }

  close(): void {
    this.closed = true;
  }
}
