import { readdirSync, readFileSync } from 'node:fs';

const SOURCES = new URL('../../../chain/src/', import.meta.url);

describe('chain', () => {
  test.each(readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts')))(
    '%s runs in a browser: it uses no Node module and no Node global',
    file => {
      const source = readFileSync(new URL(file, SOURCES), 'utf8');
      expect(source).not.toMatch(/from '(node:|buffer|crypto)/);
      expect(source).not.toMatch(/\b(Buffer|process|require|__dirname)\b/);
    },
  );
});
