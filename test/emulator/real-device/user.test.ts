import { PassThrough } from 'node:stream';
import type { ScreenStep } from '@zbc-signer/emulator/conformance';
import { TerminalUser } from '@zbc-signer/emulator/conformance';
import { drawScreen } from '@zbc-signer/emulator/screen-art';

const page = (...texts: string[]) => ({
  frame: new Uint8Array(1024).fill(texts.join().charCodeAt(2)),
  texts: texts.map(text => ({ text, x: 0, y: 0, w: 0, h: 0 })),
});
const FIRST = page('Amount', '1.5 ZBC');
const SECOND = page('Recipient', 'ZBC_AAAA');
const THIRD = page('Approve', 'press both');

/**
 * Follows steps with a person who gives these answers; resolves with the outcome and the terminal's output.
 */
async function follow(steps: ScreenStep[], answers: string[], columns = 80) {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns })];
  let said = '';
  output.on('data', chunk => {
    said += chunk;
    if (/: $/.test(said)) input.write(`${answers.shift() ?? ''}\n`);
  });
  const user = new TerminalUser(
    { input, output, onInterrupt: () => undefined },
    new AbortController().signal,
  );
  const wrong = await user.follow(steps);
  user.close();
  return { wrong, said, left: answers };
}

const said = (text: string) => text.split('\n').filter(line => /^(Press| {2}\S)/.test(line));

test('a user is asked for every press and shown every page as a drawing', async () => {
  const steps: ScreenStep[] = [
    { screen: FIRST },
    { press: 'right', screen: SECOND },
    { press: 'both', screen: THIRD },
  ];
  const { wrong, said: text } = await follow(steps, []);
  expect(wrong).toBeUndefined();
  expect(said(text)).toEqual([
    'Press nothing. The signer must show:',
    '  Amount',
    '  1.5 ZBC',
    'Press the right button once. Then the signer must show:',
    '  Recipient',
    '  ZBC_AAAA',
    'Press both buttons together once. Then the signer must show:',
    '  Approve',
    '  press both',
  ]);
  for (const { screen } of steps) expect(text).toContain(drawScreen(screen.frame));
});

test('consecutive presses that show nothing new are combined into one request', async () => {
  const { said: text } = await follow(
    [
      { screen: FIRST },
      { press: 'left', screen: FIRST },
      { press: 'right', screen: SECOND, seen: true },
      { press: 'right', screen: THIRD, seen: true },
      { press: 'left', screen: SECOND, seen: true },
      { press: 'left', screen: FIRST, seen: true },
      { press: 'left', screen: FIRST, seen: true },
    ],
    [],
  );
  expect(said(text).filter(line => line.startsWith('Press'))).toEqual([
    'Press the left button once. Then the signer must show:',
    'Press the right button 2 times. Then the signer must show:',
    'Press the left button 3 times. Then the signer must show:',
  ]);
});

test('a wrong page ends the check, and the complaint names that page and what is shown instead', async () => {
  const steps: ScreenStep[] = [
    { screen: FIRST },
    { press: 'right', screen: SECOND },
    { press: 'right', screen: THIRD },
  ];
  const { wrong, said: text, left } = await follow(steps, ['what?', 'y', 'd', 'ZBC_BBBB']);
  expect(wrong).toEqual({
    complaint:
      'after right, the user says that the display does not show "Recipient / ZBC_AAAA"; it shows: ZBC_BBBB',
    step: { press: 'right', screen: SECOND, times: 1 },
  });
  expect([text.includes('  Approve'), left]).toEqual([false, []]);
});

test('a narrow terminal gets only the texts', async () => {
  const { said: text } = await follow([{ screen: FIRST }], [], 60);
  expect([text.includes('  1.5 ZBC'), text.includes('┌')]).toEqual([true, false]);
});

test('closing the terminal ends the question', async () => {
  const input = new PassThrough();
  const terminal = { input, output: new PassThrough(), onInterrupt: () => undefined };
  const user = new TerminalUser(terminal, new AbortController().signal);
  const followed = user.follow([{ screen: FIRST }]);
  input.end();
  await expect(followed).rejects.toMatchObject({ code: 'NO_TERMINAL' });
});
