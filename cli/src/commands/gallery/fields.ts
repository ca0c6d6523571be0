import { decodeLinked, decodeTransaction, TransactionError, toHex } from '@zbc-signer/chain';
import { formatText, networkName } from '@zbc-signer/host';
import type { Row } from '../../output/table.js';
import { transactionRows } from '../../transaction/fields.js';
import type { GalleryRequest } from './cases.js';

/** Part of a request, as decoded by chain/ without the device. */
export interface FieldGroup {
  title: string;
  rows: Row[];
  /** Why the bytes cannot be decoded. */
  fault?: string;
}

export function describeFields(request: GalleryRequest): FieldGroup[] {
  if (request.kind === 'message') {
    const { account, message } = request;
    const rows: Row[] = [
      ['Message', formatText(message)],
      ['Size', `${message.length} bytes`],
    ];
    return [{ title: 'Message to sign', rows: [['Account index', `${account}`], ...rows] }];
  }
  if (request.kind === 'commands') {
    const rows = request.commands.map((command, at): Row => [`Command ${at + 1}`, toHex(command)]);
    return [{ title: 'Commands', rows }];
  }
  const { account, genesisHash, transaction, linked, token } = request;
  const details: Row[] = [
    ['Account index', `${account}`],
    ['Network', networkName(genesisHash)],
    ['Genesis hash', toHex(genesisHash)],
    ...(token?.decimals === undefined ? [] : [['Token decimals given', `${token.decimals}`] as const]),
    ...(token?.symbol === undefined ? [] : [['Token symbol given', token.symbol] as const]),
  ];
  return [
    { title: 'Request', rows: details },
    describeBytes('Transaction', transaction, bytes => transactionRows(decodeTransaction(bytes))),
    ...(linked === undefined
      ? []
      : [
          describeBytes('Escrowed transaction', linked, bytes =>
            transactionRows(decodeLinked(bytes).transaction),
          ),
        ]),
  ];
}

function describeBytes(title: string, bytes: Uint8Array, read: (bytes: Uint8Array) => Row[]): FieldGroup {
  const size: Row = ['Size', `${bytes.length} bytes`];
  try {
    return { title, rows: [...read(bytes), size] };
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    return { title, rows: [size], fault: error.message };
  }
}
