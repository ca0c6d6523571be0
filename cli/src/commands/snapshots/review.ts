import { explainListenError } from '../../errors/errors.js';
import { requireLoopback } from '../../input/network.js';
import { parsePort } from '../../input/values.js';
import { formatJsonLine } from '../../output/json.js';
import { defineCommand } from '../../parser/command.js';
import { DIRECTORY_ARGUMENT, searchSnapshots } from './search.js';

export const command = defineCommand({
  arguments: { directory: DIRECTORY_ARGUMENT },
  options: {
    port: {
      default: '0',
      describe: 'port to listen on; 0 picks a free one',
    },
  },
  examples: [['$0 snapshots review', 'open the printed address, approve all or one, and end with Ctrl-C']],
  notes:
    'Only this machine can reach the page, and only a user who has the printed address can approve. Without a' +
    ' browser, use zbc-signer snapshots approve.',

  async run({ directory, port }, terminal) {
    requireLoopback();
    const { changes } = await searchSnapshots(directory);
    if (changes.length === 0) return { json: { changes: 0 }, text: 'No changed snapshots.' };
    const { serveReview } = await import('@zbc-signer/emulator/snapshots');
    const number = parsePort('--port', port);
    const server = await serveReview(directory, number).catch(error => {
      throw explainListenError(error, [{ option: '--port', port: number }]);
    });
    const lines = [`${changes.length} changed snapshots  ${server.url}`, 'Ready. Ctrl-C stops it.'];
    const ready = { ready: true, url: server.url, changes: changes.length };
    process.stdout.write(`${terminal.json ? formatJsonLine(ready) : lines.join('\n')}\n`);
    await terminal.interrupted();
    await server.close();
    terminal.report(`${server.approved} of ${changes.length} approved.`);
    return undefined;
  },
});
