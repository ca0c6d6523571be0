#pragma once

// A bug was found: clears the modules' memories, answers 6F00 to the host that waits, clears all RAM and
// resets.
_Noreturn void trap(void);
