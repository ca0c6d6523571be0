/**
 * Returns the name of an account kind as the screens show it (docs/TRANSACTION.md#accounts). Kinds that the
 * parser refuses have no name.
 */
export function kindName(kind: u32): string {
  switch (kind) {
    case 1:
      return 'Bitcoin';
    case 3:
      return 'Estonian eID';
    case 4:
      return 'Ethereum';
    case 5:
      return 'Bitcoin P2PKH';
    case 6:
      return 'Bitcoin P2SH';
    case 7:
      return 'Bitcoin P2WPKH';
    case 8:
      return 'Bitcoin P2WSH';
    case 9:
      return 'Bitcoin Taproot';
    case 10:
      return 'Dataset';
    case 11:
      return 'Solana';
    case 12:
      return 'Polkadot';
    case 13:
      return 'Cardano';
    case 14:
      return 'XRP';
    case 15:
      return 'Tron';
    case 16:
      return 'Tezos';
    default:
      unreachable();
      return '';
  }
}
