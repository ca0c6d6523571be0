import { GatewayClient } from '../gateway/index.js';
import { defaultApi } from './defaults.js';
import { localhostFetch } from './localhost-fetch.js';

/** The gateway that `--api` names, or the default one. */
export function openGateway({ api }: { api?: string | undefined }): GatewayClient {
  return new GatewayClient(api ?? defaultApi(), { fetch: localhostFetch });
}
