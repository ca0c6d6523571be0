import { allChecks, type Check, type ConformanceBench, readCases } from '@zbc-signer/emulator/conformance';
import { BareDevice } from '../../../testkit/device/bare-device.js';
import { offsetIn, REFUSALS, statusNamed } from '../../../testkit/repository/specification.js';

const COMMANDS: Readonly<Record<number, string>> = {
  1: 'GET_APP_NAME',
  3: 'GET_APP_VERSION',
  5: 'GET_PUBLIC_KEY',
  6: 'SIGN_TX',
  7: 'SIGN_MESSAGE',
  8: 'REGISTER_CONTACT',
};
/** Ends of the conditions that need a review, a signer without a seed, or another setting. */
const OF_STATES = ['a review is open', 'there is no seed', '`Unknown chains` is `refused`'];

/** Returns the commands of a check that sends no more than commands and decides their reviews. */
async function commandsOf(check: Check): Promise<readonly Uint8Array[]> {
  const sent: Uint8Array[] = [];
  const sendAnswered = async (commands: readonly Uint8Array[]) => void sent.push(...commands);
  const bench = { sendAnswered, open: sendAnswered, decide: async () => undefined };
  await check.run(bench as unknown as ConformanceBench).catch(() => undefined);
  return sent;
}

/** Returns the row of the specification that a reply to a command follows. */
function rowOf(header: Uint8Array, command: Uint8Array, reply: string) {
  const isWhole = command.length === 5 + command[4]!;
  return REFUSALS.find(({ commands, when, status, reason, offset }) => {
    const at = offsetIn(offset, header, command) ?? Buffer.from(reply, 'hex')[1]!;
    const details = reason === undefined ? '' : Buffer.of(0, at, 0, reason).toString('hex');
    if (reply !== details + status) return false;
    if (when === 'the data is shorter than 60 bytes' && command.length >= 5 + 60) return false;
    if (commands[0] === 'any') return !isWhole || status !== statusNamed('WRONG_LENGTH');
    return isWhole && commands.some(name => name.startsWith(COMMANDS[command[1]!]!));
  });
}

test('the checks send a command for each refusal in the specification', async () => {
  const missing = new Set(REFUSALS.filter(({ when }) => !OF_STATES.some(state => when.endsWith(state))));
  const groups = allChecks(readCases()).filter(({ name }) =>
    ['refusals', 'commands', 'contacts'].includes(name),
  );
  for (const check of groups.flatMap(({ checks }) => checks)) {
    const device = await BareDevice.start();
    let header: Uint8Array = new Uint8Array(5);
    for (const command of await commandsOf(check)) {
      if (command[2] === 0) header = command;
      missing.delete(rowOf(header, command, device.command(command))!);
    }
  }
  expect([...missing].map(({ commands, when }) => `${commands.join(', ')}: ${when}`)).toEqual([]);
});
