import { Project } from '../../testkit/packages/project.js';

const PROGRAM = `
import { GatewayClient, MemoryJournal } from '@zbc-signer/host';
import { SignerProvider, useActivity, useReview, useSend, useSigner } from '@zbc-signer/react';
import { createElement, StrictMode, version } from 'react';
import { renderToString } from 'react-dom/server';

const gateway = new GatewayClient('http://127.0.0.1:1');
function States() {
  return [useSigner().state, useSend().state, useReview().isOpen, useActivity().unsettled.length].join();
}
const provider = createElement(SignerProvider, { gateway, journal: new MemoryJournal() }, createElement(States));
console.log(version.split('.')[0], renderToString(createElement(StrictMode, null, provider)));
`;

test.each(['18', '19'])('the hooks run with React %s', version => {
  const project = new Project();
  try {
    project.install(['protocol', 'chain', 'host', 'react'], [`react@${version}`, `react-dom@${version}`]);
    project.write('states.js', PROGRAM);
    expect(project.run('node', 'states.js')).toMatchObject({
      stdout: `${version} none,idle,false,0\n`,
      stderr: '',
    });
  } finally {
    project.remove();
  }
});
