/** What goes wrong on purpose on a development network's gateway, for whoever writes a host; shares are from 0 to 1. */
export interface Chaos {
  /** Of requests whose connection is cut before anything is done. */
  drop?: number;
  /** Of broadcasts that are carried out and then get no answer. */
  dropAfter?: number;
  /** Of requests that are answered 503 before anything is done. */
  busy?: number;
  /** How late a request is handled; a range is drawn from. */
  delayMs?: number | readonly [min: number, max: number];
  /** A broadcast's answer names another transaction hash. */
  alteredHash?: boolean;
  /** The gateway's node/info lacks signing_version and signing_tag, as older gateways do; the hostname of a node shows them. */
  hideSigningVersion?: boolean;
  /** As if the nodes were older than chain-bound signing: shown nowhere. */
  noSigningVersion?: boolean;
  /** The gateway's node/info names another chain; the hostname of a node shows the true one. */
  wrongGenesis?: boolean;
  /** The same seed and the same requests in the same order give the same chaos; drawn when left out. */
  seed?: number;
}
