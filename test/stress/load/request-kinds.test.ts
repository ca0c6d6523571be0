import { readDocument } from '../../../testkit/gateway/openapi-document.js';
import { REQUEST_KINDS } from './request-kinds.js';

const asked = REQUEST_KINDS.filter(({ method = 'GET', status }) => method === 'GET' && status < 400).map(
  ({ path }) => path.replace(/\?.*/, ''),
);
const documented = Object.entries((await readDocument()).paths).flatMap(([path, item]) =>
  'get' in item ? [path] : [],
);

test.each(documented)('the load test requests %s', path => {
  const route = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  expect(asked.filter(one => route.test(one))).not.toEqual([]);
});
