import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { CheckResult } from '@zbc-signer/emulator/conformance';
import { UsageError } from '../../errors/errors.js';
import { readBytes } from '../../input/files.js';
import { formatJsonLine } from '../../output/json.js';
import { MAX_IMAGE_BYTES } from '../image/options.js';

/** Options of a production test; all three or none are given. */
interface RecordOptions {
  record?: string | undefined;
  unit?: string | undefined;
  image?: string | undefined;
}

/** The unit under test. `counter` is the security counter of a signed image, null for another image. */
interface Unit {
  unit: string;
  image_sha256: string;
  counter: number | null;
}

/** Appends one JSON line for each tested unit to a file. */
export class UnitRecord {
  private constructor(
    private readonly path: string,
    private readonly unit: Unit,
  ) {}

  /**
   * Reads the image and the file of earlier units. Returns undefined without the options, and throws
   * UsageError if only some are given, or if the file already has the unit.
   */
  static async open(
    { record, unit, image }: RecordOptions,
    signal: AbortSignal,
  ): Promise<UnitRecord | undefined> {
    if (record === undefined && unit === undefined && image === undefined) return undefined;
    if (record === undefined || !unit || image === undefined) {
      throw new UsageError('--record FILE, --unit SERIAL and --image FILE belong together');
    }
    const bytes = await readBytes('the image', image, MAX_IMAGE_BYTES, signal);
    const image_sha256 = createHash('sha256').update(bytes).digest('hex');
    const opened = new UnitRecord(record, { unit, image_sha256, counter: await counterOf(bytes) });
    opened.refuseKnown();
    return opened;
  }

  /** Writes the line of the unit; `started` is the time at which its test began. */
  write(started: Date, conforms: boolean, results: readonly CheckResult[]): void {
    this.refuseKnown();
    const checks = results.map(({ group, name, outcome, detail, milliseconds }) => ({
      group,
      name,
      outcome,
      detail,
      milliseconds,
    }));
    const times = { started: started.toISOString(), ended: new Date().toISOString() };
    appendFileSync(this.path, `${formatJsonLine({ ...this.unit, conforms, ...times, checks })}\n`);
  }

  private refuseKnown(): void {
    const lines = existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n') : [];
    const isKnown = (line: string, at: number) => {
      try {
        return line !== '' && Reflect.get(Object(JSON.parse(line)), 'unit') === this.unit.unit;
      } catch {
        throw new UsageError(`--record: line ${at + 1} of ${this.path} is not JSON`);
      }
    };
    if (lines.some(isKnown)) {
      throw new UsageError(`--record: ${this.path} already has the unit ${this.unit.unit}`);
    }
  }
}

/** The security counter of a signed image, or null for an image without a loader's signature. */
async function counterOf(file: Uint8Array): Promise<number | null> {
  const { ImageError, isSignedImage, readSignedImage, signedImageOf } = await import('@zbc-signer/image');
  try {
    const image = signedImageOf(file);
    return isSignedImage(image) ? readSignedImage(image).counter : null;
  } catch (error) {
    if (error instanceof ImageError) return null;
    throw error;
  }
}
