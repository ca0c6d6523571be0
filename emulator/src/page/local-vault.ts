import { VaultModel } from '../device/keystore/vault-model.js';

/** A model of a vault in `localStorage`. It protects nothing, because every script of the origin can read it. */
export class LocalVault extends VaultModel {
  /** Throws VAULT_UNREADABLE if the item with this name is not a vault. */
  constructor(name = 'zbc-signer vault') {
    super({
      name,
      load: () => localStorage.getItem(name) ?? undefined,
      save: text => localStorage.setItem(name, text),
    });
  }
}
