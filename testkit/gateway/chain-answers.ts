import { accounts } from '../repository/vectors.js';
import { answer, FakeGateway } from './fake-gateway.js';

export const OWN = accounts.cases[0]!.address;
export const OTHER = accounts.cases[1]!.address;
const OWN_HEX = `00000000${accounts.cases[0]!.public_key}`;
const OTHER_HEX = `00000000${accounts.cases[1]!.public_key}`;
const GENESIS = 'ab'.repeat(32);
export const hash = (digit: number) => `${digit}`.repeat(64);
/** A text that would turn a terminal red and right-to-left. */
const HOSTILE = '\\u001b[31mEVIL\\u202e';
/** SHA-256 of the bytes `published\n`, computed with sha256sum. */
export const PUBLISHED_SHA256 = 'e41adfc0670b4e1740e6874bdb59f26e0bc6982e44796c5df37b6eead72932dc';

interface Changes {
  type?: number;
  from?: string;
  to?: string;
  body: string;
  rest?: string;
}

/** Returns an entry of a list of transactions, with the time 2027-01-15 08:00:00 UTC and a fee of 0.025. */
function transaction(digit: number, { type = 1, from = OWN_HEX, to = OTHER_HEX, body, rest = '' }: Changes) {
  return (
    `{"transaction_hash":"${hash(digit)}","transaction_type":${type},"timestamp":1800000000,"fee":2500000,` +
    `"sender_account_address":"${from}","recipient_account_address":"${to}","transaction_body_bytes":"${body}"${rest}}`
  );
}

/**
 * Four transactions: 1.5 coins sent, unconfirmed; 2.5 AMBER received; the decision of an escrow; and a
 * transaction between other accounts.
 */
const TRANSACTIONS = [
  transaction(1, {
    body: '80d1f00800000000',
    rest: ',"status":"mempool","message_hex":"696e766f696365203432"',
  }),
  transaction(2, {
    type: 11,
    from: OTHER_HEX,
    to: OWN_HEX,
    body: '0100000000000000a861000000000000',
    rest: ',"status":"confirmed","block_height":9',
  }),
  transaction(3, { type: 4, to: '02000000', body: `01000000${hash(7)}`, rest: ',"block_height":7' }),
  transaction(4, { type: 29, from: OTHER_HEX, to: OTHER_HEX, body: '', rest: ',"block_height":6' }),
];
/** The blocks 0 to 9 with the confirmed ones of these transactions. */
const BLOCKS = Array.from({ length: 10 }, (_, height) => {
  const own = TRANSACTIONS.filter(each => each.includes(`"block_height":${height}}`));
  return `{"height":${height},"transactions":[${own.join()}],"expired_escrows":[]}`;
});
const MOVEMENTS = [
  `{"kind":"refund","address":"${OWN}","account_hex":"${OWN_HEX}","token_id":0,"amount":300000000,"block_height":9,"timestamp":1800000010,"transaction_hash":"${hash(5)}"}`,
  `{"kind":"${HOSTILE}","address":"${OTHER}","account_hex":"${OTHER_HEX}","token_id":77,"amount":5,"block_height":8,"timestamp":1800000005}`,
];

/**
 * Returns a gateway whose answers include integers above 2^53 and hostile texts.
 */
export function chainGateway(): FakeGateway {
  return new FakeGateway()
    .on('GET /api/v1/transactions', answer(`{"transactions":[${TRANSACTIONS.join()}]}`))
    .on('GET /api/v1/movements/latest', answer(`{"movements":[${MOVEMENTS.join()}]}`))
    .on('GET /api/v1/blockchain/status', answer('{"height":9}'))
    .on('GET /api/v1/blocks', answer(`{"blocks":[${BLOCKS.join()}]}`))
    .on(
      'GET /api/v1/tokens',
      answer(
        `{"tokens":[{"token_id":1,"decimals":4,"symbol":"AMBER","name":"Amber","supply":9223372036854775807},{"token_id":-42,"decimals":0,"symbol":"ZBC","name":"${HOSTILE}"}]}`,
      ),
    )
    .on(
      'GET /api/v1/exchange/orderbook',
      answer(
        '{"market_id":-9007199254740995,"bids":[{"price":140000000,"amount":10000,"orders":2},{"price":130000000,"amount":5,"orders":1}],"asks":[{"price":160000000,"amount":20000,"orders":1},{"price":170000000,"amount":20000,"orders":3}]}',
      ),
    )
    .on(
      'GET /api/v1/node/info',
      answer(
        `{"genesis_hash":"${GENESIS.toUpperCase()}","signing_version":2,"signing_tag":"ZBC-TX","height":9,"version":"${HOSTILE}","peer_count":3,"synced":true}`,
      ),
    )
    .on(
      'GET /api/v1/registry/relays',
      answer(`{"relays":[{"public_key":"${hash(4)}","address":"${HOSTILE}","rate":1000}]}`),
    )
    .on(
      'GET /api/v1/release/list',
      answer(
        `{"releases":[{"version":"0.4.1","released_at":1800000000,"files":[{"arch":"linux-x64","name":"zbc-node.tar.gz","size":10,"sha256":"${PUBLISHED_SHA256.toUpperCase()}"}]}]}`,
      ),
    );
}
