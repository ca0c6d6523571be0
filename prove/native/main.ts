// native SIGNER KEYSTORE: after an event that must not sign, open or send anything, skips every instruction
// of a Pico's image and inverts every branch, at its first and last execution. SIGNER and KEYSTORE are the
// modules of the image, with their function names. If ZBC_BOARD_IMAGE is set, it is the directory of the
// image; by default, the image that ships is used. --control KIND: the image lacks a check. A fault during
// this kind of event must do harm, and the run then ends. --all: presses every key on every page of every
// review. Without this option, only the pages of a transfer are tried: on the approve page the keys that do
// not approve, and on all other pages a press of both keys.
import { parseArgs } from 'node:util';
import { readKeystore } from '../keystore/layout.js';
import { readModule } from '../wasm/module.js';
import { type FaultScenario, HARM, pressScenarios, type Verdict } from './fault-scenario.js';
import { gateScenarios } from './gates.js';
import { controlScenarios, frameScenarios } from './hardware.js';
import { placesOf } from './places.js';

const { values: options, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, control: { type: 'string' } },
  allowPositionals: true,
});
const [signer, keystore] = positionals as [string, string];
const placesOfSigner = (name: string) => placesOf(readModule(signer), 'signer', name);
const signs = placesOfSigner('key/signAs');
const derives = placesOfSigner('derive/deriveChild');
const draws = () => placesOf(readModule(keystore), 'keystore', 'device/showPage');

const KINDS: Readonly<Record<string, () => AsyncGenerator<FaultScenario>>> = {
  presses: () => pressScenarios(signs, options.all),
  gates: () => gateScenarios([...signs, ...derives], draws(), readKeystore(keystore).layout, options.all),
  control: () => controlScenarios(signs),
  frames: () => frameScenarios(signs, options.all),
};

/**
 * Tries each fault in the scenarios of this kind, and returns how often harm was done. A control ends at
 * the first harm.
 */
async function tryAll(kind: string): Promise<number> {
  const tally = new Map<Verdict, number>();
  let harms = 0;
  let instructions = 0;
  for await (const { name, traced, steps, judge } of KINDS[kind]!()) {
    instructions += traced.trace.length;
    // All scenarios need an hour, so progress is printed.
    if (options.all) console.error(`${new Date().toISOString().slice(11, 19)} ${kind}: ${name}`);
    const verdict = judge(traced.right);
    if (HARM.has(verdict)) throw new Error(`${name}: ${verdict} without a fault`);
    for (const { fault, outcome } of traced.tried(steps)) {
      const came = judge(outcome);
      tally.set(came, (tally.get(came) ?? 0) + 1);
      if (!HARM.has(came)) continue;
      harms += 1;
      console.log(`${came}: ${name}: ${fault.kind} at ${fault.address.toString(16)}, step ${fault.step}`);
      if (options.control) return harms;
    }
    traced.release();
  }
  const counts = [...tally].sort(([, a], [, b]) => b - a).map(([verdict, times]) => `${times} ${verdict}`);
  console.log(`${kind}: ${instructions} instructions, ${counts.join(', ')}`);
  return harms;
}

for (const kind of options.control ? [options.control] : Object.keys(KINDS)) {
  const harms = await tryAll(kind);
  if (harms > 0 !== (options.control !== undefined)) process.exitCode = 1;
}
