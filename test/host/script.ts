import { accountCases, type TransactionCase } from '../chain/vectors.js';

export type Script = [command: string, reply: string][];

export const OK = '9000';

export function u32(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
}

/** `CLA INS P1 P2 Lc data` of signer-protocol §1, all in hex. */
export function command(ins: string, p1: string, data: string): string {
  return `e0${ins}${p1}00${(data.length / 2).toString(16).padStart(2, '0')}${data}`;
}

export function publicKeyReply(account: number): string {
  const { public_key, address } = accountCases.find(known => known.account === account)!;
  return public_key + Buffer.from(address, 'ascii').toString('hex') + OK;
}

export function getPublicKey(account: number): Script {
  return [[command('05', '00', u32(account)), publicKeyReply(account)]];
}

/** Header and chunks of an upload; the last command is answered with the result. */
export function upload(ins: string, header: string, data: string, result: string): Script {
  const chunks = data.match(/.{1,510}/g) ?? [];
  const commands = [command(ins, '00', header), ...chunks.map(chunk => command(ins, '01', chunk))];
  return commands.map((bytes, at) => [bytes, at === commands.length - 1 ? result : OK]);
}

function tokenTail({ token }: Pick<TransactionCase, 'token'>): string {
  if (token === undefined) {
    return '';
  }
  const symbol = Buffer.from(token.symbol ?? '', 'ascii');
  return Buffer.of(token.decimals ?? 0xff, symbol.length, ...symbol).toString('hex');
}

/** Everything that signing the case takes, ending in the given reply or in what the vector says. */
export function signTransaction(
  { account, genesis, tx, linked = '', token, expect: wanted }: TransactionCase,
  result = wanted.signature + wanted.tx_hash + OK,
): Script {
  const tail = tokenTail(token === undefined ? {} : { token });
  const header = u32(account) + genesis + u32(tx.length / 2) + u32(linked.length / 2) + tail;
  return [...getPublicKey(account), ...upload('06', header, tx + linked, result)];
}
