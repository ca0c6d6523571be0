#pragma once

// Handles a bug: clears the modules' memories, answers 6F00 to the waiting host, clears all RAM and resets.
_Noreturn void trap(void);
