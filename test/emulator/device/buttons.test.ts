import { type Button, Keys } from '#emulator/device/buttons.js';

/** "+left" presses a key, "-left" releases it; returns the resulting presses. */
function play(...moves: string[]): Button[] {
  const keys = new Keys();
  return moves.flatMap(move => {
    const name = move.slice(1) as Button;
    if (move.startsWith('+')) keys.press(name);
    return move.startsWith('-') ? (keys.release(name) ?? []) : [];
  });
}

test.each([
  [
    ['+left', '-left', '+right', '-right', '+both', '-both'],
    ['left', 'right', 'both'],
  ],
  [['+left', '+right', '-left', '-right'], ['both']],
  [['+left', '+right', '-right', '-left'], ['both']],
  [['+left', '-right', '-left'], ['left']],
  [['+left', '+left', '-left', '-left'], ['left']],
  [['+both', '-left', '-right'], ['both']],
  [['-both'], []],
])('%j acts as %j', (moves, acted) => {
  expect(play(...moves)).toEqual(acted);
});
