// Follows the screen through a review: which pages were shown, in which order, and that they are the items,
// complete.
#pragma once
#include <stdbool.h>

#include "transaction/items.h"

// The items that the next review must show; `action` ends the titles of its last two pages (` transaction`).
void review_expect(const items_t *items, const char *action);

// The device went into the review with its present screen.
void review_opened(void);
// A press that did not decide; the screen is what it led to.
void review_moved(int button);

typedef enum { ITEM_PAGE, APPROVE_PAGE, REJECT_PAGE } page_kind_t;
page_kind_t review_page(void);
