#pragma once

// A function of the boot ROM by the two letters of its name (datasheet 2.8.3).
void *rom_function(char first, char second);
