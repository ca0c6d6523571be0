import { OWN_ACCOUNTS } from '../../../prove/differential/case/accounts.js';
import {
  joinLayout,
  type Layout,
  layoutByKinds,
  segmentOf,
} from '../../../prove/differential/case/layout.js';
import { put } from '../../../prove/differential/case/layout-edits.js';
import { type Upload, uploadOfVector } from '../../../prove/differential/case/upload.js';
import { withLinked } from '../../../prove/differential/case/upload-edits.js';
import { Oracles } from '../../../prove/differential/comparison.js';
import { DIFFERENCES } from '../../../prove/differential/differences.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';
import { transactions } from '../../../testkit/repository/vectors.js';

let oracles: Oracles;
beforeAll(async () => {
  oracles = await Oracles.start();
});
afterAll(() => oracles.stop());

const vector = (name: string) =>
  uploadOfVector(transactions.cases.find(candidate => candidate.name === name)!);

function edited(name: string, edit: (layout: Layout) => Layout): Upload {
  const upload = vector(name);
  return { ...upload, transaction: joinLayout(edit(layoutByKinds(upload.transaction)!)) };
}

/** Changes a field together with its length. */
function counted(layout: Layout, name: 'body' | 'instruction', bytes: Buffer): Layout {
  return put(put(layout, name, bytes), `${name} length`, u32(bytes.length));
}

const SEND = 'send to self, reference length 113';
const ESCROW = 'send with escrow';
const TOKEN = 'token';
const APPROVAL = 'escrow approve, coin';
const body = (layout: Layout) => segmentOf(layout, 'body')!;
const withTokenOne = (layout: Layout) =>
  put(layout, 'body', Buffer.concat([u64(1n), body(layout).subarray(8)]));

const approvalOf = (linked: Buffer) => withLinked(vector(APPROVAL), linked);

/** An upload for each difference. */
const EXAMPLES: Readonly<Record<string, Upload>> = {
  'a SendZBC body with a tail': edited(SEND, layout => counted(layout, 'body', Buffer.alloc(9))),
  'an escrow instruction of more than 512 bytes': edited(ESCROW, layout =>
    counted(layout, 'instruction', Buffer.alloc(513, 'a')),
  ),
  'a transaction of more than 2048 bytes': edited(SEND, layout =>
    // The node charges rent for this body.
    counted(put(layout, 'fee', u64(10_000_000n)), 'body', Buffer.alloc(2048 - 113 + 8 + 1)),
  ),
  'another account of the same user as sender': edited(SEND, layout =>
    put(layout, 'sender payload', Buffer.from(OWN_ACCOUNTS[1]!.payload)),
  ),
  'an approval whose linked bytes do not match its hash': {
    ...vector(APPROVAL),
    linked: vector('escrow reject, token').linked,
  },
  'an approval of linked bytes that are not an escrowed transaction for this approver': approvalOf(
    vector(APPROVAL).linked.subarray(0, -1),
  ),
  'an approval with more than 2112 linked bytes': approvalOf(Buffer.alloc(2113)),
  'linked bytes with a type that does not use them': { ...vector(SEND), linked: Buffer.alloc(1) },
  'token details with a type that moves no token': { ...vector(SEND), token: { decimals: 2 } },
  'a fee below the network minimum': edited(SEND, layout => put(layout, 'fee', u64(2_499_999n))),
  'a token that the network does not have': edited(TOKEN, layout =>
    put(layout, 'body', Buffer.concat([u64(15n), body(layout).subarray(8)])),
  ),
  'a fee in the token': edited('token, fee flag 1', withTokenOne),
  'an escrow instruction that is not UTF-8': edited(ESCROW, layout =>
    counted(layout, 'instruction', Buffer.of(0xff)),
  ),
};

describe('differences between the signer and the node', () => {
  test('each have an example in this file', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(DIFFERENCES.map(({ name }) => name).sort());
  });

  test.each(Object.entries(EXAMPLES))('%s', async (name, upload) => {
    const { fault, difference } = await oracles.compare(upload, 'three');
    expect([fault, difference?.name]).toEqual([undefined, name]);
  });

  test.each([SEND, ESCROW, APPROVAL])('are not found for "%s"', async name => {
    const { fault, difference } = await oracles.compare(vector(name), 'three');
    expect([fault, difference]).toEqual([undefined, undefined]);
  });
});
