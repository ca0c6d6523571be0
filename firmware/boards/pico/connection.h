// A workaround for erratum RP2040-E5. After a bus reset, the controller detects a connection only when the
// line was idle (J) for 800 us. That never happens if a hub sends to other devices at the same time.
// Therefore GP15 makes the line appear idle for a millisecond after the reset.
#pragma once

// Called in the interrupt of a bus reset.
void connection_reset(void);
// Called once a millisecond, in an interrupt.
void connection_pass_millisecond(void);
