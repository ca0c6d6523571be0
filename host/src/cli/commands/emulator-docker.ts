import { defineCommand } from '../command.js';

export const emulatorDocker = defineCommand({
  usage: 'docker',
  summary: 'Run a test tool that starts Speculos in Docker, such as Zemu: each container is an emulator',
  configure: yargs =>
    yargs
      .usage('$0 emulator docker -- <program> [arguments]')
      .parserConfiguration({ 'populate--': true })
      .example('$0 emulator docker -- npx jest my-zemu-tests', 'needs no Docker and no image'),
  run: async (options, terminal) => {
    const { runUnderDocker } = await import('../actions/emulator-docker.js');
    return runUnderDocker(options, terminal);
  },
});
