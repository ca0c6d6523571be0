// Follows a review on the screen: the order of its pages, its last two pages, and that a page stays the same.
#pragma once

// Sets the end of the titles of the last two pages of the next review, such as ` transaction`.
void review_expect(const char *action);

// Notes that a review opened with the current screen.
void review_opened(void);
// Notes a press that did not decide, and checks the resulting screen.
void review_moved(int button);

typedef enum { ITEM_PAGE, APPROVE_PAGE, REJECT_PAGE } page_kind_t;
page_kind_t review_page(void);
