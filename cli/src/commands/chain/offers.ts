import { formatTime } from '@zbc-signer/host';
import type { Offer, TokenAmount } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';
import { Units } from '../../transaction/units.js';

export const command = defineCommand({
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 offers', 'with expiry times']],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const offers = await retryRead(reader, request => gateway.offers(request));
    const ids = offers.flatMap(({ gives, wants }) => [...gives, ...wants].map(({ tokenId }) => tokenId));
    const units = await Units.read(gateway, reader, ids);
    return {
      json: { offers: offers.map(offerJson) },
      text: offers.map(offer => describeOffer(offer, units)).join('\n\n') || 'No open offers.',
    };
  },
});

function offerJson({ id, account, gives, wants, expiresAt, status }: Offer): Record<string, unknown> {
  return {
    offer_id: `${id}`,
    ...(account !== undefined && { account }),
    gives: gives.map(amountJson),
    wants: wants.map(amountJson),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(status !== undefined && { status }),
  };
}

function amountJson({ tokenId, amount }: TokenAmount): Record<string, unknown> {
  return { token_id: `${tokenId}`, amount };
}

function describeOffer({ id, account, gives, wants, expiresAt, status }: Offer, units: Units): string {
  const list = (amounts: readonly TokenAmount[]) =>
    amounts.map(({ tokenId, amount }) => units.format(tokenId, amount)).join('\n') || 'nothing';
  return formatTable([
    ['Offer', status === undefined ? id : `${id} (${status})`],
    ...(account === undefined ? [] : [['By', account] as const]),
    ['Gives', list(gives)],
    ['Wants', list(wants)],
    ...(expiresAt === undefined ? [] : [['Until', formatTime(expiresAt)] as const]),
  ]);
}
