#include "review.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "finding.h"
#include "screen.h"

// The longest review has 2048 line feeds, of which a page shows four, and some other pages.
enum { MAX_PAGES = 560 };

static const items_t *expected;
static const char *action;

// Every page shown so far; `at` is the index of the page on the screen.
static page_t pages[MAX_PAGES];
static page_kind_t kinds[MAX_PAGES];
static int count, at;

// The newest page: the index of its item, the offset up to which the item's value has been shown, the page's
// number, and the number of pages in its title.
static int item, offset, number, numbers;

void review_expect(const items_t *items, const char *what) {
  expected = items;
  action = what;
}

page_kind_t review_page(void) { return kinds[at]; }

static void skip_line_feeds(void) {
  const item_t *shown = &expected->items[item];
  while (offset < shown->length && shown->value[offset] == '\n') offset++;
}

static void check_title(void) {
  const char *title = expected->items[item].title, *text = screen.texts[0].characters;
  char numbered[MAX_TEXT];
  if (number == 1 && strcmp(text, title) == 0) {
    numbers = 1;
    return;
  }
  if (number == 1 && sscanf(text + (strlen(text) > strlen(title) ? strlen(title) : 0), " (1/%d)", &numbers) != 1) {
    finding("the title is \"%s\"; expected \"%s\" with a page number", text, title);
  }
  snprintf(numbered, sizeof numbered, "%s (%d/%d)", title, number, numbers);
  if (strcmp(text, numbered) != 0 || numbers < 2) finding("the title is \"%s\"; expected \"%s\"", text, numbered);
}

static void check_lines(void) {
  const item_t *shown = &expected->items[item];
  for (int i = 1; i < screen.count; i++) {
    const text_t *line = &screen.texts[i];
    skip_line_feeds();
    if (line->length > shown->length - offset ||
        memcmp(line->characters, shown->value + offset, (size_t)line->length) != 0) {
      finding("%s shows \"%s\", which is not its value at offset %d", shown->title, line->characters, offset);
    }
    offset += line->length;
  }
  skip_line_feeds();
}

static void check_item_page(void) {
  if (!has_title_bar(&screen)) finding("the pages of items end, but %s was not shown completely", expected->items[item].title);
  number++;
  check_title();
  check_lines();
  if (number < numbers) return;
  if (offset != expected->items[item].length) {
    finding("the pages of %s end at offset %d of %d", expected->items[item].title, offset, expected->items[item].length);
  }
  item++;
  offset = number = numbers = 0;
}

static void check_decision_page(const char *verb, const char *lower) {
  char title[MAX_TEXT];
  // The title is `Approve` for an address, otherwise `Sign transaction` or `Sign message`.
  const char *upper = *action == 0 ? verb : strcmp(verb, "Approve") == 0 ? "Sign" : verb;
  snprintf(title, sizeof title, "%s%s", upper, action);
  if (!shows(&screen, title, lower)) finding("the screen shows \"%s\"; expected \"%s\"", screen.texts[0].characters, title);
}

static void add_page(void) {
  if (count == MAX_PAGES) finding("a review has more than %d pages", MAX_PAGES);
  at = count++;
  pages[at] = screen;
  if (item < expected->count) {
    kinds[at] = ITEM_PAGE;
    check_item_page();
    return;
  }
  kinds[at] = at > 0 && kinds[at - 1] == APPROVE_PAGE ? REJECT_PAGE : APPROVE_PAGE;
  if (kinds[at] == APPROVE_PAGE) check_decision_page("Approve", "approve: press both");
  else check_decision_page("Reject", "press both to reject");
}

void review_opened(void) {
  count = item = offset = number = numbers = 0;
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
