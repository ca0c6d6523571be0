// The settings in flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Copies the settings that were stored last; false when none were.
bool settings_load(uint8_t *out);
// Whenever power goes, settings_load() finds the settings before or those after.
void settings_store(const uint8_t *settings);
