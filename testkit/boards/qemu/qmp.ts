import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Answer {
  return?: unknown;
  error?: { desc: string };
}

/** A client of QMP, the protocol of QEMU. Each line is a JSON object, and one command is sent at a time. */
export class Qmp {
  readonly #waiting: ((answer: Answer) => void)[] = [];
  /** Names of the events so far. */
  readonly events: string[] = [];

  private constructor(private readonly socket: Socket) {
    const lines = createInterface(socket);
    lines.on('error', () => undefined);
    lines.on('line', line => {
      const message = JSON.parse(line) as Answer & { event?: string };
      if (message.event) this.events.push(message.event);
      else if ('return' in message || 'error' in message) this.#waiting.shift()?.(message);
    });
  }

  static async on(socket: Socket): Promise<Qmp> {
    const qmp = new Qmp(socket);
    await qmp.do('qmp_capabilities');
    return qmp;
  }

  async do(command: string, values: object = {}): Promise<unknown> {
    const answer = await new Promise<Answer>(resolve => {
      this.#waiting.push(resolve);
      this.socket.write(`${JSON.stringify({ execute: command, arguments: values })}\n`);
    });
    if (answer.error) throw new Error(`${command}: ${answer.error.desc}`);
    return answer.return;
  }

  /** Sends a command of QEMU's human monitor. Returns the answer. */
  async ask(line: string): Promise<string> {
    return String(await this.do('human-monitor-command', { 'command-line': line }));
  }
}
