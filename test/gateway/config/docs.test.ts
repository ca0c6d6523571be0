import { parseGatewayConfig } from '#gateway/config/parse.js';
import { CONFIG_SCHEMA } from '#gateway/config/schema.js';
import { readText } from '../../../testkit/repository/repository.js';

/** Returns the fields of docs/gateway/configuration.md with their documented defaults. */
function documentedFields(): Map<string, string> {
  const rows = [
    ...readText('docs/gateway/configuration.md').matchAll(
      /^\| `([a-z0-9_.[\]]+)` \| (none|required|`.+?`) \|/gm,
    ),
  ];
  return new Map(rows.map(([, name, fallback]) => [name!, fallback!.replaceAll('`', '')]));
}

const documented = documentedFields();

interface Schema {
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  default?: unknown;
}

/** Returns every field of the schema by its path, with its default as the page writes it. */
function fieldsOf(schema: Schema, path = ''): [string, string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) && field.default === undefined;
    const fallback =
      field.default === undefined ? (isRequired ? 'required' : 'none') : JSON.stringify(field.default);
    const inner = [
      ...fieldsOf(field, `${path}${name}.`),
      ...fieldsOf(field.items ?? {}, `${path}${name}[].`),
    ];
    // An object that is there by default is not documented itself.
    return fallback === '{}' ? inner : [[`${path}${name}`, fallback], ...inner];
  });
}

const fields = fieldsOf(CONFIG_SCHEMA as Schema);

test('the documented table lists every field of the schema with its default, and no other', () => {
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(fields));
});

test('the configuration has at most 28 fields that are not objects', () => {
  const leaves = fields.filter(
    ([name]) => !fields.some(([other]) => other.startsWith(`${name}.`) || other.startsWith(`${name}[`)),
  );
  expect(leaves.length).toBeLessThanOrEqual(28);
});

test('the configuration for production in operating.md is valid', () => {
  const [, written] = /^ {3}```json\n( {3}\{\n[\s\S]*?)^ {3}```$/m.exec(
    readText('docs/gateway/operating.md'),
  )!;
  expect(parseGatewayConfig(JSON.parse(written!), '/')).toMatchObject({
    publicUrl: 'https://gateway.example',
  });
});

test('the documented metrics are those that exist', async () => {
  const { Traffic } = await import('#gateway/monitoring/traffic.js');
  const { createMetrics } = await import('#gateway/monitoring/metrics.js');
  const { AnsweredRequests } = await import('#gateway/monitoring/answered-requests.js');
  const nodes = { nodes: () => [] };
  const register = await createMetrics({
    answers: new AnsweredRequests(),
    traffic: new Traffic(),
    directory: nodes as never,
    refused: { all: 0, client: 0 },
    certificateEndMs: () => undefined,
  });
  const listed = [...readText('docs/gateway/running.md').matchAll(/^\| `(zbc_gateway_\w+)` \| (.*?) ?\|/gm)];
  const own = register.getMetricsAsArray().filter(({ name }) => !/_(process|nodejs)_/.test(name));
  expect(listed.map(([, name]) => name).sort()).toEqual(own.map(({ name }) => name).sort());
});
