// Includes the code that tools/image/boot2.ts generates from boot2.S.
  .section .boot2, "a"
  .incbin "boot2.bin"
