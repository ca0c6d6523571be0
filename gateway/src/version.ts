/** Of the gateway, as `/gateway/status` tells it; package.json has the same. */
export const GATEWAY_VERSION = '1.0.0';
