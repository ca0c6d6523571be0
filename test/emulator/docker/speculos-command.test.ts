import { readSpeculosCommand } from '#emulator/docker/speculos-command.js';

it.each([
  ['', {}],
  ['speculos.py --display headless -m nanox app.elf', { model: 'nanox' }],
  ['speculos.py -s "one two three" -m nanosp app.elf -l lib:app', { seed: 'one two three', model: 'nanosp' }],
  ["--seed 'one two' --model nanosp", { seed: 'one two', model: 'nanosp' }],
  ['--seed=hex:00ff -m nanosp', { seed: 'hex:00ff', model: 'nanosp' }],
  ['--seed="one two" -m nanosp', { seed: 'one two', model: 'nanosp' }],
  ['-s "one" -s "two"', { seed: 'two' }],
  ['app.elf -s', {}],
])('reads %j', (command, options) => {
  expect(readSpeculosCommand(command)).toEqual(options);
});
