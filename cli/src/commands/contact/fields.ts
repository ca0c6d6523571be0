import { accountText } from '@zbc-signer/chain';
import type { Contact } from '@zbc-signer/host';

/** A contact in JSON; the account in the form that `--to` accepts. */
export function contactJson({ name, account, genesisHash, signer }: Contact): Record<string, unknown> {
  return {
    name,
    account: accountText(account),
    genesis_hash: genesisHash,
    signer,
  };
}
