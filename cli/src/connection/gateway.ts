import { GatewayClient } from '@zbc-signer/host';
import { defaultApi } from '../input/defaults.js';
import { localhostFetch } from './localhost-fetch.js';

/** A client of the gateway at `--api`, or at the default URL. */
export function openGateway({ api }: { api?: string | undefined }): GatewayClient {
  return new GatewayClient(api ?? defaultApi(), { fetch: localhostFetch });
}
