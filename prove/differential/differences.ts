import { type Layout, type SegmentName, segmentOf } from './layout.js';
import type { NodeVerdict } from './node-judge.js';
import type { Upload } from './upload.js';
import type { Refusal } from './verdict.js';

/** What the judges said where the signer and the node part. */
export interface Parting {
  upload: Upload;
  /** The signer's account, on the wire. */
  own: Uint8Array;
  /** The naming that the node takes, else the one that chain/'s decoder takes. */
  layout: Layout;
  /** The signer's; undefined when it is the node that refuses. */
  refusal: Refusal | undefined;
  node: NodeVerdict;
}

/** A difference that the contract wants: by the fields themselves, not only by what a judge said of them. */
export interface Difference {
  name: string;
  takenBy: 'signer' | 'node';
  clause: string;
  applies(parting: Parting): boolean;
}

const LINKED_FIELD = 12;
const MAX_INSTRUCTION = 512;
const MAX_TRANSACTION = 2048;
const MAX_LINKED = 2112;
const MINIMUM_FEE = 2_500_000n;
const NETWORK_TOKENS = 14n;

const typeOf = ({ layout }: Parting) => integer(layout, 'type');
const says = ({ node }: Parting, words: RegExp) => node.refused.some(text => words.test(text));

function integer(layout: Layout, name: SegmentName): number {
  return segmentOf(layout, name)!.readUIntLE(0, 4);
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
}

/** Every difference there may be between what the signer takes and what a node takes; anything else is a fault. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'a SendZBC body with a tail',
    takenBy: 'node',
    clause: 'interface.md "Transaction types" (the node ignores the tail), "Signer device rules" 3',
    applies: parting =>
      parting.refusal?.reason === 'body-length' &&
      typeOf(parting) === 1 &&
      segmentOf(parting.layout, 'body')!.length > 8,
  },
  {
    name: 'an escrow instruction of more than 512 bytes',
    takenBy: 'node',
    clause: 'interface.md "Signer device rules" 7: a cap of the signer',
    applies: ({ refusal, layout }) =>
      refusal?.reason === 'instruction-too-long' &&
      segmentOf(layout, 'instruction')!.length > MAX_INSTRUCTION,
  },
  {
    name: 'a transaction of more than 2048 bytes',
    takenBy: 'node',
    clause: 'interface.md "Signer device rules" 7: a cap of the signer',
    applies: ({ refusal, upload }) =>
      refusal?.reason === 'tx-too-large' && upload.transaction.length > MAX_TRANSACTION,
  },
  {
    name: 'another account of the same user as sender',
    takenBy: 'node',
    clause: 'interface.md "Signer device rules" 1: the sender is the account of the command',
    applies: ({ refusal, upload, own }) =>
      refusal?.reason === 'sender-not-own' && !upload.transaction.subarray(13, 49).equals(own),
  },
  {
    name: 'an approval with other linked bytes than its hash names',
    takenBy: 'node',
    clause: 'signer-protocol §1.2, §2: only the signer is sent the linked transaction',
    applies: parting => parting.refusal?.reason === 'escrow-hash' && typeOf(parting) === 4,
  },
  {
    name: 'an approval of linked bytes that are no escrowed transaction for this approver',
    takenBy: 'node',
    clause: 'signer-protocol §2: the node looks the hash up in its ledger instead',
    applies: parting => parting.refusal?.field === LINKED_FIELD && typeOf(parting) === 4,
  },
  {
    name: 'an approval with more than 2112 linked bytes',
    takenBy: 'node',
    clause: 'signer-protocol §1.2: 2048 and a signature; the caps of interface.md cover both buffers',
    applies: ({ refusal, upload }) =>
      refusal?.reason === 'linked-too-large' && upload.linked.length > MAX_LINKED,
  },
  {
    name: 'linked bytes with a type that has none',
    takenBy: 'node',
    clause: 'signer-protocol §2: only the signer is sent the linked transaction',
    applies: parting =>
      parting.refusal?.reason === 'linked-unexpected' &&
      typeOf(parting) !== 4 &&
      parting.upload.linked.length > 0,
  },
  {
    name: 'token details with a type that moves no token',
    takenBy: 'node',
    clause: 'signer-protocol §2: only the signer is sent the token details',
    applies: parting =>
      parting.refusal?.reason === 'token-tail-unexpected' &&
      typeOf(parting) !== 11 &&
      parting.upload.token !== undefined,
  },
  {
    name: 'a fee below the network minimum',
    takenBy: 'signer',
    clause: 'interface.md "Limits" (minimum fee): the signer knows no network',
    applies: parting =>
      segmentOf(parting.layout, 'fee')!.readBigUInt64LE() < MINIMUM_FEE && says(parting, /: fee too low: /),
  },
  {
    name: 'a token that the network does not have',
    takenBy: 'signer',
    clause: 'interface.md "Tokens" (genesis tokens have ids 1 to 14): the signer has no ledger',
    applies: parting => {
      const id = typeOf(parting) === 11 ? segmentOf(parting.layout, 'body')!.readBigInt64LE() : 1n;
      return (id < 1n || id > NETWORK_TOKENS) && says(parting, /: token -?\d+ does not exist$/);
    },
  },
  {
    name: 'a fee in the token',
    takenBy: 'signer',
    clause:
      'interface.md "Transaction types" allows it; docs/GATEWAY.md: this network takes fees in ZBC only',
    applies: parting =>
      typeOf(parting) === 11 &&
      segmentOf(parting.layout, 'body')![16] === 1 &&
      says(parting, /: fee_in_token must be 0/),
  },
  {
    name: 'an approval with an escrow of its own',
    takenBy: 'signer',
    clause: 'interface.md gives every type field 9; docs/GATEWAY.md: this network refuses it',
    applies: parting =>
      typeOf(parting) === 4 &&
      segmentOf(parting.layout, 'approver payload') !== undefined &&
      says(parting, /: ApprovalEscrow takes no escrow of its own$/),
  },
  {
    name: 'an escrow instruction that is not UTF-8',
    takenBy: 'signer',
    clause: 'signer-protocol §3 shows it as binary; the broadcast carries it as a JSON string',
    applies: parting => {
      const instruction = segmentOf(parting.layout, 'instruction');
      return instruction !== undefined && !isUtf8(instruction) && says(parting, /not UTF-8/);
    },
  },
];
