#include "review.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "finding.h"
#include "screen.h"

// The longest review has 2048 line feeds, of which a page shows four, and some other pages.
enum { MAX_PAGES = 560 };

static const char *action;

// Every page shown so far; `at` is the index of the page on the screen.
static page_t pages[MAX_PAGES];
static page_kind_t kinds[MAX_PAGES];
static int count, at;

void review_expect(const char *what) { action = what; }

page_kind_t review_page(void) { return kinds[at]; }

static void check_decision_page(const char *verb, const char *lower) {
  char title[MAX_TEXT];
  // The title is `Approve` for an address, `Save contact`, or `Sign transaction` or `Sign message`.
  const char *first = strcmp(action, " contact") == 0 ? "Save" : "Sign";
  const char *upper = *action == 0 ? verb : strcmp(verb, "Approve") == 0 ? first : verb;
  snprintf(title, sizeof title, "%s%s", upper, action);
  if (!shows(&screen, title, lower)) finding("the screen shows \"%s\"; expected \"%s\"", screen.texts[0].characters, title);
}

static void add_page(void) {
  if (count == MAX_PAGES) finding("a review has more than %d pages", MAX_PAGES);
  at = count++;
  pages[at] = screen;
  kinds[at] = ITEM_PAGE;
  if (has_title_bar(&screen)) return;
  if (at == 0) finding("a review begins with the page \"%s\"", screen.texts[0].characters);
  kinds[at] = at > 0 && kinds[at - 1] == APPROVE_PAGE ? REJECT_PAGE : APPROVE_PAGE;
  if (kinds[at] == APPROVE_PAGE) check_decision_page("Approve", "approve: press both");
  else check_decision_page("Reject", "press both to reject");
}

void review_opened(void) {
  count = 0;
  add_page();
}

void review_moved(int button) {
  if (button == RIGHT && at == count - 1 && kinds[at] != REJECT_PAGE) {
    add_page();
    return;
  }
  if (button == RIGHT && at < count - 1) at++;
  if (button == LEFT && at > 0) at--;
  if (!same_page(&screen, &pages[at])) finding("page %d differs from the page that was first shown there", at);
}
