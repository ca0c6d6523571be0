// Erratum RP2040-E5: after a bus reset, the controller assumes a connection only after the line was idle (J)
// for 800 us, which never happens if a hub sends to other devices meanwhile. Therefore, after the reset, GP15
// makes the line appear idle for a millisecond.
#pragma once

// Notes a bus reset. Called in the interrupt.
void connection_reset(void);
// Called once a millisecond, in an interrupt.
void connection_pass_millisecond(void);
