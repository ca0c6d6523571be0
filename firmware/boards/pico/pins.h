// The wiring (docs/boards/pico.md). GP15 must not be connected (connection.h).
#pragma once

enum { PIN_SDA = 4, PIN_SCL = 5, PIN_USB_DP = 15, PIN_LEFT = 16, PIN_RIGHT = 17 };
