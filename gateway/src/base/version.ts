/** The version in package.json, reported by `/gateway/status`. */
export const GATEWAY_VERSION = '1.0.0';
