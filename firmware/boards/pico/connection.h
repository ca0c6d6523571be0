// Erratum RP2040-E5: after a bus reset the controller takes itself for connected once the line was idle (J) for 800 us,
// which it never is where a hub sends to others meanwhile. So once the reset is over, the line is taken for idle
// for a millisecond, by way of GP15.
#pragma once

// The bus was reset. In the interrupt.
void connection_reset(void);
// Once a millisecond, in an interrupt.
void connection_pass_millisecond(void);
