import { formatDocument, parseDocument, signTransaction } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { UsageError } from '../../errors/errors.js';
import { DOCUMENT_ARGUMENT, readDocument } from '../../input/files.js';
import { reportProgress } from '../../output/progress.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, FEE_IN_TOKEN_OPTIONS, SENDING_OPTIONS } from '../../parser/options.js';
import { parseLimits } from '../../transaction/sending.js';

export const command = defineCommand({
  arguments: { file: DOCUMENT_ARGUMENT },
  options: {
    'max-fee': SENDING_OPTIONS['max-fee'],
    genesis: SENDING_OPTIONS.genesis,
    'allow-fee-in-token': FEE_IN_TOKEN_OPTIONS['allow-fee-in-token'],
    device: DEVICE_OPTIONS.device,
  },
  examples: [
    ['$0 tx sign built.json > signed.json', 'needs no network; sign and submit within an hour of tx build'],
  ],

  async run(options, terminal) {
    const limits = parseLimits(options);
    const prepared = parseDocument(await readDocument(options.file, terminal.signal));
    if ('signature' in prepared) {
      throw new UsageError('the document is already signed', 'Submit it with `zbc-signer tx submit`.');
    }
    const report = reportProgress(terminal, true);
    const signed = await withSigner(options.device, signer =>
      signTransaction(prepared, {
        signer,
        ...limits,
        signal: terminal.signal,
        // The later events are not reported, because they are about sending, which this command does not do.
        onProgress: event => (event.step === 'review' ? report(event) : undefined),
      }),
    );
    terminal.close();
    process.stdout.write(`${formatDocument(signed)}\n`);
    return undefined;
  },
});
