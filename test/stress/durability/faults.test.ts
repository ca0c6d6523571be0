import { readText } from '../../../testkit/repository/repository.js';
import { replaceOnce } from '../../../tools/image/replace-once.js';
import { NODE_FAULTS } from './faults.js';

test.each(NODE_FAULTS.map(fault => [fault.name, fault] as const))(
  'the source contains the code that this fault replaces: %s',
  (_name, { path, find, replace }) => {
    expect(replaceOnce(readText(path), find, replace)).not.toBe(readText(path));
  },
);
