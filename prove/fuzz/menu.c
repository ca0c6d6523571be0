#include "menu.h"

#include "device.h"
#include "finding.h"
#include "screen.h"

enum { READY, SETTINGS_PAGE, VERSION_PAGE, UNKNOWN_CHAINS };

static int page;
static bool refuses;

void menu_forget(void) { refuses = false; }

void menu_show(void) { page = READY; }

bool menu_refuses_unknown_chains(void) { return refuses; }

void menu_press(int button) {
  if (page == UNKNOWN_CHAINS) {
    if (button == BOTH) refuses = !refuses;
    else page = SETTINGS_PAGE;
    return;
  }
  if (button == RIGHT && page < VERSION_PAGE) page++;
  else if (button == LEFT && page > READY) page--;
  else if (button == BOTH && page == SETTINGS_PAGE) page = UNKNOWN_CHAINS;
}

void menu_check(void) {
  static const char *const upper[] = {"ZBC Signer", "Settings", "Version", "Unknown chains"};
  const char *const lower[] = {"is ready", "", "1.0.0", refuses ? "refused" : "allowed"};
  if (shows(&screen, upper[page], lower[page])) return;
  finding("\"%s\" where the menu's \"%s\" must be", screen.texts[0].characters, upper[page]);
}
