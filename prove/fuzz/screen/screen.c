#include "screen.h"

#include <string.h>

#include "device.h"
#include "finding.h"

enum { WIDTH = 128, HEIGHT = 64, TITLE_BAR = 10, COLUMNS = 21 };

page_t screen;

// Texts of the page being drawn.
static page_t drawn;

void on_text(const uint8_t *text, int length, int x, int y, int width, int height) {
  if (drawn.count == MAX_TEXTS) finding("a page has more texts than lines");
  if (length < 0 || length > (y < TITLE_BAR ? MAX_TEXT : COLUMNS)) finding("a text has %d characters, at row %d", length, y);
  if (x < 0 || y < 0 || width < 0 || x + width > WIDTH || y + height > HEIGHT) {
    finding("a text at %d %d, of %d by %d pixels, is outside the screen", x, y, width, height);
  }
  text_t *added = &drawn.texts[drawn.count++];
  added->length = length;
  added->y = y;
  memcpy(added->characters, text, (size_t)length);
  added->characters[length] = 0;
  for (int i = 0; i < length; i++) {
    if (text[i] < 0x20 || text[i] > 0x7e) finding("a text contains the character %02x", text[i]);
  }
}

void on_frame(const uint8_t *frame) {
  (void)frame;
  for (int i = 1; i < drawn.count; i++) {
    if (drawn.texts[i].y <= drawn.texts[i - 1].y) finding("the texts of a page are not in order from top to bottom");
  }
  screen = drawn;
  drawn.count = 0;
}

bool has_title_bar(const page_t *page) { return page->count > 0 && page->texts[0].y < TITLE_BAR; }

bool shows(const page_t *page, const char *upper, const char *lower) {
  const int count = *lower ? 2 : 1;
  return !has_title_bar(page) && page->count == count && strcmp(page->texts[0].characters, upper) == 0 &&
         (count == 1 || strcmp(page->texts[1].characters, lower) == 0);
}

bool same_page(const page_t *a, const page_t *b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++) {
    const text_t *text = &a->texts[i], *other = &b->texts[i];
    if (text->length != other->length || text->y != other->y) return false;
    if (memcmp(text->characters, other->characters, (size_t)text->length) != 0) return false;
  }
  return true;
}
