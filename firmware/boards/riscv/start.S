  .section .start, "ax", @progbits
  .global reset
reset:
  la sp, stack_top
  la t0, trap_or_interrupt
  csrw mtvec, t0
  la a0, data_in_flash
  la a1, data_start
  la a2, data_end
1:
  bgeu a1, a2, 2f
  lw t0, 0(a0)
  sw t0, 0(a1)
  addi a0, a0, 4
  addi a1, a1, 4
  j 1b
2:
  la a0, bss_start
  la a1, bss_end
3:
  bgeu a0, a1, 4f
  sw zero, 0(a0)
  addi a0, a0, 4
  j 3b
4:
  call main
5:
  j 5b
