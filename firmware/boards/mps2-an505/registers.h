// Registers and bits with the names of the documents: ARM's V8-M architecture (DDI 0553), IoT Kit (ECM
// 0601256), CoreLink SIE-200 (DDI 0571), CMSDK (DDI 0479) and Application Note 505. Memories and peripherals
// with two addresses are secure at the address with bit 28 set.
#pragma once
#include "core.h"

// Core
#define NVIC_ITNS(interrupt) REGISTER(0xE000E380 + 4 * ((interrupt) / 32))
#define VTOR_NS REGISTER(0xE002ED08)
static const uint32_t AIRCR_PRIS = 1 << 14, AIRCR_SYSRESETREQS = 1 << 3;

// SAU
#define SAU_CTRL REGISTER(0xE000EDD0)
#define SAU_RNR REGISTER(0xE000EDD8)
#define SAU_RBAR REGISTER(0xE000EDDC)
#define SAU_RLAR REGISTER(0xE000EDE0)
enum { SAU_CTRL_ENABLE = 1 << 0, SAU_RLAR_ENABLE = 1 << 0, SAU_RLAR_NSC = 1 << 1, SAU_GRANULE = 32 };

// IoT Kit: the security controller, and the watchdog, which runs at 32 kHz
#define SECRESPCFG REGISTER(0x50080010)
#define NSCCFG REGISTER(0x50080014)
#define APBNSPPCEXP1 REGISTER(0x50080084)
enum { SECRESPCFG_BUS_ERROR = 1 << 0, NSCCFG_CODENSC = 1 << 0 };
#define WDOGLOAD REGISTER(0x5002E000)
#define WDOGCONTROL REGISTER(0x5002E008)
enum { WDOGCONTROL_INTEN = 1 << 0, WDOGCONTROL_RESEN = 1 << 1, S32K_KHZ = 32 };

// Memory protection controllers of SSRAM 1 to 3
enum { MPC_OF_SSRAM1 = 0x58007000, MPC_OF_SSRAM2 = 0x58008000, MPC_OF_SSRAM3 = 0x58009000 };
#define MPC_CTRL(mpc) REGISTER((mpc) + 0x00)
#define MPC_BLK_CFG(mpc) REGISTER((mpc) + 0x14)
#define MPC_BLK_IDX(mpc) REGISTER((mpc) + 0x18)
#define MPC_BLK_LUT(mpc) REGISTER((mpc) + 0x1C)
enum { MPC_CTRL_SEC_RESP = 1 << 4, MPC_BLK_CFG_SIZE = 0xF, MPC_SMALLEST_SHIFT = 5 };

// UARTs: UART 0 is for the host, in the non-secure world; UART 1 is for the panel, in the secure world
enum { HOST_UART = 0x40200000, PANEL_UART = 0x50201000, HOST_UART_PORT = 1 << 5 };
enum { HOST_UART_IRQ = 32, DOORBELL_IRQ = 33, PANEL_UART_IRQ = 34 };
#ifdef NONSECURE
enum { UART = HOST_UART, UART_IRQ = HOST_UART_IRQ };
#else
enum { UART = PANEL_UART, UART_IRQ = PANEL_UART_IRQ };
#endif
#define UART_DATA REGISTER(UART + 0x00)
#define UART_STATE REGISTER(UART + 0x04)
#define UART_CTRL REGISTER(UART + 0x08)
#define UART_INTCLEAR REGISTER(UART + 0x0C)
#define UART_BAUDDIV REGISTER(UART + 0x10)

enum { CLOCK_MHZ = 20, INTERRUPTS = 48 };
