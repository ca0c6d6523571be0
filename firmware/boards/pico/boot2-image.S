// What tools/image/boot2.ts made of boot2.S.
  .section .boot2, "a"
  .incbin "boot2.bin"
