#pragma once

// Installs the staged image if it is to be, then starts the installed one; if there is none, waits for one.
// What is in flash is the whole state: whenever power goes, the next start goes on from there.
_Noreturn void update_and_start(void);
