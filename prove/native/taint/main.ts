// taint SIGNER KEYSTORE: follows the seed through every instruction of a Pico's image, to a signature of a
// transfer, of a message and of a transfer with a commitment, and through rounds of its derivation. SIGNER and KEYSTORE are the modules of the
// image, with their function names. If ZBC_BOARD_IMAGE is set, it is the directory of the image; by default,
// the image that ships is used.
// --control FAULT: the image has this fault. The run must find its leak, and then ends.
// --all: signs every kind of transaction, and follows all rounds.
import { parseArgs } from 'node:util';
import { REVIEWS, SESSIONS } from '../../single-faults/session.js';
import { readModule } from '../../wasm/module.js';
import { Signing, Stretching } from './run.js';

const { values: options, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, control: { type: 'string' } },
  allowPositionals: true,
});
const [signer, keystore] = positionals.map(file => readModule(file));
const COMMITTED = 'send, reveal of a transaction';
const SHORT = ['send', 'message', COMMITTED];
const SHORT_ROUNDS = 64;

/** Thrown to end a control. */
class LeakFound extends Error {}

/** The location of each planted fault's leak. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'secret-index': /^address in w2c_/,
  'secret-branch': /^branch in w2c_/,
  multiplication: /^branch in __(?:aeabi_lmul|muldi3)/,
};

function onLeak(place: string): void {
  if (options.control && FAULTS[options.control]!.test(place)) throw new LeakFound(place);
}

function print(name: string, { shadow, leaks, published }: Signing | Stretching, rest: string): void {
  const { instructions, secret, peak, checks } = shadow;
  console.log(
    `${name}: ${instructions} instructions, ${secret} of which read secrets; at most ${peak} secret bytes, ${published} became public, ` +
      `${checks} comparisons of equal secrets; ${rest}`,
  );
  for (const [place, times] of leaks) console.log(`  ${place}: ${times} times`);
  if (leaks.size > 0) process.exitCode = 1;
}

async function follow(): Promise<void> {
  // A session is named like its review if all settings are off. A review of an address signs nothing.
  const names = options.all ? [...REVIEWS.filter(name => name !== 'address'), COMMITTED] : SHORT;
  for (const session of SESSIONS.filter(({ name }) => names.includes(name))) {
    const run = await Signing.run(signer!, session, onLeak);
    print(session.name, run, `${run.left} secret bytes remain`);
    if (run.left > 0) process.exitCode = 1;
  }
  const run = await Stretching.run(keystore!, options.all ? undefined : SHORT_ROUNDS, onLeak);
  print('seed', run, options.all ? 'all rounds' : `${run.rounds} rounds`);
}

try {
  await follow();
  if (options.control) throw new Error(`the leak of ${options.control} was not found`);
} catch (error) {
  if (!(error instanceof LeakFound)) throw error;
  console.log(`${options.control}: ${error.message}`);
}
