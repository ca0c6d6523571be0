// Copies of the module in which an item of a review is read from another field, the order of items differs, or
// a value is formed from other bytes. The proof must refute each copy.
import { FIELDS, PAYLOAD } from '../symbolic/layout.js';
import { constantsOf, edit, instruction, type Place, withCode } from '../wasm/edit.js';
import { functionIndex, type Instruction, type WasmModule } from '../wasm/module.js';
import { FAR_INDEX, type Layout } from './proof.js';

type Fault = [
  name: string,
  module: WasmModule,
  proof: 'prove' | 'proveTexts' | 'proveAddress' | 'proveContact' | 'proveNetworks',
];

export function plantFaults(module: WasmModule, layout: Layout): Fault[] {
  const entry = functionIndex(module, 'networkEntry');
  const named = withCode(
    module,
    entry,
    module.functions[entry]!.code.map(each => (each.value === 32n ? instruction(each.op, 31) : each)),
  );
  return [
    ...plantInTransaction(module, layout).map(([name, changed]): Fault => [name, changed, 'prove']),
    ...plantInTexts(module, layout).map(([name, changed]): Fault => [name, changed, 'proveTexts']),
    ...constantsOf(module, 'get-public-key/formItems')
      .filter(({ value }) => value === BigInt(FAR_INDEX))
      .map(({ raised }): Fault => ['account 1000 without its index', raised(), 'proveAddress']),
    [
      'the account of a contact from its second byte on',
      edit(module, ['register-contact/formItems', 'register-contact/open', 0, 0], 0, [
        instruction('i32.const', 1),
        instruction('i32.add'),
      ]),
      'proveContact',
    ],
    ['a chain named by 31 bytes', named, 'proveNetworks'],
  ];
}

/** Copies that describe a text or a binary value wrongly. */
function plantInTexts(module: WasmModule, { genesis }: Layout): [string, WasmModule][] {
  const number = (value: number) => instruction('i32.const', value);
  const local = (index: number) => instruction('local.get', index);
  const [pointer, length, counter] = [2, 3, 4].map(local) as [Instruction, Instruction, Instruction];
  const byteIs = (value: number, ...offset: Instruction[]) => [
    ...[pointer, ...offset, instruction('i32.load8_u')],
    ...[number(value), instruction('i32.eq')],
  ];
  const second = [length, number(1), instruction('i32.gt_u'), instruction('i32.add')];
  const begins8081 = [...byteIs(0x80), ...byteIs(0x81, ...second), instruction('i32.and')];
  const hashed: Place = ['describeText', 'sha3Update', 0, 0];
  const { code } = module.functions[functionIndex(module, 'describeText')]!;
  const calls = code.findIndex(({ op }) => op === 'call');
  const ends = code.findIndex(({ op }) => op === 'br_if');
  const isEarly = [counter, number(1536), instruction('i32.lt_u'), instruction('i32.and')];
  const loop = constantsOf(module, 'describeText').filter(
    ({ at }) => at < code.findIndex(({ op }) => op === 'br'),
  );
  return [
    [
      'a hash without the last byte of a value that begins with 80 81',
      edit(module, hashed, 0, [...begins8081, instruction('i32.sub')]),
    ],
    [
      'a hash of at most 512 bytes',
      edit(module, hashed, 0, [
        ...[number(512), length, number(512), instruction('i32.lt_u')],
        instruction('select'),
      ]),
    ],
    ['a binary value like a text', edit(module, ['describeText', 'putHex', 0, -7], 1, [number(0)])],
    ['digits of other bytes', edit(module, ['describeText', 'putHex', 0, 2], 1, [number(genesis)])],
    [
      'half of the length',
      edit(module, ['describeText', 'putDecimal', 0, 0], 0, [
        instruction('i64.const', 1),
        instruction('i64.shr_u'),
      ]),
    ],
    [
      'every byte from 1,536 on as text',
      edit(module, ['describeText', 'sha3Update', 0, calls - ends], 0, isEarly),
    ],
    ...loop.map(({ value, raised }): [string, WasmModule] => [
      `${value + 1n} instead of ${value} in the loop over a text`,
      raised(),
    ]),
  ];
}

function plantInTransaction(module: WasmModule, { transaction, linked }: Layout): [string, WasmModule][] {
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
