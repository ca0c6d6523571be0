// Started by the test of child processes: waits for at most a minute.
setTimeout(() => undefined, 60_000);
