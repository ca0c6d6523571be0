const UNKNOWN_ISSUER = 'unknown certificate issuer';
/** By Node's error code, which is OpenSSL's. */
const FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer certificate is missing',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

/** The fault of a certificate by a connection's error code; undefined for other errors. */
export function certificateFault(code: string): string | undefined {
  return Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
}
