// Copies of the module in which an item of a review is read from another field, or the order of items
// differs. The proof must refute each copy.
import { FIELDS, PAYLOAD } from '../symbolic/layout.js';
import { edit, instruction } from '../wasm/edit.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import type { Layout } from './proof.js';

export function plantFaults(module: WasmModule, { transaction, linked }: Layout): [string, WasmModule][] {
  const number = (value: number) => instruction('i32.const', value);
  const [recipient, approver] = [FIELDS.recipient, FIELDS.approver].map(each => transaction + each) as [
    number,
    number,
  ];
  /** Compares the bytes of both accounts at an offset. */
  const begin = (load: string, at: number) => [
    ...[recipient, approver].flatMap(each => [
      ...[
        number(each + PAYLOAD),
        instruction('i32.load'),
        number(at),
        instruction('i32.add'),
        instruction(load),
      ],
    ]),
    instruction(`${load.slice(0, 3)}.eq`),
  ];
  const isAlike = [...begin('i64.load', 0), ...begin('i32.load8_u', 8), instruction('i32.and')];
  const swapped = [number(approver), number(recipient), ...isAlike, instruction('select')];
  const describe = 'describeTransaction';
  const drop = Array.from({ length: 4 }, () => instruction('drop'));
  const call = (name: string) => instruction('call', functionIndex(module, name));
  return [
    [
      'recipient and approver swapped where nine bytes agree',
      edit(module, ['describeRecipientAndFee', 'putAccount', 0, 1], 1, swapped),
    ],
    [
      'the amount as the fee',
      edit(module, ['describeRecipientAndFee', 'putScaled', 0, 3], 1, [number(transaction + FIELDS.amount)]),
    ],
    ['an omitted message', edit(module, [describe, 'describeText', 0, 0], 1, drop)],
    [
      'the own account of the user as the sender of the escrow',
      edit(module, [describe, 'putAccount', 2, 1], 1, [number(transaction + FIELDS.sender)]),
    ],
    [
      'the recipient as the sender of the escrow',
      edit(module, [describe, 'putAccount', 2, 1], 1, [number(linked + FIELDS.recipient)]),
    ],
    ['a token without its sign', edit(module, [describe, 'putSignedDecimal', 0, 0], 1, [call('putDecimal')])],
  ];
}
