// Run by the test of child processes: waits, for a minute at most.
setTimeout(() => undefined, 60_000);
