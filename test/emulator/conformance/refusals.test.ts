import { allChecks, type Check, type ConformanceBench, readCases } from '@zbc-signer/emulator/conformance';
import { BareDevice } from '../../../testkit/device/bare-device.js';
import { REFUSALS, statusNamed } from '../../../testkit/repository/specification.js';

const COMMANDS: Readonly<Record<number, string>> = {
  1: 'GET_APP_NAME',
  3: 'GET_APP_VERSION',
  5: 'GET_PUBLIC_KEY',
  6: 'SIGN_TX',
  7: 'SIGN_MESSAGE',
};
/** Ends of the conditions that need a review, a signer without a seed, or another setting. */
const OF_STATES = ['a review is open', 'there is no seed', '`Unknown chains` is `refused`'];

/** Returns the commands of a check that sends no more than commands. */
async function commandsOf(check: Check): Promise<readonly Uint8Array[]> {
  const sent: Uint8Array[] = [];
  const sendAnswered = async (commands: readonly Uint8Array[]) => void sent.push(...commands);
  await check.run({ sendAnswered } as unknown as ConformanceBench).catch(() => undefined);
  return sent;
}

/** Returns the row of the specification that a reply to a command follows. */
function rowOf(command: Uint8Array, reply: string) {
  const isWhole = command.length === 5 + command[4]!;
  return REFUSALS.find(({ commands, status, reason, offset }) => {
    const at = offset.startsWith('that') ? Buffer.from(reply, 'hex')[1]! : Number(offset);
    const details = reason === undefined ? '' : Buffer.of(0, at, 0, reason).toString('hex');
    if (reply !== details + status) return false;
    if (commands[0] === 'any') return !isWhole || status !== statusNamed('WRONG_LENGTH');
    return isWhole && commands.some(name => name.startsWith(COMMANDS[command[1]!]!));
  });
}

test('the checks send a command for each refusal in the specification', async () => {
  const missing = new Set(REFUSALS.filter(({ when }) => !OF_STATES.some(state => when.endsWith(state))));
  const groups = allChecks(readCases()).filter(({ name }) => ['refusals', 'commands'].includes(name));
  for (const check of groups.flatMap(({ checks }) => checks)) {
    const device = await BareDevice.start();
    for (const command of await commandsOf(check)) missing.delete(rowOf(command, device.command(command))!);
  }
  expect([...missing].map(({ commands, when }) => `${commands.join(', ')}: ${when}`)).toEqual([]);
});
