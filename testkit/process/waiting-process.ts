// Started by the test of child processes. It waits for a minute unless it is ended.
setTimeout(() => undefined, 60_000);
