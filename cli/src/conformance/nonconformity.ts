import type { WrongScreen } from '@zbc-signer/emulator/rig';

/** The signer does something else than it has to. */
export class Nonconformity extends Error {
  override readonly name = 'Nonconformity';
  constructor(
    message: string,
    readonly screen?: WrongScreen,
  ) {
    super(message);
  }
}

/** Nobody can do what the check needs. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}
