// The idle menu and the settings in it, as docs/TRANSACTION.md#screens has them.
#pragma once
#include <stdbool.h>

// A new device: the settings are off.
void menu_forget(void);
// The first page, as after a start and after a review.
void menu_show(void);
void menu_press(int button);
// A finding if the screen is not the menu's present page.
void menu_check(void);
bool menu_refuses_unknown_chains(void);
bool menu_shows_details(void);
