#include "menu.h"

#include "device.h"
#include "finding.h"
#include "screen.h"

enum { READY, SETTINGS_PAGE, VERSION_PAGE, UNKNOWN_CHAINS, DETAILS, CONTACTS_ONLY, BACK };

static int page;
static bool refuses, details, contacts_only;
// Whether the device was locked when the page was drawn.
static bool was_locked;

void menu_forget(void) { refuses = details = contacts_only = false; }

void menu_show(void) {
  page = READY;
  was_locked = platform.locked;
}

bool menu_refuses_unknown_chains(void) { return refuses; }

bool menu_pays_contacts_only(void) { return contacts_only; }

static void press_both(void) {
  switch (page) {
    case SETTINGS_PAGE: page = UNKNOWN_CHAINS; return;
    case UNKNOWN_CHAINS: refuses = !refuses; return;
    case DETAILS: details = !details; return;
    case CONTACTS_ONLY: contacts_only = !contacts_only; return;
    case BACK: page = READY; return;
  }
}

void menu_press(int button) {
  const bool first = page == READY || page == UNKNOWN_CHAINS, last = page == VERSION_PAGE || page == BACK;
  if (button == BOTH) press_both();
  if (button == RIGHT && !last) page++;
  if (button == LEFT && !first) page--;
  was_locked = platform.locked;
}

void menu_check(void) {
  static const char *const upper[] = {"ZBC Signer", "Settings", "Version", "Unknown chains", "Details", "Contacts only", "Back"};
  const char *const lower[] = {was_locked ? "is locked" : "is ready", "", "1.0.0", refuses ? "refused" : "allowed", details ? "shown" : "hidden", contacts_only ? "Yes" : "No", ""};
  if (shows(&screen, upper[page], lower[page])) return;
  finding("the screen shows \"%s\" instead of the menu's page \"%s\"", screen.texts[0].characters, upper[page]);
}
