// The settings in flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Copies the stored settings. Returns false if no settings are stored.
bool settings_load(uint8_t *out);
// Stores the settings. If power fails, settings_load() finds either the old or the new settings.
void settings_store(const uint8_t *settings);
