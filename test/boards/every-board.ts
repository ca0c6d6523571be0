import { closeBoards, closeKeptBoards, expectNoFaults } from '../../testkit/boards/board.js';

// A warning of the simulator is a failure of the test that caused it.
afterEach(async () => {
  try {
    expectNoFaults();
  } finally {
    await closeBoards();
  }
});
afterAll(closeKeptBoards);
