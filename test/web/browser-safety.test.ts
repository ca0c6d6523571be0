import { readdirSync, readFileSync } from 'node:fs';

const SOURCES = new URL('../../../web/src/', import.meta.url);

test.each(readdirSync(SOURCES))(
  'web: %s runs in a browser: it uses no Node module and no Node global',
  file => {
    const source = readFileSync(new URL(file, SOURCES), 'utf8');
    expect(source).not.toMatch(/from '(node:|buffer|crypto)/);
    expect(source).not.toMatch(/\b(Buffer|process|require|__dirname)\b/);
  },
);
