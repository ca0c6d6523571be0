#pragma once

// Returns the address of a function of the boot ROM, which is identified by two letters (datasheet 2.8.3).
void *rom_function(char first, char second);
