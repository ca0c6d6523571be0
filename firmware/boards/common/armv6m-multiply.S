// The product of two 64-bit integers, modulo 2^64, for cores whose only multiplication is 32 x 32 to 32 bits.
// It replaces the function of libgcc, which branches on a carry, so that its time depends on secret operands.
//
// With a = a1 * 2^32 + a0 in r1:r0 and b = b1 * 2^32 + b0 in r3:r2:
//   a * b = a0 * b0 + 2^32 * (a1 * b0 + a0 * b1), where a0 * b0 is the sum of four products of halfwords.

  .syntax unified
  .cpu cortex-m0plus
  .thumb
  .section .text.__aeabi_lmul, "ax", %progbits
  .global __aeabi_lmul
  .global __muldi3
  .type __aeabi_lmul, %function
  .type __muldi3, %function

  .thumb_func
__aeabi_lmul:
  .thumb_func
__muldi3:
  push {r4, r5, lr}
  muls r1, r2            // r1 = a1 * b0
  muls r3, r0            // r3 = a0 * b1
  adds r1, r1, r3        // the high word, without the high word of a0 * b0
  lsrs r4, r0, #16       // r4 = high half of a0
  uxth r0, r0            // r0 = low half of a0
  lsrs r5, r2, #16       // r5 = high half of b0
  uxth r2, r2            // r2 = low half of b0
  movs r3, r0
  muls r3, r5            // r3 = low * high
  muls r5, r4            // r5 = high * high
  muls r4, r2            // r4 = high * low
  muls r0, r2            // r0 = low * low
  adds r1, r1, r5
  movs r2, #0
  adds r3, r3, r4        // low * high + high * low: 33 bits
  adcs r2, r2
  lsls r2, r2, #16
  adds r1, r1, r2
  lsrs r4, r3, #16
  adds r1, r1, r4
  lsls r3, r3, #16
  movs r2, #0
  adds r0, r0, r3
  adcs r1, r2
  pop {r4, r5, pc}
  .size __aeabi_lmul, . - __aeabi_lmul
