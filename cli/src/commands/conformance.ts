import { exec } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { CheckGroup, CheckResult, RealDevice, RunOptions } from '@zbc-signer/emulator/conformance';
import { drawScreens } from '@zbc-signer/emulator/screen-art';
import { UsageError } from '../errors/errors.js';
import { exitCode } from '../errors/exit-codes.js';
import { deviceSetting } from '../input/config.js';
import { readBytes, writeBytes } from '../input/files.js';
import { formatJsonLine } from '../output/json.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import { packageVersion } from '../package-version.js';
import { defineCommand, type Given } from '../parser/command.js';
import { DEVICE_OPTIONS } from '../parser/options.js';
import { MAX_IMAGE_BYTES } from './image.js';

/** Options of a production test; all three or none are given. */
const PRODUCTION_OPTIONS = {
  record: {
    describe: 'file to which a JSON line is added: the unit, its image, every check and the times',
  },
  unit: { describe: 'serial number of the tested unit, for --record; a unit is written only once' },
  image: { describe: 'file of the image that was flashed, for --record' },
} as const;

/** The unit under test. `counter` is the security counter of a signed image, null for another image. */
interface Unit {
  unit: string;
  image_sha256: string;
  counter: number | null;
}

/** Appends one JSON line for each tested unit to a file. */
class UnitRecord {
  private constructor(
    private readonly path: string,
    private readonly unit: Unit,
  ) {}

  /**
   * Reads the image and the file of earlier units. Returns undefined without the options, and throws
   * UsageError if only some are given, or if the file already has the unit.
   */
  static async open(
    { record, unit, image }: Given<typeof PRODUCTION_OPTIONS>,
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

const conformance = defineCommand({
  options: {
    device: {
      ...DEVICE_OPTIONS.device,
      describe: `${DEVICE_OPTIONS.device.describe}; for uart://, this program takes the place of display and keys`,
    },
    buttons: {
      describe:
        'who presses the buttons and compares: you, or http://host:port of an emulator or simulator [for http://, the device; for uart://, this program; otherwise you]',
    },
    restart: {
      describe:
        'shell command that power-cycles the signer [you are asked to do it; for uart://, not tested]',
    },
    only: {
      array: true,
      nargs: 1,
      describe: 'group of checks to run, such as refusals; repeatable [all]',
    },
    html: {
      describe: 'HTML file to write, with the screens that were wrong',
    },
    ...PRODUCTION_OPTIONS,
  },
  examples: [
    ['$0 conformance --html report.html', 'test a signer on USB: press and compare as the program asks'],
    ['$0 conformance --device uart://127.0.0.1:4444 --buttons you', 'test a board with its own display'],
    ['$0 conformance --device http://127.0.0.1:5000', 'test an emulator or simulator, without a user'],
    ['$0 conformance --record line.jsonl --unit A0001 --image signed.bin', 'a production test'],
  ],
  notes: 'The signer must have the seed of the test mnemonic, and all settings at their defaults.',

  async run({ device: option, buttons, restart, only, html, ...production }, terminal) {
    const started = new Date();
    const record = await UnitRecord.open(production, terminal.signal);
    const device = deviceSetting(option).value;
    const suite = await import('@zbc-signer/emulator/conformance');
    const { allChecks, listLeftOut, readCases, runChecks } = suite;
    const cases = readCases();
    const all = allChecks(cases);
    const groups = selectGroups(all, only);
    const { signer, close } = await openSigner({ device, buttons, restart }, terminal);
    let hasDrawn = false;
    const options: RunOptions = {
      mnemonic: cases.mnemonic,
      signal: terminal.signal,
      onResult: result => {
        terminal.report(describeResult(result, terminal));
        // Many drawings would hide the other checks.
        if (hasDrawn || !result.screen?.shown) return;
        hasDrawn = true;
        terminal.report(drawScreens(result.screen.step.screen.frame, result.screen.shown));
      },
    };
    try {
      const ran = await runChecks(signer, groups, options);
      const leftOut = listLeftOut(
        signer,
        all.filter(group => !groups.includes(group)),
      );
      const results = [...ran, ...leftOut];
      const run = { signer: device, version: packageVersion(), results };
      if (html !== undefined) await writeBytes(html, Buffer.from(suite.renderPage(run)), { force: true });
      record?.write(started, suite.conforms(results), results);
      if (!suite.conforms(ran)) terminal.exitCode = exitCode('nonconforming');
      return describeRun(device, results, suite);
    } finally {
      close();
    }
  },
});

type Suite = typeof import('@zbc-signer/emulator/conformance');

function describeRun(signer: string, results: readonly CheckResult[], suite: Suite): Outcome {
  const ran = suite.withoutLeftOut(results);
  const counts = suite.countOutcomes(results);
  return {
    json: {
      signer,
      conforms: suite.conforms(ran) && ran.length < results.length ? null : suite.conforms(results),
      passed: counts.passed,
      failed: counts.failed,
      not_tested: counts['not tested'],
      checks: results.map(({ screen: _, ...result }) => result),
    },
    text: `${suite.conformanceVerdict(results)}: ${counts.passed} passed, ${counts.failed} failed, ${counts['not tested']} not tested.`,
  };
}

function describeResult({ group, name, outcome, detail }: CheckResult, terminal: Terminal): string {
  const mark = {
    passed: 'ok  ',
    failed: terminal.style('red', 'FAIL'),
    'not tested': terminal.style('yellow', 'none'),
  };
  return `${mark[outcome]} ${group}: ${name}${detail === undefined ? '' : ` – ${detail}`}`;
}

function selectGroups(groups: CheckGroup[], only: readonly string[] | undefined): CheckGroup[] {
  const names = groups.map(({ name }) => name);
  const unknown = only?.find(name => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only must be one of ${names.join(', ')}`);
  // The first group always runs, because it shows whether there is a signer to test.
  return groups.filter(({ name }, index) => index === 0 || (only?.includes(name) ?? true));
}

interface Choice {
  device: string;
  buttons?: string | undefined;
  restart?: string | undefined;
}

const shell = promisify(exec);

async function openSigner({ device, buttons, restart }: Choice, { signal }: Terminal): Promise<RealDevice> {
  const { openRealDevice, TerminalUser } = await import('@zbc-signer/emulator/conformance');
  let user: InstanceType<typeof TerminalUser> | undefined;
  const real = await openRealDevice({
    device,
    buttons,
    signal,
    restart: restart === undefined ? undefined : async () => void (await shell(restart)),
    openUser() {
      if (process.stdin.isTTY !== true) {
        const hint = 'Run the command in a terminal, or give --buttons.';
        throw new UsageError('there is no terminal in which to ask you to press the buttons', hint);
      }
      const { stdin: input, stderr: output } = process;
      const onInterrupt = () => process.kill(process.pid, 'SIGINT');
      user = new TerminalUser({ input, output, onInterrupt }, signal);
      return user;
    },
  });
  return {
    signer: real.signer,
    close() {
      user?.close();
      real.close();
    },
  };
}

export const commands = { conformance };
