import { parseSignedDocument, submitAndConfirm } from '@zbc-signer/host';
import { openGateway } from '../../connection/gateway.js';
import { DOCUMENT_ARGUMENT, readDocument } from '../../input/files.js';
import { parseDurationMs } from '../../input/values.js';
import { reportProgress } from '../../output/progress.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS, SENDING_OPTIONS } from '../../parser/options.js';
import { openJournal, viewResult } from '../../transaction/sending.js';

export const command = defineCommand({
  arguments: { file: DOCUMENT_ARGUMENT },
  options: {
    'no-wait': SENDING_OPTIONS['no-wait'],
    timeout: SENDING_OPTIONS.timeout,
    'pay-again': SENDING_OPTIONS['pay-again'],
    ...GATEWAY_OPTIONS,
  },
  examples: [
    ['$0 tx submit signed.json', 'submitting the same document a second time makes no second payment'],
  ],

  async run({ file, noWait, timeout, payAgain, api }, terminal) {
    const waitsForConfirmation = noWait !== true;
    const confirmationTimeoutMs = timeout === undefined ? undefined : parseDurationMs('--timeout', timeout);
    const gateway = openGateway({ api });
    const signed = parseSignedDocument(await readDocument(file, terminal.signal));
    const result = await submitAndConfirm(signed, {
      gateway,
      journal: openJournal(),
      paysAgain: payAgain === true,
      waitsForConfirmation,
      confirmationTimeoutMs,
      signal: terminal.signal,
      onProgress: reportProgress(terminal, false, waitsForConfirmation),
    });
    return viewResult(result);
  },
});
