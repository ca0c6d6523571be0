import { refusalReason } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { type Reply, send, splitReply } from '../../../testkit/device/apdu.js';
import { apdusOf, type Upload } from '../case/upload.js';
import type { Verdict } from './verdict.js';

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** The verdicts of the shipped firmware, to which commands are sent. */
export class DeviceOracle {
  #emulator: Emulator;

  private constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  static async start(): Promise<DeviceOracle> {
    return new DeviceOracle(await Emulator.start());
  }

  /**
   * Reads the review, then rejects it. A crash or an invalid reply is a verdict that no other oracle shares.
   */
  async verdict(upload: Upload): Promise<Verdict> {
    try {
      return await this.#ask(upload);
    } catch (error) {
      this.stop();
      this.#emulator = await Emulator.start();
      return broken(error instanceof Error ? error.message : String(error));
    }
  }

  stop(): void {
    this.#emulator.stop();
  }

  async #ask(upload: Upload): Promise<Verdict> {
    const apdus = apdusOf(upload);
    const begun = await send(apdu => this.#emulator.exchange(apdu), apdus.slice(0, -1));
    if (begun.status !== '9000') return refusalOf(begun);
    const reply = this.#emulator.exchange(apdus.at(-1)!).then(splitReply);
    if (!this.#emulator.reviewing) return refusalOf(await reply);
    // If the firmware crashes in the review, review() throws the error, and `reply` is rejected as well.
    reply.catch(() => undefined);
    const shown = await this.#emulator.review();
    await this.#emulator.reject();
    const { status } = await reply;
    return status === '6985' ? { shown } : broken(`a rejected transaction was answered with ${status}`);
  }
}

function refusalOf({ status, data }: Reply): Verdict {
  const name = STATUS_NAMES.get(Number.parseInt(status, 16)) ?? status;
  if (data.length !== 4) return broken(`a refusal was answered with ${data.toString('hex')} ${name}`);
  const reason = refusalReason(data[3]!) ?? `reason ${data[3]}`;
  return { refused: { status: name, field: data[0]!, offset: data.readUInt16LE(1), reason } };
}

function broken(reason: string): Verdict {
  return { refused: { status: 'BROKEN', field: 0, offset: 0, reason } };
}
