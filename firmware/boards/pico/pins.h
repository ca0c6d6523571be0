// The wiring (docs/boards/pico.md). GP15 stays free: the workaround for erratum RP2040-E5 would drive it.
#pragma once

enum { PIN_SDA = 4, PIN_SCL = 5, PIN_LEFT = 16, PIN_RIGHT = 17 };
