// The second stage of the boot. The boot ROM copies these 256 bytes to SRAM, checks their CRC-32, and enters
// here with LR = 0. This code makes flash readable at 0x10000000 with command 03h, which every SPI flash has.
// Then it starts the image, which follows these bytes in flash.

  .syntax unified
  .cpu cortex-m0plus
  .thumb

  .equ XIP_SSI_CTRLR0, 0x18000000
  .equ CTRLR1, 0x04
  .equ SSIENR, 0x08
  .equ BAUDR, 0x14
  .equ XIP_SSI_SPI_CTRLR0, 0x180000F4
  .equ FRAMES_OF_32_BITS, 31 << 16
  .equ TMOD_EEPROM_READ, 3 << 8
  .equ READ_DATA, 0x03 << 24
  .equ INSTRUCTION_OF_8_BITS, 2 << 8
  .equ ADDRESS_OF_24_BITS, 6 << 2
  .equ CLOCK_DIVIDER, 4
  .equ VECTORS, 0x10000100
  .equ VTOR, 0xE000ED08

  .section .boot2, "ax"
  .global boot2
boot2:
  ldr r3, =XIP_SSI_CTRLR0
  movs r0, #0
  str r0, [r3, #SSIENR]           // disabled while it is configured
  movs r1, #CLOCK_DIVIDER
  str r1, [r3, #BAUDR]
  ldr r1, =(FRAMES_OF_32_BITS | TMOD_EEPROM_READ)
  str r1, [r3]
  str r0, [r3, #CTRLR1]           // one frame per read
  ldr r1, =(READ_DATA | INSTRUCTION_OF_8_BITS | ADDRESS_OF_24_BITS)
  ldr r2, =XIP_SSI_SPI_CTRLR0
  str r1, [r2]
  movs r1, #1
  str r1, [r3, #SSIENR]
  ldr r0, =VECTORS
  ldr r1, =VTOR
  str r0, [r1]
  ldmia r0!, {r1, r2}             // stack pointer, reset handler
  msr msp, r1
  bx r2
  .ltorg
