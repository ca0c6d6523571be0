// The page on the screen, as texts.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MAX_TEXTS = 6, MAX_TEXT = 40 };

typedef struct {
  int length, y;
  char characters[MAX_TEXT + 1];
} text_t;

typedef struct {
  int count;
  text_t texts[MAX_TEXTS];
} page_t;

extern page_t screen;

// Implements observer_t's callback.
void on_text(const uint8_t *text, int length, int x, int y, int width, int height);
void on_frame(const uint8_t *frame);

// Returns whether the page has a title on the lit bar, unlike pages with two centred lines.
bool has_title_bar(const page_t *page);
bool shows(const page_t *page, const char *upper, const char *lower);
bool same_page(const page_t *a, const page_t *b);
