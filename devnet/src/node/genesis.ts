import { randomBytes } from 'node:crypto';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { accountFromPublicKey, encodeAccount, publicKeyOf, toHex, WireWriter } from '@zbc-signer/chain';

export interface Token {
  id: bigint;
  name: string;
  symbol: string;
  decimals: number;
  supply: bigint;
}

/** The token id of the native coin in balances (docs/TRANSACTION.md#tokens-and-amounts). */
export const COIN = 0n;

/** The network's name in `firmware/networks.json`. */
export const NETWORK_NAME = 'ZBC Devnet';

/** The version that this network's nodes report. */
export const NODE_VERSION = '1.0.0';

/** 2026-01-01 00:00:00 UTC, in Unix seconds. */
export const GENESIS_TIMESTAMP = 1_767_225_600n;

/** Supply of coins: 10^9, initially all in the treasury. */
export const COIN_SUPPLY_ATOMS = 100_000_000_000_000_000n;

/** Key that signs the faucet's payments. Anyone can derive this key, so it protects nothing. */
export const TREASURY_KEY = sha3_256(new TextEncoder().encode('ZBC development network treasury'));
export const TREASURY = accountFromPublicKey(publicKeyOf(TREASURY_KEY));

/** `TREASURY` in the wire form, as hex. The treasury gets the fees of every block. */
export const TREASURY_HEX = toHex(encodeAccount(TREASURY));

const token = (id: bigint, name: string, symbol: string, decimals: number, supply: bigint): Token => ({
  id,
  name,
  symbol,
  decimals,
  supply,
});

/**
 * Tokens of the genesis. Every possible number of decimals occurs; the supply of token 3 is the largest i64.
 */
export const GENESIS_TOKENS: readonly Token[] = [
  token(1n, 'Amber', 'AMBER', 8, 1_000_000_000_000_000_000n),
  token(2n, 'Ticket', 'TICKET', 0, 1_000_000_000n),
  token(3n, 'Basalt', 'BASALT', 8, 9_223_372_036_854_775_807n),
  token(4n, 'Cedar', 'CEDAR', 1, 100_000_000_000n),
  token(5n, 'Copper', 'COPPER', 2, 100_000_000_000_000n),
  token(6n, 'Flint', 'FLINT', 3, 1_000_000_000_000n),
  token(7n, 'Indigo', 'INDIGO', 4, 10_000_000_000_000n),
  token(8n, 'Ivory', 'IVORY', 5, 9_007_199_254_740_995n),
  token(9n, 'Linen', 'LINEN', 6, 1_000_000_000_000_000n),
  token(10n, 'Pearl', 'PEARL', 7, 10_000_000_000_000_000n),
  token(11n, 'Saffron', 'SAFFRON', 2, 500_000_000n),
  token(12n, 'Salt', 'SALT', 0, 1_000_000n),
  token(13n, 'Silver', 'SILVER', 6, 2_000_000_000_000_000n),
  token(14n, 'Slate', 'SLATE', 8, 210_000_000_000_000_000n),
];

/** A token whose id is derived from a hash, like that of every token issued after the genesis. */
export const ISSUED_TOKEN = token(issuedId('HERON'), 'Heron', 'HERON', 3, 21_000_000_000n);

/**
 * Returns the first 8 bytes, as a little-endian i64, of the SHA3-256 of `ZBC development network token` and
 * the symbol.
 */
function issuedId(symbol: string): bigint {
  const hash = sha3_256(new TextEncoder().encode(`ZBC development network token ${symbol}`));
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0, true);
}

/** Tokens in ascending order of their ids, as the chain lists them. */
export const TOKENS: readonly Token[] = [ISSUED_TOKEN, ...GENESIS_TOKENS];

function encodeToken(token: Token): Uint8Array {
  const { id, name, symbol, decimals, supply } = token;
  return new WireWriter()
    .i64(id)
    .counted(Buffer.from(name))
    .counted(Buffer.from(symbol))
    .u8(decimals)
    .i64(supply)
    .finish();
}

/**
 * Encodes the input of the genesis hash: `ZBC-GENESIS`, the name, the timestamp u64, the treasury's account,
 * the coin supply u64, the number of tokens u32, and the tokens. Each token is its id i64, name, symbol,
 * decimals u8 and supply i64. A text is its length u32 and its UTF-8 bytes. Integers are little-endian.
 */
function encodeGenesis(): Uint8Array {
  return new WireWriter()
    .bytes(Buffer.from('ZBC-GENESIS'))
    .counted(Buffer.from(NETWORK_NAME))
    .u64(GENESIS_TIMESTAMP)
    .bytes(encodeAccount(TREASURY))
    .u64(COIN_SUPPLY_ATOMS)
    .u32(GENESIS_TOKENS.length)
    .bytes(Buffer.concat(GENESIS_TOKENS.map(encodeToken)))
    .finish();
}

/**
 * The genesis hash, in lower-case hex, of the chain that signers show by its name, as in
 * `firmware/networks.json`.
 */
export const DEVNET_GENESIS_HASH = toHex(sha3_256(encodeGenesis()));

const SALT_BYTES = 32;

/**
 * Returns the genesis hash, in lower-case hex, of a new chain: the hash of the input above and of 32 random
 * bytes.
 */
export function newGenesisHash(): string {
  return toHex(sha3_256(Buffer.concat([encodeGenesis(), randomBytes(SALT_BYTES)])));
}

export function findToken(id: bigint): Token | undefined {
  return TOKENS.find(token => token.id === id);
}
