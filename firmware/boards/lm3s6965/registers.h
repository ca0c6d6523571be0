// Registers and bits with the names and addresses of the LM3S6965 datasheet. The headings are its chapters.
#pragma once
#include "core.h"

// 5 System control
#define RIS REGISTER(0x400FE050)
#define RCC REGISTER(0x400FE060)
#define RCGC0 REGISTER(0x400FE100)
#define RCGC1 REGISTER(0x400FE104)
#define RCGC2 REGISTER(0x400FE108)
enum {
  RIS_PLLLRIS = 1 << 6,
  RCC_MOSCDIS = 1 << 0,
  RCC_OSCSRC = 3 << 4,
  RCC_XTAL = 0xF << 6,
  RCC_XTAL_8_MHZ = 0xE << 6,
  RCC_BYPASS = 1 << 11,
  RCC_PWRDN = 1 << 13,
  RCC_USESYSDIV = 1 << 22,
  RCC_SYSDIV = 0xF << 23,
  RCC_SYSDIV_4 = 3 << 23,
  RCGC0_WDT = 1 << 3,
  RCGC1_UART0 = 1 << 0,
  RCGC1_SSI0 = 1 << 4,
  RCGC2_GPIOA = 1 << 0,
  RCGC2_GPIOC = 1 << 2,
  RCGC2_GPIOE = 1 << 4,
  RCGC2_GPIOF = 1 << 5,
};

// 7 Internal memory
#define FMA REGISTER(0x400FD000)
#define FMD REGISTER(0x400FD004)
#define FMC REGISTER(0x400FD008)
#define USECRL REGISTER(0x400FE140)
enum { FMC_WRITE = 1 << 0, FMC_ERASE = 1 << 1 };
static const uint32_t FMC_WRKEY = 0xA4420000;

// 8 GPIO
enum { GPIOA = 0x40004000, GPIOC = 0x40006000, GPIOE = 0x40024000, GPIOF = 0x40025000 };
// The address of an access contains a mask, which selects the pins.
#define GPIODATA(port, mask) REGISTER((port) + ((mask) << 2))
#define GPIODIR(port) REGISTER((port) + 0x400)
#define GPIOAFSEL(port) REGISTER((port) + 0x420)
#define GPIOPUR(port) REGISTER((port) + 0x510)
#define GPIODEN(port) REGISTER((port) + 0x51C)

// 10 Watchdog
#define WDTLOAD REGISTER(0x40000000)
#define WDTCTL REGISTER(0x40000008)
enum { WDTCTL_INTEN = 1 << 0, WDTCTL_RESEN = 1 << 1 };

// 12 UART
#define UARTDR REGISTER(0x4000C000)
#define UARTFR REGISTER(0x4000C018)
#define UARTIBRD REGISTER(0x4000C024)
#define UARTFBRD REGISTER(0x4000C028)
#define UARTLCRH REGISTER(0x4000C02C)
#define UARTCTL REGISTER(0x4000C030)
#define UARTIM REGISTER(0x4000C038)
#define UARTICR REGISTER(0x4000C044)
enum {
  UARTFR_RXFE = 1 << 4,
  UARTFR_TXFF = 1 << 5,
  UARTLCRH_FEN = 1 << 4,
  UARTLCRH_WLEN_8 = 3 << 5,
  UARTCTL_UARTEN = 1 << 0,
  UARTCTL_TXE = 1 << 8,
  UARTCTL_RXE = 1 << 9,
  UARTIM_RXIM = 1 << 4,
  UARTIM_RTIM = 1 << 6,
};

// 13 Synchronous serial interface
#define SSICR0 REGISTER(0x40008000)
#define SSICR1 REGISTER(0x40008004)
#define SSIDR REGISTER(0x40008008)
#define SSISR REGISTER(0x4000800C)
#define SSICPSR REGISTER(0x40008010)
enum {
  SSICR0_DSS_8 = 7 << 0,
  SSICR0_SPO = 1 << 6,
  SSICR1_SSE = 1 << 1,
  SSISR_RNE = 1 << 2,
};

enum { CLOCK_MHZ = 50, INTERRUPTS = 44, UART_IRQ = 5 };
