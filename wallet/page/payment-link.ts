/** A payment that a link requests. It fills in a form, which the user reads and submits. */
export interface PaymentLink {
  to: string;
  amount: string;
  message: string;
}

const FIELDS = ['to', 'amount', 'message'] as const;
/**
 * Shorter than the `maxlength` of the recipient's field, so that a link that the field has truncated is not
 * read.
 */
const MAX_LENGTH = 1024;

/**
 * Reads `#/send?to=…&amount=…&message=…`, also after the URL of a wallet page, or
 * `zbc:ADDRESS?amount=…&message=…`. The values are percent-encoded. Undefined for any other text. Also
 * undefined for a link with another field, such as a token: without that field, the form would pay ZBC.
 */
export function parsePaymentLink(link: string): PaymentLink | undefined {
  const [, place, query] = /^((?:https?:[^#]*)?#\/send\?|zbc:[^?]*\??)(.*)$/s.exec(link) ?? [];
  if (place === undefined || query === undefined || link.length > MAX_LENGTH) return undefined;
  const asked = new URLSearchParams(query);
  if (place.startsWith('zbc:')) asked.append('to', place.slice('zbc:'.length).replace(/\?$/, ''));
  const names = [...asked.keys()];
  const isKnown = names.every(name => FIELDS.some(field => field === name));
  if (!isKnown || new Set(names).size < names.length) return undefined;
  const [to, amount, message] = FIELDS.map(name => asked.get(name) ?? '');
  return { to: to!, amount: amount!, message: message! };
}
