// Time, sleep and the end of a trap.
#include "board.h"
#include "buttons.h"
#include "registers.h"

extern uint32_t ram_start, ram_end;

enum { TICK_CYCLES = CLOCK_MHZ * KEYS_SAMPLED_EVERY_MICROSECONDS };

static uint32_t ticks;
static volatile bool interrupted;

// The counter is 0, as at the end of a tick, until its first clock. Without the wait, the time would be
// almost a tick at first, and then go back to 0.
void tick_start(void) {
  SYST_RVR = TICK_CYCLES - 1;
  SYST_CVR = 0;
  SYST_CSR = SYST_CSR_CLKSOURCE | SYST_CSR_TICKINT | SYST_CSR_ENABLE;
  while (!SYST_CVR) continue;
}

// Counts the end of a tick. Either the interrupt or a reader of the time counts it, whichever is first,
// because reading the register clears the flag.
static void count_tick(void) {
  if (SYST_CSR & SYST_CSR_COUNTFLAG) ticks++;
}

void tick_interrupt(void) {
  count_tick();
  buttons_sample(keys_down());
  interrupted = true;
}

void board_note_interrupt(void) { interrupted = true; }

// WFI also ends at a pending interrupt while interrupts are held, so no interrupt is missed between the test
// and WFI.
void board_sleep(void) {
  board_hold_interrupts();
  if (!interrupted) __asm__ volatile("dsb\nwfi" ::: "memory");
  interrupted = false;
  board_release_interrupts();
}

// The time also advances while interrupts are held, if this function is called at least once per tick.
uint32_t board_microseconds(void) {
  uint32_t held, before, passed;
  __asm__ volatile("mrs %0, primask" : "=r"(held));
  board_hold_interrupts();
  do {
    before = ticks;
    passed = TICK_CYCLES - 1 - SYST_CVR;
    count_tick();
  } while (before != ticks);
  if (!held) board_release_interrupts();
  return before * KEYS_SAMPLED_EVERY_MICROSECONDS + passed / CLOCK_MHZ;
}

void board_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }

void board_release_interrupts(void) { __asm__ volatile("cpsie i\nisb" ::: "memory"); }

// This code uses only registers, because it also clears the stack.
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
      : "l"(&ram_end), "l"(&AIRCR), "l"(AIRCR_VECTKEY | AIRCR_SYSRESETREQ)
      : "r2", "memory");
  __builtin_unreachable();
}
