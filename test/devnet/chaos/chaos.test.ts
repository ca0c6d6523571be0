import { CHAOS_KINDS, parseChaos } from '#devnet/chaos/chaos.js';

describe('the parser of --chaos', () => {
  test.each<[string[], object]>([
    [['drop=0.25'], { drop: 0.25 }],
    [['drop=.5'], { drop: 0.5 }],
    [['drop-after'], { dropAfter: 1 }],
    [['drop-after=0.5'], { dropAfter: 0.5 }],
    [['delay=250'], { delayMs: 250 }],
    [['delay=100-500'], { delayMs: [100, 500] }],
    [['busy=1'], { busy: 1 }],
    [['altered-hash'], { alteredHash: true }],
    [['hide-signing-version'], { hideSigningVersion: true }],
    [['no-signing-version'], { noSigningVersion: true }],
    [['wrong-genesis'], { wrongGenesis: true }],
    [['drop=0.1, busy=0.2', 'delay=5'], { drop: 0.1, busy: 0.2, delayMs: 5 }],
    [[], {}],
  ])('accepts %j', (specs, chaos) => {
    expect(parseChaos(specs)).toEqual(chaos);
  });

  test.each<[string[], RegExp]>([
    [['drop'], /drop takes a share from 0 to 1/],
    [['drop=1.1'], /drop takes a share/],
    [['drop=-1'], /drop takes a share/],
    [['drop=0x1'], /drop takes a share/],
    [['drop=20%'], /drop takes a share/],
    [['busy=0.5=1'], /busy takes a share/],
    [['delay'], /delay takes milliseconds/],
    [['delay=500-100'], /delay takes milliseconds/],
    [['delay=1e3'], /delay takes milliseconds/],
    [['delay=60001'], /delay takes milliseconds/],
    [['altered-hash=1'], /altered-hash takes no value/],
    [['drop=0.1', 'drop=0.2'], /drop was given more than once/],
    [['fire'], /unknown chaos "fire"/],
    [[''], /unknown chaos ""/],
    [['\u001b[31m'], /unknown chaos "\\u001b/],
  ])('refuses %j', (specs, fault) => {
    expect(() => parseChaos(specs)).toThrow(fault);
  });

  test('suggests the kind that a misspelled word resembles', () => {
    expect(() => parseChaos(['alterd-hash'])).toThrow(
      expect.objectContaining({ hint: 'Did you mean altered-hash?' }),
    );
  });

  test('has a description of every kind', () => {
    for (const { name, meaning } of CHAOS_KINDS) expect([name, meaning.length > 20]).toEqual([name, true]);
  });
});
