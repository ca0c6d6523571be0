import { fromHex } from '@zbc-signer/chain';
import type { TransactionSigner, Transport } from '@zbc-signer/host';

/** A device that signs with account 0's key, by the commands of docs/APDU.md. */
export class KeyDevice implements Transport {
  #header = Buffer.alloc(0);
  #received = Buffer.alloc(0);

  constructor(private readonly signer: TransactionSigner) {}

  async exchange([, ins, p1, , ...rest]: Uint8Array): Promise<Uint8Array> {
    const data = Buffer.from(rest.slice(1));
    if (ins === 0x03) return fromHex(`0101000000${'00'.repeat(13)}9000`);
    if (ins === 0x05) {
      const { publicKey, address } = await this.signer.getPublicKey(0);
      return Buffer.concat([publicKey, Buffer.from(address), fromHex('9000')]);
    }
    if (p1 === 0) {
      this.#header = data;
      this.#received = Buffer.alloc(0);
      return fromHex('9000');
    }
    this.#received = Buffer.concat([this.#received, data]);
    if (this.#received.length < this.#header.readUInt32LE(36)) return fromHex('9000');
    const genesisHash = Uint8Array.from(this.#header.subarray(4, 36));
    const request = { account: 0, genesisHash, transaction: Uint8Array.from(this.#received) };
    const { signature, transactionHash } = await this.signer.signTransaction(request);
    return Buffer.concat([signature, transactionHash, fromHex('9000')]);
  }

  close(): void {}
}
