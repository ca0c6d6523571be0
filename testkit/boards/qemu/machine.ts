import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gdb } from './gdb.js';
import { Qmp } from './qmp.js';

/** Arguments of setpriv that kill the program when the thread that started it ends for any reason. */
const WITH_PARENT = ['--pdeathsig', 'KILL'];

interface MachineOptions {
  program: string;
  /** Returns additional arguments. `directory` is for the files of this machine. */
  arguments: (directory: string) => string[];
  /** Options of the tracing plugin. If undefined, the plugin is not loaded. */
  traced?: string | undefined;
  /** Whether a panel has its own UART. */
  hasPanelUart?: boolean;
  /** Maps an address of the program to the address at which QEMU can access the same memory. */
  physical?: (address: number) => number;
}

/** A QEMU process, stopped before its first instruction, with the sockets that tests use. */
export class Machine {
  readonly #log: string;
  readonly #calls: string;
  readonly #end: string;
  #errors = '';
  #dumps = 0;
  /** The log at the time when its file was deleted. */
  #lastLog: string[] | undefined;

  private constructor(
    readonly directory: string,
    private readonly child: ChildProcess,
    readonly qmp: Qmp,
    private readonly qtest: Socket,
    readonly uart: Socket,
    readonly panel: Socket,
    private readonly physical: (address: number) => number,
  ) {
    this.#log = join(directory, 'log');
    this.#calls = join(directory, 'calls');
    this.#end = join(directory, 'end');
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors += chunk;
    });
  }

  static async start({
    program,
    arguments: own,
    traced,
    hasPanelUart = false,
    physical = address => address,
  }: MachineOptions): Promise<Machine> {
    const directory = mkdtempSync(join(tmpdir(), 'board-'));
    const socket = (name: string) => `unix:${join(directory, name)},server=on,wait=off`;
    const uarts = hasPanelUart ? ['uart', 'panel'] : ['uart'];
    const common = [
      '-nodefaults',
      '-display',
      'none',
      '-accel',
      'tcg',
      '-S',
      '-action',
      'reboot=shutdown,shutdown=pause',
    ];
    const interfaces = [
      ...['-qmp', socket('qmp'), '-qtest', socket('qtest'), '-qtest-log', 'none', '-gdb', socket('gdb')],
      ...uarts.flatMap(name => ['-serial', socket(name)]),
    ];
    const log = ['-d', 'unimp,guest_errors', '-D', join(directory, 'log')];
    const plugin = traced
      ? ['-plugin', `${traced},out=${join(directory, 'calls')},end=${join(directory, 'end')}`]
      : [];
    writeFileSync(join(directory, 'log'), '');
    const line = [program, ...own(directory), ...common, ...interfaces, ...log, ...plugin];
    const child = spawn('setpriv', [...WITH_PARENT, ...line], { stdio: ['ignore', 'ignore', 'pipe'] });
    const opened = await Promise.all(
      ['qmp', 'qtest', ...uarts].map(name => connect(join(directory, name), child)),
    );
    const [qmp, qtest, uart, panel = uart] = opened as [Socket, Socket, Socket, Socket?];
    return new Machine(directory, child, await Qmp.on(qmp), qtest, uart, panel, physical);
  }

  /** Sends a command of qtest, QEMU's protocol for testing devices. Returns the answer. */
  async test(command: string): Promise<string> {
    const answer = new Promise<string>(resolve =>
      this.qtest.once('data', data => resolve(String(data).trim())),
    );
    this.qtest.write(`${command}\n`);
    const text = await answer;
    if (!text.startsWith('OK'))
      throw new Error(`qtest: expected OK as the answer to ${command}, found ${text}`);
    return text;
  }

  /** Stops the machine for a debugger. */
  async debug(): Promise<Gdb> {
    return new Gdb(await connect(join(this.directory, 'gdb'), this.child)).open();
  }

  async memory(address: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#dump('pmemsave', { val: this.physical(address), size: length }));
  }

  /** Returns the pixels of the machine's display as PPM, or undefined if the machine has no display. */
  async screen(): Promise<Buffer> {
    return this.#dump('screendump', {});
  }

  /** Has QEMU write a file. Each call has its own, because a press may poll the memory during another call. */
  async #dump(command: string, options: object): Promise<Buffer> {
    const filename = join(this.directory, `dump-${this.#dumps++}`);
    await this.qmp.do(command, { ...options, filename });
    const bytes = readFileSync(filename);
    rmSync(filename);
    return bytes;
  }

  /** Whether the program has reset the machine. A reset stops the machine. */
  get isReset(): boolean {
    return this.qmp.events.includes('SHUTDOWN');
  }

  /** Resets the machine, which stays stopped. RAM is preserved. */
  async reset(): Promise<void> {
    await this.qmp.do('stop');
    await this.qmp.do('set-action', { reboot: 'reset' });
    this.qmp.events.length = 0;
    await this.qmp.do('system_reset');
    while (!this.qmp.events.includes('RESET')) await sleep(1);
    await this.qmp.do('set-action', { reboot: 'shutdown' });
    this.qmp.events.length = 0;
  }

  /**
   * Lines of QEMU's log: invalid accesses of the program, and accesses to devices that QEMU does not model.
   */
  get log(): string[] {
    return this.#lastLog ?? readFileSync(this.#log, 'utf8').split('\n').slice(0, -1);
  }

  /** Lines that QEMU has written to its error output. */
  get errors(): string[] {
    return this.#errors.split('\n').filter(line => line !== '');
  }

  /** Makes the plugin trace the next call, which returns to `address`. */
  trace(address: number): void {
    writeFileSync(this.#end, address.toString(16));
  }

  endTrace(): void {
    rmSync(this.#end);
  }

  /** The output of the plugin so far. */
  get calls(): string[] {
    return readFileSync(this.#calls, 'utf8').split('\n').slice(0, -1);
  }

  /** Kills the process. The files with the flash of the machine stay readable until `discard`. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise(resolve => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }

  discard(): void {
    this.#lastLog ??= this.log;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Connects to a socket of a QEMU that is starting. Throws if QEMU exits. */
export async function connect(path: string, child: ChildProcess): Promise<Socket> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (child.exitCode !== null) throw new Error(`QEMU exited with code ${child.exitCode}`);
    const socket = await new Promise<Socket | undefined>(resolve => {
      const attempt = createConnection(path);
      attempt.once('connect', () => resolve(attempt));
      attempt.once('error', () => resolve(undefined));
    });
    if (socket) {
      socket.on('error', () => undefined);
      return socket;
    }
    await sleep(5);
  }
  throw new Error(`QEMU did not open its socket ${path}`);
}
