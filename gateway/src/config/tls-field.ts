import type { TlsConfig } from './config.js';
import { fault, objectOf, optional, type Reader } from './reader.js';
import { boolean, text } from './values.js';

interface WrittenTls {
  certFile?: string;
  keyFile?: string;
  selfSigned?: boolean;
}

const written = objectOf<WrittenTls>({
  certFile: optional(text),
  keyFile: optional(text),
  selfSigned: optional(boolean),
});

/** `{cert_file, key_file}` or `{self_signed: true}`. */
export const tls: Reader<TlsConfig> = (value, path) => {
  const { certFile, keyFile, selfSigned = false } = written(value, path);
  const hasFile = certFile !== undefined || keyFile !== undefined;
  if (selfSigned && hasFile) {
    throw fault(`${path}.self_signed`, 'must be omitted when cert_file and key_file are set');
  }
  if (selfSigned) return { selfSigned };
  if (certFile === undefined || keyFile === undefined) {
    const missing = certFile === undefined && keyFile !== undefined ? 'cert_file' : 'key_file';
    throw hasFile
      ? fault(`${path}.${missing}`, 'is missing')
      : fault(path, 'must have cert_file and key_file, or self_signed: true');
  }
  return { certFile, keyFile };
};
