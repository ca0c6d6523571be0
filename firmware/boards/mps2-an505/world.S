// Includes the image of the non-secure world, which board.mk builds from nonsecure/.
  .section .rodata.nonsecure, "a"
  .balign 4
  .global nonsecure_image, nonsecure_image_end
nonsecure_image:
  .incbin "nonsecure.bin"
  .balign 4
nonsecure_image_end:
