// Follows a review on the screen: checks its pages, their order, and that they contain all items completely.
#pragma once
#include <stdbool.h>

#include "transaction/items.h"

// Sets the required items of the next review. `action` is the end of the titles of its last two pages, such
// as ` transaction`.
void review_expect(const items_t *items, const char *action);

// Notes that a review opened with the current screen.
void review_opened(void);
// Notes a press that did not decide, and checks the resulting screen.
void review_moved(int button);

typedef enum { ITEM_PAGE, APPROVE_PAGE, REJECT_PAGE } page_kind_t;
page_kind_t review_page(void);
