// native SIGNER KEYSTORE: skips every instruction of a Pico's image after an event, at its first and last
// execution, and inverts every branch, where nothing undue may be signed, opened or sent. Both modules are
// those of the image, with names; ZBC_BOARD_IMAGE is the image's directory, if it is not the one that ships.
// --control KIND: the image lacks a check, and a fault of this kind of events must do harm, which ends the
// run. --all: every key on every page of every session, else the press that approves, on every page of a
// transfer on which it must not.
import { parseArgs } from 'node:util';
import { readKeystore } from '../keystore/layout.js';
import { readModule } from '../wasm/module.js';
import { gates } from './gates.js';
import { control, frames } from './hardware.js';
import { placesOf } from './places.js';
import { HARM, presses, type Situation, type Verdict } from './situation.js';

const { values: options, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, control: { type: 'string' } },
  allowPositionals: true,
});
const [signer, keystore] = positionals as [string, string];
const placesOfSigner = (name: string) => placesOf(readModule(signer), 'signer', name);
const signs = placesOfSigner('key/signAs');
const derives = placesOfSigner('derive/deriveChild');
const draws = () => placesOf(readModule(keystore), 'keystore', 'device/showPage');

const KINDS: Readonly<Record<string, () => AsyncGenerator<Situation>>> = {
  presses: () => presses(signs, options.all),
  gates: () => gates([...signs, ...derives], draws(), readKeystore(keystore).layout, options.all),
  control: () => control(signs),
  frames: () => frames(signs, options.all),
};

/** Tries each fault in these situations, until harm is done if that ends the run. */
async function tryAll(kind: string): Promise<string[]> {
  const tally = new Map<Verdict, number>();
  const harms: string[] = [];
  let instructions = 0;
  for await (const { name, walk, steps, judge } of KINDS[kind]!()) {
    instructions += walk.trace.length;
    // All situations take most of an hour, so progress is printed.
    if (options.all) console.error(`${new Date().toISOString().slice(11, 19)} ${kind}: ${name}`);
    const verdict = judge(walk.right);
    if (HARM.has(verdict)) throw new Error(`${name}: ${verdict} without a fault`);
    for (const { fault, outcome } of walk.tried(steps)) {
      const came = judge(outcome);
      tally.set(came, (tally.get(came) ?? 0) + 1);
      if (!HARM.has(came)) continue;
      harms.push(`${came}: ${name}: ${fault.kind} at ${fault.address.toString(16)}, step ${fault.step}`);
      if (options.control) return harms;
    }
    walk.release();
  }
  const counts = [...tally].sort(([, a], [, b]) => b - a).map(([verdict, times]) => `${times} ${verdict}`);
  console.log(`${kind}: ${instructions} instructions, ${counts.join(', ')}`);
  return harms;
}

for (const kind of options.control ? [options.control] : Object.keys(KINDS)) {
  const harms = await tryAll(kind);
  for (const harm of harms) console.log(harm);
  if (harms.length > 0 !== (options.control !== undefined)) process.exitCode = 1;
}
