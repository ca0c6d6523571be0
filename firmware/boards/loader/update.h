#pragma once

// Installs the staged image if it is newer, then starts the installed one; without one, waits for an image.
// The state is entirely in flash: after a loss of power, the next start continues from there.
_Noreturn void update_and_start(void);
