#pragma once

// Handles an internal error: clears the modules' memories, answers 6F00 to the waiting host, clears all RAM
// and resets the chip.
_Noreturn void trap(void);
