import type { Socket } from 'node:net';

const PATIENCE_MS = 60_000;

/**
 * A client of GDB's remote protocol. While it is connected, the machine only runs during `resume` and `run`.
 */
export class Gdb {
  #input = '';
  #wanted: ((reply: string) => void) | undefined;
  readonly #replies: string[] = [];

  constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => undefined);
  }

  /** Waits until the machine is stopped. The stub may report the stop without a request. */
  async open(): Promise<this> {
    let reply = await this.#ask('qSupported');
    while (!reply.startsWith('PacketSize')) reply = (await this.#reply(PATIENCE_MS)) ?? 'PacketSize';
    return this;
  }

  /** Returns a register of the core, by its number in the order of the stub. */
  async register(index: number): Promise<number> {
    return Buffer.from(await this.#ask('g'), 'hex').readUInt32LE(4 * index);
  }

  /** Changes registers, by their numbers. */
  async setRegisters(values: Readonly<Record<number, number>>): Promise<void> {
    const bytes = Buffer.from(await this.#ask('g'), 'hex');
    for (const [index, value] of Object.entries(values)) bytes.writeUInt32LE(value >>> 0, 4 * Number(index));
    await this.#command(`G${bytes.toString('hex')}`);
  }

  async read(address: number, length: number): Promise<Buffer> {
    return Buffer.from(await this.#ask(`m${address.toString(16)},${length.toString(16)}`), 'hex');
  }

  /** Writes to memory, including flash. */
  async write(address: number, bytes: Uint8Array): Promise<void> {
    await this.#command(
      `M${address.toString(16)},${bytes.length.toString(16)}:${Buffer.from(bytes).toString('hex')}`,
    );
  }

  async breakAt(address: number): Promise<void> {
    await this.#command(`Z0,${address.toString(16)},2`);
  }

  async unbreakAt(address: number): Promise<void> {
    await this.#command(`z0,${address.toString(16)},2`);
  }

  /**
   * Runs until a breakpoint. If no breakpoint is reached in time, returns false, and the machine keeps
   * running.
   */
  async resume(milliseconds = PATIENCE_MS): Promise<boolean> {
    this.#send('c');
    return (await this.#reply(milliseconds)) !== undefined;
  }

  /** Runs until a breakpoint or `interrupt`. Returns whether a breakpoint stopped the machine. */
  async run(): Promise<boolean> {
    this.#send('c');
    const reply = await this.#reply();
    return !reply?.startsWith('T02');
  }

  interrupt(): void {
    this.socket.write('\x03', 'latin1');
  }

  async step(): Promise<void> {
    await this.#ask('s');
  }

  /**
   * Steps over the breakpoint at which the machine stopped. `program` is the register number of the program
   * counter.
   */
  async stepOver(address: number, program: number): Promise<void> {
    await this.unbreakAt(address);
    // On a loaded machine, QEMU may report a step without having executed an instruction.
    do await this.step();
    while ((await this.register(program)) === address);
    await this.breakAt(address);
  }

  /** Lets the machine continue without a debugger. */
  async detach(): Promise<void> {
    await this.#command('D');
    this.socket.destroy();
  }

  async #command(packet: string): Promise<void> {
    const reply = await this.#ask(packet);
    if (reply !== 'OK')
      throw new Error(`gdb: expected OK as the reply to ${packet.slice(0, 40)}, found ${reply}`);
  }

  async #ask(packet: string): Promise<string> {
    this.#send(packet);
    const reply = await this.#reply(PATIENCE_MS);
    if (reply === undefined) throw new Error(`gdb: QEMU did not reply to ${packet.slice(0, 40)}`);
    return reply;
  }

  #send(packet: string): void {
    const sum = [...packet].reduce((total, character) => total + character.charCodeAt(0), 0) & 0xff;
    this.socket.write(`$${packet}#${sum.toString(16).padStart(2, '0')}`, 'latin1');
  }

  #reply(milliseconds?: number): Promise<string | undefined> {
    const ready = this.#replies.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise(resolve => {
      const giveUp = () => {
        this.#wanted = undefined;
        resolve(undefined);
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
      this.#wanted = reply => {
        clearTimeout(timer);
        resolve(reply);
      };
    });
  }

  #take(text: string): void {
    this.#input += text;
    for (;;) {
      const [whole, reply] = /^[+-]*\$([^#]*)#../.exec(this.#input) ?? [];
      if (whole === undefined) return;
      this.#input = this.#input.slice(whole.length);
      this.socket.write('+');
      const wanted = this.#wanted;
      this.#wanted = undefined;
      if (wanted) wanted(reply!);
      else this.#replies.push(reply!);
    }
  }
}
