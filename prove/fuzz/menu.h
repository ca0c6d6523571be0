// The idle menu and the one setting in it, as signer-protocol §3 has them.
#pragma once
#include <stdbool.h>

// A new device: the setting is off.
void menu_forget(void);
// The first page, as after a start and after a review.
void menu_show(void);
void menu_press(int button);
// A finding if the screen is not the menu's present page.
void menu_check(void);
bool menu_refuses_unknown_chains(void);
