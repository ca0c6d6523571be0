// Gives the non-secure world its memory and the host's UART, and starts it. Everything else stays secure, as
// after a reset. This is enforced by the SAU and by the protection controllers of memories and peripherals.
#include <string.h>

#include "gateway.h"
#include "registers.h"

extern const gateway_t gateway;
extern const uint32_t nonsecure_image[], nonsecure_image_end[], gateway_start[], gateway_end[];

enum { SECURE_ALIAS = 1 << 28 };

__attribute__((noinline)) void give_range(uint32_t region, uint32_t start, uint32_t end, uint32_t kind) {
  SAU_RNR = region;
  SAU_RBAR = start;
  SAU_RLAR = (end - SAU_GRANULE) | kind | SAU_RLAR_ENABLE;
  __asm__ volatile("dsb\nisb" ::: "memory");
}

// Makes blocks of a memory non-secure. `start` and `end` are offsets from the start of that memory.
__attribute__((noinline)) void give_memory(uint32_t mpc, uint32_t start, uint32_t end) {
  const uint32_t shift = (MPC_BLK_CFG(mpc) & MPC_BLK_CFG_SIZE) + MPC_SMALLEST_SHIFT;
  for (uint32_t block = start >> shift; block < end >> shift; block++) {
    MPC_BLK_IDX(mpc) = block / 32;
    MPC_BLK_LUT(mpc) |= 1u << block % 32;
  }
}

__attribute__((noinline)) void give_ports(uint32_t ports) { APBNSPPCEXP1 |= ports; }

static void give_interrupt(uint32_t interrupt) { NVIC_ITNS(interrupt) |= 1u << interrupt % 32; }

static void load(void) {
  uint8_t *const memory = (uint8_t *)(NONSECURE_START | SECURE_ALIAS);
  const uint32_t length = (uint32_t)((const uint8_t *)nonsecure_image_end - (const uint8_t *)nonsecure_image);
  memset(memory, 0, NONSECURE_END - NONSECURE_START);
  memcpy(memory, nonsecure_image, length);
  memcpy(memory + ((uint32_t)GATEWAY - NONSECURE_START), &gateway, sizeof gateway);
}

void nonsecure_start(void) {
  load();
  SECRESPCFG = SECRESPCFG_BUS_ERROR;
  NSCCFG = NSCCFG_CODENSC;
  for (uint32_t mpc = MPC_OF_SSRAM1; mpc <= MPC_OF_SSRAM3; mpc += MPC_OF_SSRAM2 - MPC_OF_SSRAM1) MPC_CTRL(mpc) = MPC_CTRL_SEC_RESP;
  give_range(0, NONSECURE_START, NONSECURE_END, 0);
  give_range(1, HOST_UART, HOST_UART + 0x1000, 0);
  give_range(2, (uint32_t)gateway_start, (uint32_t)gateway_end, SAU_RLAR_NSC);
  give_memory(MPC_OF_SSRAM3, 0, NONSECURE_END - NONSECURE_START);
  give_ports(HOST_UART_PORT);
  SAU_CTRL = SAU_CTRL_ENABLE;
  // Non-secure interrupts have a lower priority than secure ones, and only the secure world can reset the
  // chip.
  AIRCR = AIRCR_VECTKEY | AIRCR_PRIS | AIRCR_SYSRESETREQS;
  VTOR_NS = NONSECURE_START;
  __asm__ volatile("msr msp_ns, %0\ndsb\nisb" ::"r"(REGISTER(NONSECURE_START)) : "memory");
  give_interrupt(HOST_UART_IRQ);
  give_interrupt(DOORBELL_IRQ);
  NVIC_ISER(DOORBELL_IRQ) = 1u << DOORBELL_IRQ % 32;
}
