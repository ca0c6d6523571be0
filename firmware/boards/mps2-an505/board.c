#include "board.h"

#include "buttons.h"
#include "packets.h"
#include "panel.h"
#include "registers.h"

extern uint32_t ram_start, ram_end;
void nonsecure_start(void);

enum { TICK_CYCLES = CLOCK_MHZ * KEYS_SAMPLED_EVERY_MICROSECONDS, LOOP_MILLISECONDS = 8000 };

static uint32_t ticks;
static volatile bool interrupted;

void board_start(void) {
  nonsecure_start();
  SYST_RVR = TICK_CYCLES - 1;
  SYST_CVR = 0;
  SYST_CSR = SYST_CSR_CLKSOURCE | SYST_CSR_TICKINT | SYST_CSR_ENABLE;
  uart_start();
}

// Whoever is first, the interrupt or one who asks for the time, counts the end of a tick: reading clears
// the flag.
static void count_tick(void) {
  if (SYST_CSR & SYST_CSR_COUNTFLAG) ticks++;
}

void tick_interrupt(void) {
  count_tick();
  buttons_sample(panel_keys);
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
    count_tick();
    before = ticks;
    passed = TICK_CYCLES - 1 - SYST_CVR;
    count_tick();
  } while (before != ticks);
  if (!held) board_release_interrupts();
  return before * KEYS_SAMPLED_EVERY_MICROSECONDS + passed / CLOCK_MHZ;
}

void board_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }

void board_release_interrupts(void) { __asm__ volatile("cpsie i\nisb" ::: "memory"); }

// A new value starts it anew. When it runs out, an interrupt that nothing holds is a trap; the second time it resets the chip.
static void start_watchdog(uint32_t milliseconds) {
  WDOGLOAD = milliseconds * S32K_KHZ;
  WDOGCONTROL = WDOGCONTROL_INTEN | WDOGCONTROL_RESEN;
}

// Also when the other world hangs, whose interrupts this loop waits for.
void board_begin_turn(void) { start_watchdog(LOOP_MILLISECONDS); }

void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  start_watchdog(milliseconds / 2);
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
      : "l"(&ram_end), "l"(&AIRCR), "l"(AIRCR_VECTKEY | AIRCR_SYSRESETREQ)
      : "r2", "memory");
  __builtin_unreachable();
}
