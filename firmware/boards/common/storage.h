// The settings in flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Copies the settings that were stored last; returns false if none were.
bool settings_load(uint8_t *out);
// Whenever power fails, settings_load() finds the old or the new settings.
void settings_store(const uint8_t *settings);
