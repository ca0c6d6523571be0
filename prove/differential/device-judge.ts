import { refusalReason } from '../../chain/src/index.js';
import { Emulator } from '../../emulator/src/index.js';
import * as statusWords from '../../protocol/status-words.js';
import { type Reply, send, splitReply } from '../../test/support/apdu.js';
import { apdusOf, type Upload } from './upload.js';
import type { Verdict } from './verdict.js';

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** The shipped firmware, asked in commands. */
export class DeviceJudge {
  private constructor(private readonly emulator: Emulator) {}

  static async start(): Promise<DeviceJudge> {
    return new DeviceJudge(await Emulator.start());
  }

  /** Reads what is shown, then rejects it; throws when the firmware crashes or answers outside its protocol. */
  async judge(upload: Upload): Promise<Verdict> {
    const apdus = apdusOf(upload);
    const begun = await send(apdu => this.emulator.exchange(apdu), apdus.slice(0, -1));
    if (begun.status !== '9000') {
      return this.refusal(begun);
    }
    const reply = this.emulator.exchange(apdus.at(-1)!).then(splitReply);
    if (!this.emulator.reviewing) {
      return this.refusal(await reply);
    }
    const shown = await this.emulator.review();
    await this.emulator.reject();
    if ((await reply).status !== '6985') {
      throw new Error(`a rejected transaction was answered ${(await reply).status}`);
    }
    return { shown };
  }

  stop(): void {
    this.emulator.stop();
  }

  private refusal({ status, data }: Reply): Verdict {
    if (data.length !== 4 || this.emulator.crashes.length > 0) {
      throw new Error(`the firmware answered ${data.toString('hex')} ${status}`);
    }
    const name = STATUS_NAMES.get(Number.parseInt(status, 16)) ?? status;
    const reason = refusalReason(data[3]!) ?? `reason ${data[3]}`;
    return { refused: { status: name, field: data[0]!, offset: data.readUInt16LE(1), reason } };
  }
}
