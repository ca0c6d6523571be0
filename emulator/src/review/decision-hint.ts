/** End of the message for a test in which no review opened: the texts on the screen, and the fix. */
export const noCommand = (texts: readonly string[]): string =>
  `; the screen shows:\n\n${lines(texts)}\n${decisionHint('signer.getPublicKey(0, { confirm: true })')}`;

/** End of the message for a test that did not decide the review on the screen. */
export const noDecision = (texts: readonly string[], hint: string): string =>
  `; it waited for the user:\n\n${lines(texts)}\n${hint}`;

/** An instruction for a test that does not use the harness, such as one with Zemu. */
export const DECIDE_HINT =
  'Approve or reject the review, and await the reply, before the emulator is stopped.';

/** An instruction, and two lines of code that send a command and decide its review. */
export const decisionHint = (
  call: string,
): string => `Begin the command, decide, and only then await its reply:

  const reply = ${call};
  await Promise.all([reply, emulator.approve()]);`;

const lines = (texts: readonly string[]): string => texts.map(text => `  ${text}\n`).join('');
