#include "board.h"

#include "buttons.h"
#include "packets.h"
#include "registers.h"
#include "trap.h"

extern uint32_t ram_start, ram_end;

enum { TICK = MTIME_MHZ * KEYS_SAMPLED_EVERY_MICROSECONDS };

static volatile bool interrupted;

// Reads the 64-bit time. The two halves are read separately, and the upper half may change in between.
static uint64_t now(void) {
  uint32_t high, low;
  do {
    high = MTIME_HIGH;
    low = MTIME_LOW;
  } while (high != MTIME_HIGH);
  return (uint64_t)high << 32 | low;
}

// Sets the time of the next timer interrupt. The upper half is set to its maximum first, so that no
// intermediate value causes an interrupt.
static void interrupt_at(uint64_t time) {
  MTIMECMP_HIGH = 0xFFFFFFFF;
  MTIMECMP_LOW = (uint32_t)time;
  MTIMECMP_HIGH = (uint32_t)(time >> 32);
}

void board_start(void) {
  PLIC_PRIORITY(UART_SOURCE) = 1;
  PLIC_ENABLE = 1 << UART_SOURCE;
  PLIC_THRESHOLD = 0;
  uart_start();
  interrupt_at(now() + TICK);
  CSR_SET(mie, MIE_MTIE | MIE_MEIE);
  board_release_interrupts();
}

static void tick_interrupt(void) __attribute__((noinline));
static void tick_interrupt(void) {
  interrupt_at(now() + TICK);
  buttons_sample(keys_down());
}

static void uart_interrupt(void) {
  const uint32_t source = PLIC_CLAIM;
  uart_poll();
  PLIC_CLAIM = source;
}

__attribute__((interrupt("machine"), aligned(4), used)) void trap_or_interrupt(void) {
  uint32_t cause;
  CSR_READ(mcause, cause);
  if (cause == MCAUSE_TIMER) tick_interrupt();
  else if (cause == MCAUSE_EXTERNAL) uart_interrupt();
  else trap();
  interrupted = true;
}

// WFI also wakes for a pending interrupt while interrupts are disabled, so no interrupt is missed between the test
// and WFI.
void board_sleep(void) {
  board_hold_interrupts();
  if (!interrupted) __asm__ volatile("wfi" ::: "memory");
  interrupted = false;
  board_release_interrupts();
}

uint32_t board_microseconds(void) { return (uint32_t)(now() / MTIME_MHZ); }

void board_hold_interrupts(void) { CSR_CLEAR(mstatus, MSTATUS_MIE); }

void board_release_interrupts(void) { CSR_SET(mstatus, MSTATUS_MIE); }

// This machine has no watchdog; a real board needs one here.
void board_begin_trap(uint32_t milliseconds) {
  (void)milliseconds;
  board_hold_interrupts();
}

// This code uses only registers, because it also clears the stack.
void board_wipe_and_reset(void) {
  __asm__ volatile(
      "1: sw zero, 0(%0)\n"
      "addi %0, %0, 4\n"
      "bltu %0, %1, 1b\n"
      "sw %3, 0(%2)\n"
      "2: j 2b\n" ::"r"(&ram_start),
      "r"(&ram_end), "r"(&TEST_FINISHER), "r"(FINISHER_RESET)
      : "memory");
  __builtin_unreachable();
}
