/** OpenSSL's words for them, as Node gives them. */
const FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an issuer that is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an issuer that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an issuer that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without that of its issuer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** What is wrong with a certificate, by the code of a connection's error; undefined when it is something else. */
export function certificateFault(code: string): string | undefined {
  return Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
}
