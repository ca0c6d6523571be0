import { type Layout, type SegmentName, segmentOf } from './case/layout.js';
import type { Upload } from './case/upload.js';
import type { NodeVerdict } from './oracle/node-oracle.js';
import type { Refusal } from './oracle/verdict.js';

/** The verdicts where signer and node disagree. */
interface Divergence {
  upload: Upload;
  /** The signer's account in wire form. */
  own: Uint8Array;
  /** The interpretation that the node accepts, otherwise the one that chain/'s decoder accepts. */
  layout: Layout;
  /** The signer's refusal; undefined if the node refuses. */
  refusal: Refusal | undefined;
  node: NodeVerdict;
}

/** A difference that the specification requires; `applies` recognises it by the fields and the verdicts. */
export interface Difference {
  name: string;
  takenBy: 'signer' | 'node';
  clause: string;
  applies(divergence: Divergence): boolean;
}

const LINKED_FIELD = 12;
const MAX_INSTRUCTION = 512;
const MAX_TRANSACTION = 2048;
const MAX_LINKED = 2112;
const MINIMUM_FEE = 2_500_000n;
const NETWORK_TOKENS = 14n;

const typeOf = ({ layout }: Divergence) => integer(layout, 'type');
const says = ({ node }: Divergence, words: RegExp) => node.refused.some(text => words.test(text));

function integer(layout: Layout, name: SegmentName): number {
  return segmentOf(layout, name)!.readUIntLE(0, 4);
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
}

/**
 * Every allowed difference between the bytes that the signer accepts and those that a node accepts; any other
 * difference is a fault.
 */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'a SendZBC body with a tail',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#transaction-types: nodes ignore the tail, the signer refuses it',
    applies: divergence =>
      divergence.refusal?.reason === 'body-length' &&
      typeOf(divergence) === 1 &&
      segmentOf(divergence.layout, 'body')!.length > 8,
  },
  {
    name: 'an escrow instruction of more than 512 bytes',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#limits: a limit of the signer',
    applies: ({ refusal, layout }) =>
      refusal?.reason === 'instruction-too-long' &&
      segmentOf(layout, 'instruction')!.length > MAX_INSTRUCTION,
  },
  {
    name: 'a transaction of more than 2048 bytes',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#limits: a limit of the signer',
    applies: ({ refusal, upload }) =>
      refusal?.reason === 'tx-too-large' && upload.transaction.length > MAX_TRANSACTION,
  },
  {
    name: 'another account of the same user as sender',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#signer-rules 1: the sender is the account of the command',
    applies: ({ refusal, upload, own }) =>
      refusal?.reason === 'sender-not-own' && !upload.transaction.subarray(13, 49).equals(own),
  },
  {
    name: 'an approval whose linked bytes do not match its hash',
    takenBy: 'node',
    clause: 'docs/APDU.md#sign_tx, docs/TRANSACTION.md#linked-transaction: only the signer receives them',
    applies: divergence => divergence.refusal?.reason === 'escrow-hash' && typeOf(divergence) === 4,
  },
  {
    name: 'an approval of linked bytes that are not an escrowed transaction for this approver',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#linked-transaction: the node looks the hash up in its ledger instead',
    applies: divergence => divergence.refusal?.field === LINKED_FIELD && typeOf(divergence) === 4,
  },
  {
    name: 'an approval with more than 2112 linked bytes',
    takenBy: 'node',
    clause: 'docs/APDU.md#sign_tx, docs/TRANSACTION.md#limits: 2048 bytes and a signature',
    applies: ({ refusal, upload }) =>
      refusal?.reason === 'linked-too-large' && upload.linked.length > MAX_LINKED,
  },
  {
    name: 'linked bytes with a type that does not use them',
    takenBy: 'node',
    clause: 'docs/TRANSACTION.md#linked-transaction: only the signer receives them',
    applies: divergence =>
      divergence.refusal?.reason === 'linked-unexpected' &&
      typeOf(divergence) !== 4 &&
      divergence.upload.linked.length > 0,
  },
  {
    name: 'token details with a type that moves no token',
    takenBy: 'node',
    clause: 'docs/APDU.md#sign_tx: only the signer receives the token tail',
    applies: divergence =>
      divergence.refusal?.reason === 'token-tail-unexpected' &&
      typeOf(divergence) !== 11 &&
      divergence.upload.token !== undefined,
  },
  {
    name: 'a fee below the network minimum',
    takenBy: 'signer',
    clause: 'docs/TRANSACTION.md#limits (minimum fee): the signer does not know the minimum',
    applies: divergence =>
      segmentOf(divergence.layout, 'fee')!.readBigUInt64LE() < MINIMUM_FEE &&
      says(divergence, /: fee too low: /),
  },
  {
    name: 'a token that the network does not have',
    takenBy: 'signer',
    clause: 'docs/TRANSACTION.md#tokens-and-amounts: the signer has no ledger',
    applies: divergence => {
      const id = typeOf(divergence) === 11 ? segmentOf(divergence.layout, 'body')!.readBigInt64LE() : 1n;
      return (id < 1n || id > NETWORK_TOKENS) && says(divergence, /: token -?\d+ does not exist$/);
    },
  },
  {
    name: 'a fee in the token',
    takenBy: 'signer',
    clause: 'docs/gateway/routes.md#validation-order: fees in ZBC only',
    applies: divergence =>
      typeOf(divergence) === 11 &&
      segmentOf(divergence.layout, 'body')![16] === 1 &&
      says(divergence, /: fee_in_token must be 0/),
  },
  {
    name: 'an escrow instruction that is not UTF-8',
    takenBy: 'signer',
    clause:
      'docs/TRANSACTION.md#text-and-binary: the signer shows it as binary, but a broadcast contains it as a JSON string',
    applies: divergence => {
      const instruction = segmentOf(divergence.layout, 'instruction');
      return instruction !== undefined && !isUtf8(instruction) && says(divergence, /not UTF-8/);
    },
  },
];
