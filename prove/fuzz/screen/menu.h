// The idle menu and its settings, according to docs/TRANSACTION.md#screens.
#pragma once
#include <stdbool.h>

// Starts with a new device, whose settings are off.
void menu_forget(void);
// Goes to the first page, as after a start and after a review.
void menu_show(void);
void menu_press(int button);
// Reports a finding unless the screen is the menu's current page.
void menu_check(void);
bool menu_refuses_unknown_chains(void);
bool menu_pays_contacts_only(void);
