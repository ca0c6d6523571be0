import { type Fields, itemsOf, type Review } from '../../../prove/described/items.js';

/** What decides which items there are, each with all that it can be. */
const CHOICES = {
  type: [1, 4, 11],
  linkedType: [1, 11],
  hasName: [0, 1],
  hasEscrow: [0, 1],
  multiParty: [0, 1],
  linkedMultiParty: [0, 1],
  feeInToken: [0, 1, 2],
  approval: [0, 1],
  message: [0, 1, 2],
  instruction: [0, 1, 2],
  linkedMessage: [0, 1, 2],
  linkedInstruction: [0, 1, 2],
  hasReport: [0, 1],
};
type Choice = Record<keyof typeof CHOICES, number>;

/** Where a choice cannot be made, it is the first. */
function isMade({ type, hasEscrow, ...choice }: Choice): boolean {
  const isZero = (...names: (keyof typeof choice)[]) => names.every(name => choice[name] === 0);
  if (
    type !== 4 &&
    !(choice.linkedType === 1 && isZero('linkedMultiParty', 'approval', 'linkedMessage', 'linkedInstruction'))
  )
    return false;
  if (type === 4 && hasEscrow === 1) return false;
  if (hasEscrow === 0 && !isZero('multiParty', 'instruction')) return false;
  return type === 11 || isZero('feeInToken', 'hasReport');
}

function choices(): Choice[] {
  let all: Partial<Choice>[] = [{}];
  for (const [name, values] of Object.entries(CHOICES))
    all = all.flatMap(each => values.map(value => ({ ...each, [name]: value })));
  return (all as Choice[]).filter(isMade);
}

/** The items of a review in which every written value is the field that it is of. */
function describeFields(choice: Choice, isDetailed: boolean) {
  const used = new Set<string>();
  const fields = (whose: 'own' | 'linked'): Fields => {
    const use = (field: string) => {
      used.add(`${whose} ${field}`);
      return `<${field}>`;
    };
    const chosen = (field: string) => {
      const name = whose === 'own' ? field : `linked${field[0]!.toUpperCase()}${field.slice(1)}`;
      return choice[name as keyof Choice];
    };
    return {
      is: (field, value) => {
        used.add(`${whose} ${field}`);
        return chosen(field) === value;
      },
      ...{ coins: use, decimal: use, signed: use, time: use, account: use, hash: use },
      sum: (...of) => of.map(use).join(''),
      text: (field, title) =>
        use(field) && ['', '<text>', `<binary>, ${isDetailed ? title : ''}`][chosen(field)!]!,
    };
  };
  const review: Review = {
    own: fields('own'),
    linked: fields('linked'),
    network: choice.hasName === 1 ? 'ZBC Devnet' : undefined,
    genesis: bytes => `<${bytes} bytes>`,
    accountIndex: '<index>',
    isDetailed,
    report: choice.hasReport === 1 ? '<report>' : undefined,
  };
  const items = itemsOf(review).filter(({ value }) => value !== '');
  return { used, text: items.map(({ title, value }) => `${title}: ${value}`).join('\n') };
}

describe.each([
  ['hidden', false],
  ['shown', true],
])('items with details %s', (_, isDetailed) => {
  it('tell which fields there are', () => {
    const met = choices().map(choice => describeFields(choice, isDetailed).text);
    expect(met.length).toBe(726);
    expect(new Set(met).size).toBe(met.length);
  });
});

it('show with details every field that a transaction has', () => {
  const common = ['type', 'timestamp', 'sender', 'fee', 'hasEscrow', 'message'];
  const escrow = ['approver', 'commission', 'timeout', 'instruction', 'multiParty'];
  const body = {
    1: ['amount', 'recipient'],
    4: ['approval', 'escrowHash'],
    11: ['amount', 'recipient', 'tokenId', 'feeInToken'],
  };
  for (const choice of choices()) {
    const wanted = [
      ...common,
      ...body[choice.type as keyof typeof body],
      ...(choice.hasEscrow ? escrow : []),
    ];
    const { used } = describeFields(choice, true);
    expect([...used]).toEqual(expect.arrayContaining(wanted.map(field => `own ${field}`)));
    if (choice.type !== 4) continue;
    const linked = [
      'type',
      'timestamp',
      'sender',
      'recipient',
      'fee',
      'amount',
      'message',
      ...escrow.slice(1),
    ];
    expect([...used]).toEqual(expect.arrayContaining(linked.map(field => `linked ${field}`)));
  }
});
