// The items of a review, as docs/TRANSACTION.md#review-items lists them: their presence, their order, and the
// fields of each value. A new item of the firmware needs a line here.

/** The title and value of an item. The value of a text is the address of its bytes, and may be empty. */
export interface Item {
  title: string;
  value: string;
  isLarge?: boolean;
  isInverse?: boolean;
}

/** Functions that write the values of fields as text. */
export interface Fields {
  is(field: string, value: number): boolean;
  coins(field: string): string;
  sum(...fields: string[]): string;
  decimal(field: string): string;
  signed(field: string): string;
  time(field: string): string;
  account(field: string): string;
  /** Returns the checked name of an account; undefined if it has no contact. */
  contact(field: string): string | undefined;
  /** Returns all digits of a hash, given its pointer. */
  hash(field: string): string;
  /** Returns a text; if it is binary and details are shown, an item with this title contains its hash. */
  text(field: string, hashTitle: string): string;
}

export interface Review {
  own: Fields;
  linked: Fields;
  /** Undefined for a chain without a name. */
  network: string | undefined;
  /** Returns the first `bytes` bytes of the genesis hash in hex. */
  genesis(bytes: number): string;
  accountIndex: string;
  isDetailed: boolean;
  /**
   * The token details that the host's app reports, as the review shows them; undefined if it reports none.
   */
  report: string | undefined;
}

const [SEND, APPROVAL, TOKEN] = [1, 4, 11] as const;
const TYPE_NAMES = new Map<number, string>([
  [SEND, 'Send ZBC'],
  [APPROVAL, 'Approve escrow'],
  [TOKEN, 'Send token'],
]);

const typeOf = (fields: Fields) => [...TYPE_NAMES.keys()].find(each => fields.is('type', each))!;

export function itemsOf({ own, linked, network, genesis, accountIndex, isDetailed, report }: Review): Item[] {
  const items: Item[] = [];
  const add = (title: string, value: string) => items.push({ title, value });
  const type = typeOf(own);
  const addContact = (title: string, name: string | undefined) => {
    if (name !== undefined) add(title, name);
  };
  const addTerms = (of: Fields) => {
    add('Escrow timeout', of.time('timeout'));
    add('Escrow instruction', of.text('instruction', 'Escrow instruction hash'));
    if (!of.is('multiParty', 0)) add('Escrow multi-party', 'Yes');
  };
  add('Network', network ?? `UNKNOWN CHAIN ${genesis(4)}`);
  if (network === undefined && isDetailed) add('Chain hash', genesis(32));
  add('Type', TYPE_NAMES.get(type)!);
  if (isDetailed) {
    add('Account index', accountIndex);
    add('From', own.account('sender'));
    add('Timestamp', own.time('timestamp'));
  }
  if (type === SEND) add('Amount', own.coins('amount'));
  if (type !== APPROVAL) {
    addContact('Recipient contact', own.contact('recipient'));
    add('Recipient', own.account('recipient'));
    add('Fee', own.coins('fee'));
  }
  if (type === SEND) add('Total leaving', own.sum('amount', 'fee'));
  add('Message', own.text('message', 'Message hash'));
  if (!own.is('hasEscrow', 0)) {
    addContact('Approver contact', own.contact('approver'));
    add('Escrow approver', own.account('approver'));
    add('Escrow commission', own.coins('commission'));
    if (isDetailed && type === SEND) add('Total with commission', own.sum('amount', 'fee', 'commission'));
    addTerms(own);
  }
  if (type === TOKEN) {
    add('Token', own.signed('tokenId'));
    add('Token amount', `${own.decimal('amount')} atomic units`);
    if (report !== undefined) add('As reported by the app', report);
    if (!own.is('feeInToken', 2)) add('Fee in token', own.is('feeInToken', 1) ? 'Yes' : 'No');
  }
  if (type !== APPROVAL) return items;
  items.push({
    title: 'Escrow decision',
    value: own.is('approval', 0) ? 'APPROVE' : 'REJECT',
    isLarge: true,
  });
  if (isDetailed) add('Escrow transaction', own.hash('escrowHash'));
  const decided = typeOf(linked);
  add('Escrow type', TYPE_NAMES.get(decided)!);
  if (isDetailed) {
    add('Escrow timestamp', linked.time('timestamp'));
    add('Escrow fee', linked.coins('fee'));
  }
  if (decided === SEND) add('Escrow amount', linked.coins('amount'));
  else {
    add('Escrow token', linked.signed('tokenId'));
    add('Escrow token amount', `${linked.decimal('amount')} atomic units`);
  }
  add('Escrow sender', linked.account('sender'));
  addContact('Recipient contact', linked.contact('recipient'));
  add('Escrow recipient', linked.account('recipient'));
  add('Escrow commission', linked.coins('commission'));
  addTerms(linked);
  add('Escrow message', linked.text('message', 'Escrow message hash'));
  add('Fee', own.coins('fee'));
  return items;
}
