.PHONY: system-deps fuzz fuzz-replay fuzz-control fuzz-keep constant-time constant-time-control coverage

NATIVE := @$(MAKE) --no-print-directory -j$(shell nproc) -f prove/native-build.mk
PROGRAMS := chromium clang-14 llvm-profdata-14 gcc valgrind wasm2c redis-server nginx wrk ip
PACKAGES := chromium clang-14 libclang-rt-14-dev llvm-14 gcc libc6-dev valgrind wabt libsodium-dev libssl-dev redis-server nginx wrk iproute2

system-deps:     ## install from Debian what `make prove`, `make qa` and `make bench` need, if it is not there; no service is started
	@which $(PROGRAMS) >/dev/null && \
	  test -e /usr/include/sodium.h -a -e /usr/include/openssl/evp.h || prove/install-packages.sh $(PACKAGES)

fuzz: build      ## search the shipped module for SECONDS=60, from the committed corpus on
	$(NATIVE) fuzz

fuzz-replay: build  ## run every session of the corpus and of the vectors once, under sanitizers
	$(NATIVE) fuzz-replay

fuzz-control: build  ## plant faults in copies of the firmware: the same sessions must find each
	$(NATIVE) fuzz-control

fuzz-keep: build  ## make the committed corpus anew from what the searches found
	$(NATIVE) fuzz-keep

coverage: build  ## say which functions of the module the corpus reaches, and how far
	$(NATIVE) coverage

constant-time: build  ## follow the seed through the shipped module with Memcheck, at four levels of two compilers
	$(NATIVE) constant-time

constant-time-control: build  ## plant leaks in copies of the cryptography: each must be reported
	$(NATIVE) constant-time-control
