// The machine `virt` of QEMU 7.2 with one RV32 hart. Registers have the names of the documents: the RISC-V
// privileged architecture, SiFive's CLINT and PLIC, National's 16550, and Intel's flash interface.
#pragma once
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define BYTE_REGISTER(address) (*(volatile uint8_t *)(uintptr_t)(address))

// SiFive test finisher: resets the machine.
#define TEST_FINISHER REGISTER(0x00100000)
enum { FINISHER_RESET = 0x7777 };

// CLINT
#define MTIMECMP_LOW REGISTER(0x02004000)
#define MTIMECMP_HIGH REGISTER(0x02004004)
#define MTIME_LOW REGISTER(0x0200BFF8)
#define MTIME_HIGH REGISTER(0x0200BFFC)
enum { MTIME_MHZ = 10 };

// PLIC, context 0: machine mode of hart 0
#define PLIC_PRIORITY(source) REGISTER(0x0C000000 + 4 * (source))
#define PLIC_ENABLE REGISTER(0x0C002000)
#define PLIC_THRESHOLD REGISTER(0x0C200000)
#define PLIC_CLAIM REGISTER(0x0C200004)
enum { UART_SOURCE = 10 };

// UART
#define UART_DATA BYTE_REGISTER(0x10000000)
#define UART_IER BYTE_REGISTER(0x10000001)
#define UART_FCR BYTE_REGISTER(0x10000002)
#define UART_LCR BYTE_REGISTER(0x10000003)
#define UART_LSR BYTE_REGISTER(0x10000005)
enum { IER_RECEIVED = 1 << 0, FCR_ENABLE = 1 << 0, LCR_8_BITS = 3, LSR_DATA_READY = 1 << 0, LSR_THR_EMPTY = 1 << 5 };

// CSRs
enum { MSTATUS_MIE = 1 << 3, MIE_MTIE = 1 << 7, MIE_MEIE = 1 << 11 };
static const uint32_t MCAUSE_TIMER = 0x80000007, MCAUSE_EXTERNAL = 0x8000000B;
#define CSR_SET(name, bits) __asm__ volatile("csrs " #name ", %0" ::"r"(bits) : "memory")
#define CSR_CLEAR(name, bits) __asm__ volatile("csrc " #name ", %0" ::"r"(bits) : "memory")
#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value) : "memory")
#define CSR_READ(name, value) __asm__ volatile("csrr %0, " #name : "=r"(value))
