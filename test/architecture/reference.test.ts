import { dirname, join } from 'node:path';
import { readText } from '../../testkit/repository/repository.js';
import { entryPointsOf, LIBRARIES } from '../../tools/build/typedoc-options.js';

const KEYWORDS = '(?:declare )?(?:async )?(?:abstract )?(?:function\\*?|const|class|interface|type|enum)';
const FROM = /export (?:type )?(\{[^}]*\}|\*) from '(\.[^']+)\.js'/g;

interface Export {
  name: string;
  file: string;
}

/** Every name that a module exports, with the file of its declaration. */
function exportsOf(file: string): Export[] {
  const source = readText(file);
  const own = [...source.matchAll(new RegExp(`^export ${KEYWORDS} (\\w+)`, 'gm'))].map(match => ({
    name: match[1]!,
    file,
  }));
  const passedOn = [...source.matchAll(FROM)].flatMap(([, clause = '', path = '']) => {
    const all = exportsOf(join(dirname(file), `${path}.ts`));
    return clause === '*' ? all : all.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(clause));
  });
  return [...own, ...passedOn];
}

// The gateway's internal modules are exported only for its tests.
describe.each(LIBRARIES.filter(name => name !== 'gateway'))('%s', directory => {
  const exported = entryPointsOf(directory).flatMap(exportsOf);

  // TypeDoc's own check passes over this, because the types are not of the package in the root.
  test('exports every type of its own that an exported declaration names', () => {
    expect(exported.length).toBeGreaterThan(directory === 'wallet' ? 0 : 5);
    const names = new Set(exported.map(({ name }) => name));
    const hidden = exported.flatMap(({ name, file }) => {
      const declarations = readText(file.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts'));
      const text = declarationOf(declarations, name);
      return importedNames(declarations)
        .filter(type => !names.has(type) && !VALUES.includes(type) && new RegExp(`\\b${type}\\b`).test(text))
        .map(type => `${file}: ${name} names ${type}`);
    });
    expect(hidden).toEqual([]);
  });
});

/**
 * Constants that declarations name only through `typeof`, so that their own declaration need not be exported.
 */
const VALUES = ['REMEDIES', 'NETWORK_ROWS'];

/** The names that a module imports from its own package. */
function importedNames(declarations: string): string[] {
  const imports = [...declarations.matchAll(/^import (?:type )?\{([^}]*)\} from '\.[^']*';/gm)];
  return imports
    .flatMap(([, clause = '']) => clause.split(','))
    .map(name => name.replace(/\btype\b/, '').trim())
    .filter(name => name !== '');
}

/** The declaration without comments and without private and protected members. */
function declarationOf(declarations: string, name: string): string {
  const start =
    new RegExp(`^export (?:declare )?(?:abstract )?\\w+ ${name}\\b`, 'm').exec(declarations)?.index ?? 0;
  const rest = declarations.slice(start);
  const end = /\n(?:export|declare|import|\/\*\*|\/\/)/.exec(rest)?.index ?? rest.length;
  return rest
    .slice(0, end)
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/^\s*(?:private|protected|#).*$/gm, '');
}
