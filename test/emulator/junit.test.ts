import { renderJunit } from '@zbc-signer/emulator/junit';

const suite = {
  name: 'a.test.js',
  cases: [
    { className: 'a', name: 'passes', milliseconds: 1500, outcome: 'passed' as const },
    {
      className: 'a',
      name: '<"&\u001b\u0000>',
      milliseconds: 0,
      outcome: 'failed' as const,
      message: '\u001b[31mred\u001b[39m\n\tsecond ]]> line',
      attachments: ['/tmp/a b.png'],
    },
    { className: 'a', name: 'waits', milliseconds: 0, outcome: 'skipped' as const, message: 'todo' },
  ],
};

test('the JUnit file counts tests, escapes texts, and contains the attachments that Jenkins and GitLab link', () => {
  const xml = renderJunit('run', [suite]);
  expect(xml).toContain('<testsuites name="run" tests="3" failures="1" skipped="1">');
  expect(xml).toContain('<testsuite name="a.test.js" tests="3" failures="1" skipped="1" time="1.500">');
  expect(xml).toContain('name="&lt;&quot;&amp;&gt;"');
  expect(xml).toContain('<failure message="red">red\n\tsecond ]]&gt; line</failure>');
  expect(xml).toContain('<system-out>[[ATTACHMENT|/tmp/a b.png]]\n</system-out>');
  expect(xml).toContain('<skipped message="todo"/>');
});
