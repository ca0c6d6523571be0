import { accounts } from '../repository/vectors.js';
import { getPublicKey } from './apdu.js';

const { public_key, address } = accounts.cases[0]!;

/** The simplest command with a review. The only item of the review is the address. */
export const CONFIRM_ADDRESS = getPublicKey(0, true);
export const CONFIRM_ADDRESS_HEX = Buffer.from(CONFIRM_ADDRESS).toString('hex');
/** The reply after an approval in hex: public key, address, 9000. */
export const CONFIRMED_HEX = `${public_key}${Buffer.from(address).toString('hex')}9000`;
export const ADDRESS_REVIEW = [['Address', address]];

export const GET_VERSION_HEX = 'e003000000';
