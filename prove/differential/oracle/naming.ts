import { type Layout, type SegmentName, segmentOf } from '../case/layout.js';

/**
 * The named fields of a broadcast in a host's format (docs/gateway/routes.md#broadcast-request), or the
 * reason why JSON cannot represent them.
 */
type Naming = { fields: Record<string, unknown> } | { unnamed: string };

/** Names the fields of a broadcast; `signature` has 64 bytes. */
export function nameFields(layout: Layout, signature: Uint8Array): Naming {
  const escrow = nameEscrow(layout);
  if (typeof escrow === 'string') return { unnamed: escrow };
  return {
    fields: {
      version: BigInt(bytesOf(layout, 'version')[0]!),
      timestamp: integerOf(layout, 'timestamp'),
      transaction_type: BigInt(bytesOf(layout, 'type').readUInt32LE()),
      fee: integerOf(layout, 'fee'),
      sender_account_address: hexOf(layout, 'sender kind', 'sender payload'),
      recipient_account_address: hexOf(layout, 'recipient kind', 'recipient payload'),
      transaction_body_bytes: hexOf(layout, 'body'),
      signature: Buffer.from(signature).toString('hex'),
      message_hex: hexOf(layout, 'message'),
      ...escrow,
    },
  };
}

/** Returns the reason, a sentence, if JSON cannot represent the escrow. */
function nameEscrow(layout: Layout): { escrow?: Record<string, unknown> } | string {
  if (segmentOf(layout, 'approver payload') === undefined) {
    const marker = bytesOf(layout, 'approver kind').readUInt32LE();
    return marker === 2 ? {} : `JSON cannot represent an escrow that is only the marker ${marker}`;
  }
  const flag = bytesOf(layout, 'multi-party')[0]!;
  if (flag > 1) return `JSON cannot represent multi_party ${flag}`;
  const instruction = bytesOf(layout, 'instruction').toString('utf8');
  if (!Buffer.from(instruction, 'utf8').equals(bytesOf(layout, 'instruction'))) {
    return 'JSON cannot represent an instruction that is not UTF-8';
  }
  const approver_address = hexOf(layout, 'approver kind', 'approver payload');
  const terms = { commission: integerOf(layout, 'commission'), timeout: integerOf(layout, 'timeout') };
  return { escrow: { approver_address, ...terms, instruction, multi_party: flag === 1 } };
}

function bytesOf(layout: Layout, name: SegmentName): Buffer {
  const bytes = segmentOf(layout, name);
  if (bytes === undefined) throw new Error(`the layout has no ${name}`);
  return bytes;
}

function integerOf(layout: Layout, name: SegmentName): bigint {
  return bytesOf(layout, name).readBigUInt64LE();
}

function hexOf(layout: Layout, ...names: SegmentName[]): string {
  return Buffer.concat(names.map(name => bytesOf(layout, name))).toString('hex');
}
