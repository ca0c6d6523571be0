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
const OF_STATES = [
  'a review is open',
  'there is no seed',
  '`Unknown chains` is `refused`',
  'or another than when the review opened',
];

/** Gives the device the commands of a check that sends no more than commands and decides their reviews. */
async function run(
  check: Check,
  device: BareDevice,
  onReply: (command: Uint8Array, reply: string) => void,
): Promise<void> {
  const send = async (commands: readonly Uint8Array[]) => {
    for (const command of commands) onReply(command, device.command(command));
  };
  const decide = async (_review: unknown, decision: string) => {
    device.walk();
    if (decision === 'reject') device.press(2);
    device.press(3);
  };
  const bench = { sendAnswered: send, open: send, decide };
  await check.run(bench as unknown as ConformanceBench).catch(() => undefined);
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
    if (commands.some(name => name.endsWith('REVEAL')) !== (command[1] !== 8 && command[2] === 2))
      return false;
    return isWhole && commands.some(name => name.startsWith(COMMANDS[command[1]!]!));
  });
}

test('the checks send a command for each refusal in the specification', async () => {
  const missing = new Set(REFUSALS.filter(({ when }) => !OF_STATES.some(state => when.endsWith(state))));
  const groups = allChecks(readCases()).filter(({ name }) =>
    ['refusals', 'commands', 'contacts', 'anti-exfil'].includes(name),
  );
  for (const check of groups.flatMap(({ checks }) => checks)) {
    const device = await BareDevice.start();
    let header: Uint8Array = new Uint8Array(5);
    await run(check, device, (command, reply) => {
      if (command[2] === 0) header = command;
      missing.delete(rowOf(header, command, reply)!);
    });
  }
  expect([...missing].map(({ commands, when }) => `${commands.join(', ')}: ${when}`)).toEqual([]);
});
