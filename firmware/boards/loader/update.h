#pragma once

// Installs the staged image if it is newer, then starts the installed image. If there is no image to start,
// waits for one. All state is in flash, so the next start after a loss of power continues the update.
_Noreturn void update_and_start(void);
