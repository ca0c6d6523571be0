.PHONY: system-deps fuzz fuzz-replay fuzz-control fuzz-keep constant-time constant-time-control coverage

NATIVE := @$(MAKE) --no-print-directory -j$(shell nproc) -f prove/native-build.mk
PROGRAMS := qemu-system-x86_64 udevadm usbip lsusb depmod chromium firefox-esr clang-14 llvm-profdata-14 gcc valgrind wasm2c redis-server nginx caddy haproxy promtool systemd-analyze wrk ip \
  arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32 setpriv zsh fish python3 z3
PACKAGES := qemu-system-x86 xz-utils udev usbip usbutils kmod chromium firefox-esr clang-14 libclang-rt-14-dev llvm-14 gcc libc6-dev valgrind wabt libsodium-dev libssl-dev \
  redis-server nginx caddy haproxy prometheus systemd wrk iproute2 gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf \
  qemu-system-arm qemu-system-misc util-linux zsh fish python3 z3

system-deps:     ## install what `make test-usb`, `make prove`, `make qa`, `make image` and `make bench` need from Debian, if missing; starts no service
	@which $(PROGRAMS) >/dev/null && \
	  test -e /usr/include/newlib/string.h -a -e /usr/lib/picolibc/riscv64-unknown-elf/lib/libc.a -a -e /usr/include/sodium.h -a -e /usr/include/openssl/evp.h || prove/install-packages.sh $(PACKAGES)

fuzz: build      ## fuzz the shipped module for SECONDS=60, starting from the committed corpus
	$(NATIVE) fuzz

fuzz-replay: build  ## run every session of the corpus and the vectors once, under sanitizers
	$(NATIVE) fuzz-replay

fuzz-control: build  ## mutate copies of the firmware: the same sessions must find each fault
	$(NATIVE) fuzz-control

fuzz-keep: build  ## rebuild the committed corpus from what the searches found
	$(NATIVE) fuzz-keep

coverage: build  ## report which functions of the module the corpus reaches, and how far
	$(NATIVE) coverage

constant-time: build  ## track the seed through the shipped module with Memcheck, at four levels of two compilers
	$(NATIVE) constant-time

constant-time-control: build  ## add leaks to copies of the cryptography: each must be reported
	$(NATIVE) constant-time-control
