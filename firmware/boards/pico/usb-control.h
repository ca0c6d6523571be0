// Endpoint 0: handles the requests of hosts (USB 2.0 chapter 9, HID 1.11, WebUSB, Microsoft OS 2.0).
#pragma once
#include <stdint.h>

// Called once, before the host can send requests.
void control_start(void);
void control_setup(uint32_t low, uint32_t high);
// Called after the packet of endpoint 0 was sent.
void control_sent(void);
void control_reset(void);
