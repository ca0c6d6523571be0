import { TOKEN_DECIMALS_NOT_GIVEN } from '../../../protocol/src/limits';

/**
 * Details of a token from the host. They are not verified, and are shown only under `As reported by the app`.
 */
@unmanaged
export class TokenHint {
  decimals: u32;
  symbol: usize;
  symbolLength: i32;

  clear(): void {
    this.decimals = TOKEN_DECIMALS_NOT_GIVEN;
    this.symbolLength = 0;
  }

  get hasDecimals(): bool {
    return this.decimals !== TOKEN_DECIMALS_NOT_GIVEN;
  }
}
