import { describeGateway } from '../../../gateway/src/openapi/document.js';
import { SORTS } from '../../../prove/load/sorts.js';

const asked = SORTS.filter(({ method = 'GET', status }) => method === 'GET' && status === 200).map(
  ({ path }) => path.replace(/\?.*/, ''),
);
const documented = Object.entries(describeGateway('0').paths).flatMap(([path, item]) =>
  'get' in item ? [path] : [],
);

test.each(documented)('the load reads %s', path => {
  const route = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  expect(asked.filter(one => route.test(one))).not.toEqual([]);
});
