import { join } from 'node:path';
import { cleanText, ZbcSignerError } from '@zbc-signer/chain';
import type { NonceError } from '@zbc-signer/host';
import { TextFile } from '@zbc-signer/host/node';
import { stateDirectory } from '../input/config.js';

const EVIDENCE_HINT =
  'Do not use this device again. The file may carry the seed: first move what its accounts hold to a seed that was made on another device, then show the file to others. `zbc-signer verify-nonce FILE` checks it.';

/** Keeps the evidence against a device in a file that only this user may read. Returns the error to report. */
export async function keepEvidence(error: NonceError): Promise<ZbcSignerError> {
  const file = new TextFile(join(stateDirectory(), `nonce-evidence-${Date.now()}.json`));
  const kept = await file.store(error.evidence()).then(
    () => `the evidence is in ${file.path}`,
    (fault: unknown) => `the evidence could not be kept: ${cleanText(`${fault}`)}`,
  );
  return new ZbcSignerError(error.code, `${error.message}; ${kept}`, {
    facts: error.facts,
    hint: EVIDENCE_HINT,
    cause: error,
  });
}
