import { join } from 'node:path';
import { SigningRecord } from '@zbc-signer/host';
import { TextFile } from '@zbc-signer/host/node';
import { UsageError } from '../errors/errors.js';
import { antiExfilSetting, stateDirectory } from '../input/config.js';
import type { Given } from '../parser/command.js';
import { ANTI_EXFIL, type SIGNING_OPTIONS } from '../parser/options.js';

/** The record of signings of this user's devices. */
const RECORD = 'signings.json';

/** Parses the options of a command that signs on a device. Throws UsageError. */
export function parseSigning({ antiExfil, allowWithheld }: Partial<Given<typeof SIGNING_OPTIONS>>) {
  const setting = antiExfilSetting(antiExfil);
  const mode = ANTI_EXFIL.find(known => known === (setting?.value ?? 'prefer'));
  if (mode === undefined) throw new UsageError(`${setting?.source} must be one of ${ANTI_EXFIL.join(', ')}`);
  return {
    antiExfil: mode,
    record: new SigningRecord(new TextFile(join(stateDirectory(), RECORD))),
    allowsWithheld: allowWithheld === true,
  };
}
