#include "board.h"

#include "buttons.h"
#include "registers.h"

extern uint32_t ram_start, ram_end;
void oled_start(void);

enum { CLOCK_MHZ = 50, TICK_MICROSECONDS = KEYS_SAMPLED_EVERY_MICROSECONDS, TICK_CYCLES = CLOCK_MHZ * TICK_MICROSECONDS };
// Of port E left and right, of port F select, which is both.
enum { PIN_LEFT = 1 << 2, PIN_RIGHT = 1 << 3, PIN_SELECT = 1 << 1 };

static uint32_t ticks;
static volatile bool interrupted;

static void start_keys(uint32_t port, uint32_t pins) {
  GPIODIR(port) &= ~pins;
  GPIOPUR(port) |= pins;
  GPIODEN(port) |= pins;
}

// A key connects its pin to ground.
static uint8_t keys_down(void) {
  if (!GPIODATA(GPIOF, PIN_SELECT)) return KEY_LEFT | KEY_RIGHT;
  return (GPIODATA(GPIOE, PIN_LEFT) ? 0 : KEY_LEFT) | (GPIODATA(GPIOE, PIN_RIGHT) ? 0 : KEY_RIGHT);
}

void board_start(void) {
  RCGC0 |= RCGC0_WDT;
  RCGC1 |= RCGC1_UART0 | RCGC1_SSI0;
  RCGC2 |= RCGC2_GPIOA | RCGC2_GPIOC | RCGC2_GPIOE | RCGC2_GPIOF;
  (void)RCGC2;  // a block may be used three cycles later
  start_keys(GPIOE, PIN_LEFT | PIN_RIGHT);
  start_keys(GPIOF, PIN_SELECT);
  oled_start();
  STRELOAD = TICK_CYCLES - 1;
  STCURRENT = 0;
  STCTRL = STCTRL_CLK_SRC | STCTRL_INTEN | STCTRL_ENABLE;
}

// Whoever is first, the interrupt or one who asks for the time, counts the end of a tick: reading clears
// the flag.
static void count_tick(void) {
  if (STCTRL & STCTRL_COUNT) ticks++;
}

void tick_interrupt(void) {
  count_tick();
  buttons_sample(keys_down());
  interrupted = true;
}

void board_note_interrupt(void) { interrupted = true; }

// With interrupts held WFI still ends at one, so none comes unseen between the test and the sleep.
void board_sleep(void) {
  board_hold_interrupts();
  if (!interrupted) __asm__ volatile("dsb\nwfi" ::: "memory");
  interrupted = false;
  board_release_interrupts();
}

// Goes on while interrupts are held, when it is asked for once a tick.
uint32_t board_microseconds(void) {
  uint32_t held, before, passed;
  __asm__ volatile("mrs %0, primask" : "=r"(held));
  board_hold_interrupts();
  do {
    before = ticks;
    passed = TICK_CYCLES - 1 - STCURRENT;
    count_tick();
  } while (before != ticks);
  if (!held) board_release_interrupts();
  return before * TICK_MICROSECONDS + passed / CLOCK_MHZ;
}

void board_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }

void board_release_interrupts(void) { __asm__ volatile("cpsie i\nisb" ::: "memory"); }

// The watchdog resets the chip when it runs out for the second time.
void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  WDTLOAD = milliseconds * (CLOCK_MHZ * 1000 / 2);
  WDTCTL = WDTCTL_INTEN | WDTCTL_RESEN;
}

// With registers only, because the stack is cleared too.
void board_wipe_and_reset(void) {
  uint32_t *at = &ram_start;
  __asm__ volatile(
      "movs r2, #0\n"
      "1: stmia %0!, {r2}\n"
      "cmp %0, %1\n"
      "blo 1b\n"
      "dsb\n"
      "str %3, [%2]\n"
      "2: b 2b\n"
      : "+l"(at)
      : "l"(&ram_end), "l"(&APINT), "l"(APINT_SYSRESREQ)
      : "r2", "memory");
  __builtin_unreachable();
}
