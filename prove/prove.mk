# The proofs. `make prove` runs this file from the root of a built repository; its output is in dist/native. ONLY can
# name every target with a description, such as make prove ONLY='explore fuzz' SECONDS=600.
.SECONDARY:
.DELETE_ON_ERROR:

SECONDS ?= 20
CLANG   ?= clang-14
OUT     := dist/native
# Short-lived objects need less collecting in a large young generation, as in tools/test.mjs.
RUN     := node --max-semi-space-size=64 --single-threaded-gc dist/prove

# The longest proofs come first, so that no processor is idle at the end. For a release, the proofs that are shortened
# here run in full: docs/RELEASES.md#signing-a-release.
SHORT := explore native symbolic-control single-faults-control explore-control read-back-control single-faults keystore-faults keystore-faults-control \
  keystore-explore keystore-explore-control keystore-input keystore-input-control keystore-entries keystore-noise keystore-traces keystore-power \
  keystore-planted symbolic arithmetic fuzz constant-time traps hashes signed described theorem theorem-control amounts pages fuzz-replay fuzz-control \
  constant-time-control read-back power-cuts board-c board-c-control native-control native-taint native-taint-control

.PHONY: all list fuzz-keep all-cases proof-tests planted-faults keystore single-faults-long power-cuts-control $(SHORT)

all:             ## run every proof in its short form, and the tests of the proofs
	@$(MAKE) --no-print-directory -f prove/prove.mk --output-sync=target $(SHORT)
	@$(MAKE) --no-print-directory -f prove/prove.mk --output-sync=target proof-tests planted-faults

proof-tests:
	@npm test --silent -- --config test/prove/jest.json

list:            ## show this list
	@grep -hE '^[a-z-]+: .*##' prove/prove.mk | sed -E 's/: .*##/\t/'

# The module that ships, with names, as C.

$(OUT)/signer.wasm: dist/firmware/zbc-signer.wasm dist/prove/device/build-named.js
	@mkdir -p $(OUT)
	$(RUN)/device/build-named.js dist/firmware/zbc-signer.wasm $(OUT)/signer.wasm

%/signer.c: %/signer.wasm
	@wasm2c $< -n signer -o $@

%/tainted.c: %/signer.c dist/prove/constant-time/declassify.js
	@$(RUN)/constant-time/declassify.js $< $@

# The harness: with sanitizers for the fuzzer, plain for Memcheck and for mutation testing.

SOURCES  := $(filter-out prove/fuzz/fuzz-target.c prove/fuzz/replay.c,$(wildcard prove/fuzz/*.c prove/fuzz/*/*.c)) $(wildcard prove/device/*.c)
HEADERS  := $(wildcard prove/fuzz/*.h prove/fuzz/*/*.h prove/device/*.h prove/constant-time/*.h) $(OUT)/networks.h $(OUT)/test-seed.h
WARN     := -Wall -Wextra -std=gnu11
INCLUDE  := -I$(OUT) -Iprove/device -Iprove/fuzz -Iprove/constant-time
LIBS     := -lsodium -lcrypto
SANITIZE := -O2 -g -DGUARDED -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# The translated module's memory is guarded by its pages (prove/device/memory.c) where it checks no bounds itself.
GUARDED_BY_PAGES := -DWASM_RT_MEMCHECK_SIGNAL_HANDLER=1
CHECKS_BOUNDS    := -DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0
SANITIZED := $(SOURCES:%.c=$(OUT)/sanitized/%.o)
PLAIN     := $(SOURCES:%.c=$(OUT)/plain/%.o)

$(OUT)/sanitized/%.o: %.c $(HEADERS) $(OUT)/signer.c
	@mkdir -p $(dir $@)
	@$(CLANG) $(SANITIZE) $(WARN) $(INCLUDE) $(GUARDED_BY_PAGES) -c -o $@ $<

$(OUT)/plain/%.o: %.c $(HEADERS) $(OUT)/signer.c
	@mkdir -p $(dir $@)
	@gcc -O2 -g $(WARN) $(INCLUDE) $(CHECKS_BOUNDS) -c -o $@ $<

$(OUT)/networks.h $(OUT)/test-seed.h &: firmware/networks.json dist/prove/fuzz/harness-data.js
	@mkdir -p $(OUT)
	@$(RUN)/fuzz/harness-data.js $(OUT)

$(OUT)/seeds.bin $(OUT)/vectors.bin &: $(wildcard vectors/*.json) dist/prove/fuzz/session/seeds.js
	@mkdir -p $(OUT)
	@$(RUN)/fuzz/session/seeds.js $(OUT)/seeds.bin $(OUT)/vectors.bin

# Fuzzing.

ARCHIVES := prove/fuzz/session/corpus.bin $(OUT)/seeds.bin
FUZZING  := -max_len=6000 -len_control=0 -timeout=10 -rss_limit_mb=2048 -entropic_scale_per_exec_time=1 \
  -artifact_prefix=$(OUT)/crashes/ -verbosity=0
FUZZ_FAULTS := key-left scratch-left
# Reads outside the firmware's memory whose values change no reply and no screen.
SANITIZER_FAULTS := null-read-after-refusal read-before-bound

fuzz: $(OUT)/fuzz $(OUT)/seeds.bin  ## search for SECONDS=20 with sanitizers, beginning with the committed corpus; crashes are kept in dist/native/crashes
	@mkdir -p $(OUT)/corpus $(OUT)/crashes
	@$(RUN)/fuzz/session/corpus.js unpack prove/fuzz/session/corpus.bin $(OUT)/seeds.bin $(OUT)/corpus
	@$(OUT)/fuzz $(FUZZING) -max_total_time=$(SECONDS) $(OUT)/corpus >$(OUT)/fuzz.log 2>&1 || \
	  { grep -aE 'FINDING|ERROR|Test unit' $(OUT)/fuzz.log; exit 1; }
	@tail -2 $(OUT)/fuzz.log

fuzz-keep: $(OUT)/fuzz  ## rebuild the committed corpus, minimised, from the findings of the searches
	@rm -rf $(OUT)/minimised && mkdir -p $(OUT)/minimised
	$(OUT)/fuzz -merge=1 -max_len=6000 $(OUT)/minimised $(OUT)/corpus
	$(RUN)/fuzz/session/corpus.js pack $(OUT)/minimised prove/fuzz/session/corpus.bin

fuzz-replay: $(OUT)/replay $(ARCHIVES)  ## run every session of the corpus and of the vectors once, under sanitizers
	$(OUT)/replay $(ARCHIVES)

fuzz-control: $(FUZZ_FAULTS:%=control-%) $(SANITIZER_FAULTS:%=sanitized-%)  ## mutate copies of the firmware: the same sessions must find each fault

control-%: $(OUT)/faults/%/replay $(ARCHIVES)
	@if $< $(ARCHIVES) >$(OUT)/faults/$*/log 2>&1; then echo "the planted fault was not found: $*"; exit 1; fi
	@printf '%-22s' "$*:"; grep FINDING $(OUT)/faults/$*/log | cut -c-120

sanitized-%: $(OUT)/faults/%/sanitized $(OUT)/faults/%/replay $(ARCHIVES)
	@$(OUT)/faults/$*/replay $(ARCHIVES) >$(OUT)/faults/$*/log 2>&1 || { echo "the planted fault was found without a sanitizer: $*"; exit 1; }
	@if $< $(ARCHIVES) >$(OUT)/faults/$*/log 2>&1; then echo "the planted fault was not found: $*"; exit 1; fi
	@printf '%-22s' "$*:"; grep -a ERROR: $(OUT)/faults/$*/log | cut -c-120

$(OUT)/fuzz: $(SANITIZED) $(OUT)/sanitized/prove/fuzz/fuzz-target.o $(OUT)/sanitized/signer-covered.o
	@$(CLANG) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(OUT)/replay: $(SANITIZED) $(OUT)/sanitized/prove/fuzz/replay.o $(OUT)/sanitized/signer.o
	@$(CLANG) $(SANITIZE) -o $@ $^ $(LIBS)

$(OUT)/sanitized/signer-covered.o: $(OUT)/signer.c prove/fuzz/uncovered.txt
	@mkdir -p $(dir $@)
	$(CLANG) $(SANITIZE) $(GUARDED_BY_PAGES) -w -fsanitize=fuzzer-no-link -fsanitize-coverage-ignorelist=prove/fuzz/uncovered.txt -c -o $@ $<

$(OUT)/sanitized/signer.o: $(OUT)/signer.c
	@mkdir -p $(dir $@)
	$(CLANG) $(SANITIZE) $(GUARDED_BY_PAGES) -w -c -o $@ $<

$(OUT)/faults/%/replay: $(OUT)/faults/%/signer.c $(PLAIN) $(OUT)/plain/prove/fuzz/replay.o
	@gcc -O1 -w $(CHECKS_BOUNDS) $(INCLUDE) -o $@ $^ $(LIBS)

$(OUT)/faults/%/sanitized: $(OUT)/faults/%/signer.c $(SANITIZED) $(OUT)/sanitized/prove/fuzz/replay.o
	@$(CLANG) $(SANITIZE) $(GUARDED_BY_PAGES) -w $(INCLUDE) -o $@ $^ $(LIBS)

# Constant time: the same sessions under Memcheck with a seed that is marked undefined.

TAINT    := $(filter-out %/prove/fuzz/secrets/residue.o,$(PLAIN)) $(patsubst %.c,$(OUT)/plain/%.o,$(wildcard prove/constant-time/*.c))
BUILDS   := gcc-O2 gcc-Os $(CLANG)-O2 $(CLANG)-Os
MEMCHECK := valgrind --quiet --error-limit=no
CONSTANT_TIME_FAULTS := secret-index secret-branch secret-select key-left scratch-left nonce-left proof-compared-early

constant-time: $(BUILDS:%=memcheck-%)  ## track the seed through the shipped module with Memcheck, at two levels of two compilers

memcheck-%: $(OUT)/constant-time/% $(OUT)/vectors.bin
	@result=$$($(MEMCHECK) $< $(OUT)/vectors.bin); status=$$?; printf '%-14s%s\n' '$*:' "$$result"; exit $$status

constant-time-control: $(CONSTANT_TIME_FAULTS:%=taint-%)  ## mutate copies of the cryptography: each leak must be reported

taint-%: $(OUT)/faults/%/tainted $(OUT)/vectors.bin
	@if $(MEMCHECK) $< $(OUT)/vectors.bin >$(OUT)/faults/$*/log 2>$(OUT)/faults/$*/reports; then echo "the planted fault was not found: $*"; exit 1; fi
	@printf '%-22s' "$*:"; grep reports $(OUT)/faults/$*/log

$(OUT)/constant-time/gcc-%: $(OUT)/tainted.c $(TAINT)
	@mkdir -p $(dir $@)
	@gcc -$* -g -w $(CHECKS_BOUNDS) $(INCLUDE) -o $@ $^ $(LIBS)

$(OUT)/constant-time/$(CLANG)-%: $(OUT)/tainted.c $(TAINT)
	@mkdir -p $(dir $@)
	@$(CLANG) -$* -gdwarf-4 -w $(CHECKS_BOUNDS) $(INCLUDE) -o $@ $^ $(LIBS)

$(OUT)/faults/%/tainted: $(OUT)/faults/%/tainted.c $(TAINT)
	@gcc -O2 -g -w $(CHECKS_BOUNDS) $(INCLUDE) -o $@ $^ $(LIBS)

# The recipes of the proofs and controls below that have none.

PROOFS   := arithmetic symbolic amounts hashes signed described theorem pages board-c
REFUTED  := explore single-faults symbolic theorem read-back power-cuts board-c
KEYSTORE := explore entries noise power traces

$(PROOFS):
	@$(RUN)/$@/main.js

$(REFUTED:%=%-control): %-control:
	@$(RUN)/$*/main.js --control $^

$(KEYSTORE:%=keystore-%): keystore-%:
	@$(RUN)/keystore/$*.js $^

$(KEYSTORE:%=keystore-%-control): keystore-%-control:
	@$(RUN)/keystore/$*.js --control $^

# Proofs that read the module itself.

arithmetic: $(OUT)/signer.wasm  ## prove field, scalar and point functions of the shipped module for all inputs; planted faults must be refuted

READ_BACK_FAULTS := skipped-page skipped-item cut-value line-feed-unmarked edge-space-unmarked binary-like-text \
  amount-rounded sum-of-64-bits leap-day-wrong details-stay-hidden names-alike

read-back-control: $(READ_BACK_FAULTS:%=$(OUT)/faults/%/signer.wasm)  ## mutate copies of the firmware: reading back must find each fault

EXPLORE_FAULTS := approve-on-any-page approve-on-right skipped-page busy-changes-upload chunk-over-the-end \
  upload-survives setting-not-judged-again other-seed-signs cancel-keeps-upload details-stay-hidden \
  far-index-hidden locked-header-taken skipped-item other-bytes-signed refusal-blames-elsewhere chunk-from-elsewhere \
  reveal-from-elsewhere reveal-after-another-n nonce-of-stored-commitment

explore: $(OUT)/signer.wasm  ## try every event in every state of the shipped module with one changed setting, until no state is new, and compare with a model; EXPLORE=--all: with settings in all combinations
	@$(RUN)/explore/main.js $(EXPLORE)

explore-control: $(EXPLORE_FAULTS:%=$(OUT)/faults/%/signer.wasm)  ## mutate copies of the firmware: the exploration must find each fault

SINGLE_FAULTS_FAULTS := state-unsealed digest-not-compared signature-not-verified page-drawn-once nonce-made-once \
  transaction-hash-made-once address-formed-once proof-judged-once proof-made-once account-measured-once \
  nonce-of-stored-commitment tweaked-nonce-made-once tag-in-memory table-not-summed

%/asking.wasm: %/signer.wasm dist/prove/single-faults/instrument.js
	@$(RUN)/single-faults/instrument.js $< $@

single-faults: $(OUT)/asking.wasm  ## flip every bit of the state between events, and invert every conditional branch, in every kind of review
	@$(RUN)/single-faults/main.js $<

single-faults-long: $(OUT)/asking.wasm  ## invert every branch at every execution, and flip a bit of every other byte before each event
	@$(RUN)/single-faults/main.js --long $<

single-faults-control: $(SINGLE_FAULTS_FAULTS:%=$(OUT)/faults/%/asking.wasm)  ## remove checks from copies of the firmware: a single fault must do harm in each

# The shipped image, and images whose modules lack a check.
PICO_IMAGE := $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=pico
# An image with a planted fault may be larger than the limit of the flash, which `all` of build.mk checks.
FAULTY_IMAGE = $(PICO_IMAGE) OUT=$(1) $(addprefix $(1)/zbc-signer.,uf2 sym)

dist/boards/pico/zbc-signer.sym: dist/firmware/zbc-signer.wasm dist/firmware/zbc-keystore.wasm
	@$(PICO_IMAGE) >/dev/null

# The keystore is the shipped one, compiled once.
$(OUT)/faults/%/pico/zbc-signer.sym: $(OUT)/faults/%/signer.wasm dist/boards/pico/zbc-signer.sym
	@wasm-strip $< -o $(OUT)/faults/$*/shipped.wasm
	@mkdir -p $(@D) && cp -p $(addprefix dist/boards/pico/,wasm-rt.h keystore.c keystore.h keystore.ci keystore.o) $(@D)
	@$(call FAULTY_IMAGE,$(@D)) MODULE=$(OUT)/faults/$*/shipped.wasm >/dev/null

# Images whose keystores, or whose own C, lack a check; everything else is the shipped image's.
KEYSTORE_NATIVE_FAULTS := keystore-word-judged-once keystore-forgotten-unread
C_NATIVE_FAULTS := packet-unread dark-press-counted frame-uncounted

$(KEYSTORE_NATIVE_FAULTS:%=$(OUT)/faults/%/pico/zbc-signer.sym): $(OUT)/faults/%/pico/zbc-signer.sym: $(OUT)/faults/%/keystore.wasm dist/boards/pico/zbc-signer.sym
	@wasm-strip $< -o $(OUT)/faults/$*/shipped.wasm
	@mkdir -p $(@D) && cp -p $(addprefix dist/boards/pico/,wasm-rt.h signer.c signer.h signer.ci signer.o) $(@D)
	@$(call FAULTY_IMAGE,$(@D)) KEYSTORE_MODULE=$(OUT)/faults/$*/shipped.wasm >/dev/null

$(C_NATIVE_FAULTS:%=$(OUT)/faults/%/pico/zbc-signer.sym): $(OUT)/faults/%/pico/zbc-signer.sym: dist/boards/pico/zbc-signer.sym dist/prove/device/faults.js
	@$(RUN)/device/build-named.js --sources $*
	@rm -rf $(@D) && cp -pr dist/boards/pico $(@D) && rm $(@D)/zbc-signer.*
	@$(call FAULTY_IMAGE,$(@D)) SOURCE=$(OUT)/faults/$*/firmware/boards >/dev/null

TAINT_MODULES := $(OUT)/signer.wasm $(OUT)/keystore.wasm

native: $(TAINT_MODULES) dist/boards/pico/zbc-signer.sym  ## skip every instruction of a Pico's image once, and invert every branch, in sessions that must not sign, open or send anything; NATIVE=--all: every press, and all code
	@$(RUN)/native/main.js $(TAINT_MODULES) $(NATIVE)

NATIVE_FAULTS := approval-unconfirmed refusal-not-read report-written-once clearing-unmarked \
  pages-counted-once
KIND_OF_NATIVE = $(if $(filter $(1),$(NATIVE_FAULTS)),presses,$(if $(filter $(1),$(KEYSTORE_NATIVE_FAULTS)),gates,$(if $(filter $(1),packet-unread),control,frames)))

native-control: $(addprefix skip-,$(NATIVE_FAULTS) $(KEYSTORE_NATIVE_FAULTS) $(C_NATIVE_FAULTS))  ## do the same with images that lack a check: a fault must do harm in each

skip-%: $(TAINT_MODULES) $(OUT)/faults/%/pico/zbc-signer.sym
	@ZBC_BOARD_IMAGE=$(OUT)/faults/$*/pico $(RUN)/native/main.js --control $(call KIND_OF_NATIVE,$*) \
	  $(firstword $(wildcard $(OUT)/faults/$*/signer.wasm) $(OUT)/signer.wasm) $(firstword $(wildcard $(OUT)/faults/$*/keystore.wasm) $(OUT)/keystore.wasm)

native-taint: $(TAINT_MODULES) dist/boards/pico/zbc-signer.sym  ## follow the seed through every instruction of a Pico's image, to signatures; NATIVE=--all: from its words on
	@$(RUN)/native/taint/main.js $(TAINT_MODULES) $(NATIVE)

native-taint-control: leak-secret-index leak-secret-branch leak-multiplication  ## do the same with images with a secret index, a secret branch and libgcc's multiplication: each must be found

leak-secret-%: $(OUT)/faults/secret-%/signer.wasm $(OUT)/faults/secret-%/pico/zbc-signer.sym $(OUT)/keystore.wasm
	@ZBC_BOARD_IMAGE=$(OUT)/faults/secret-$*/pico $(RUN)/native/taint/main.js --control secret-$* $< $(OUT)/keystore.wasm

leak-multiplication: $(TAINT_MODULES) dist/boards/pico/zbc-signer.sym
	@rm -rf $(OUT)/faults/multiplication && mkdir -p $(OUT)/faults && cp -pr dist/boards/pico $(OUT)/faults/multiplication
	@rm $(OUT)/faults/multiplication/zbc-signer.*
	@$(call FAULTY_IMAGE,$(OUT)/faults/multiplication) OBJECTS_OF_BOARD=boot2-image.o >/dev/null
	@ZBC_BOARD_IMAGE=$(OUT)/faults/multiplication $(RUN)/native/taint/main.js --control multiplication $(TAINT_MODULES)

KEYSTORE_FAULTS := keystore-source-skipped keystore-option-lost keystore-gate-of-12-words keystore-face-1-not-kept \
  keystore-zeros-taken keystore-fallback-generator keystore-noise-tested-once keystore-sources-hashed-once \
  keystore-rounds-uncounted keystore-unlocked-unchecked

$(OUT)/keystore.wasm: dist/firmware/zbc-keystore.wasm dist/prove/device/build-named.js
	@mkdir -p $(OUT)
	@$(RUN)/device/build-named.js $< $@ keystore

%/keystore-asking.wasm: %/keystore.wasm dist/prove/single-faults/instrument.js
	@$(RUN)/single-faults/instrument.js $< $@

keystore: keystore-faults keystore-explore keystore-input keystore-entries keystore-noise keystore-traces keystore-power  ## run all proofs of the keystore, without their controls

keystore-faults: $(OUT)/keystore-asking.wasm  ## invert every conditional branch of the keystore, and flip bits of its state, in new seeds, a restore and unlocks
	@$(RUN)/single-faults/main.js $<

keystore-faults-control: $(KEYSTORE_FAULTS:%=$(OUT)/faults/%/keystore-asking.wasm)  ## remove checks from copies of the keystore, and add published bugs: each must be found
	@$(RUN)/single-faults/main.js --control $^

keystore-explore: $(OUT)/keystore.wasm  ## try every press in every state of the keystore, on three boards, until no state is new, and compare with a model

keystore-input: $(OUT)/keystore.wasm  ## follow sources, events, words and passphrase through the keystore, with all bytes symbolic
	@$(RUN)/keystore/any-input.js $<

keystore-entries: $(OUT)/keystore.wasm  ## show and enter each word at each place, and each character of a passphrase, by pixels

keystore-noise: $(OUT)/keystore.wasm  ## let the noise source fail at each piece, give bytes that must not pass, and flip each of its bits

keystore-traces: $(OUT)/signer.wasm $(OUT)/keystore.wasm  ## compare the platform calls and the memory of both modules for different seeds

keystore-power: $(OUT)/keystore.wasm  ## cut the power at each call of the vault, or let the call fail: at most ten attempts are possible between two right PINs

KEYSTORE_INPUT_FAULTS := keystore-source-skipped keystore-gate-of-12-words keystore-face-1-not-kept keystore-passphrase-cut \
  keystore-record-to-its-zero
KEYSTORE_EXPLORE_FAULTS := keystore-unlock-shows-words keystore-seed-in-front keystore-index-left keystore-key-pad-not-cleared \
  keystore-no-giving-up keystore-computation-outlives-idle keystore-failed-vault-taken-for-empty
KEYSTORE_ENTRIES_FAULTS := keystore-short-words keystore-two-words-alike
KEYSTORE_NOISE_FAULTS := keystore-zeros-taken keystore-fallback-generator keystore-silent-source-awaited
KEYSTORE_POWER_FAULTS := keystore-stretch-unnoticed keystore-count-not-read-back keystore-tag-half-compared \
  keystore-old-proof-lost
KEYSTORE_TRACES_FAULTS := keystore-seed-left keystore-stored-in-plain
SIGNER_TRACES_FAULTS := account-left

keystore-input-control: $(KEYSTORE_INPUT_FAULTS:%=$(OUT)/faults/%/keystore.wasm)  ## put bugs into copies of the keystore: runs on symbolic bytes must refute each
	@$(RUN)/keystore/any-input.js --control $^

keystore-explore-control: $(KEYSTORE_EXPLORE_FAULTS:%=$(OUT)/faults/%/keystore.wasm)  ## do the same for the exploration

keystore-planted: keystore-entries-control keystore-noise-control keystore-power-control keystore-traces-control  ## do the same for entries, noise, power and traces

keystore-entries-control: $(KEYSTORE_ENTRIES_FAULTS:%=$(OUT)/faults/%/keystore.wasm)

keystore-noise-control: $(KEYSTORE_NOISE_FAULTS:%=$(OUT)/faults/%/keystore.wasm)

keystore-power-control: $(KEYSTORE_POWER_FAULTS:%=$(OUT)/faults/%/keystore.wasm)

keystore-traces-control: $(SIGNER_TRACES_FAULTS:%=$(OUT)/faults/%/signer.wasm) $(KEYSTORE_TRACES_FAULTS:%=$(OUT)/faults/%/keystore.wasm)

SYMBOLIC_FAULTS := bound-one-too-far trailing-bytes-taken version-ignored flag-of-many-values kind-beyond-table \
  approver-unchecked linked-tail-taken instruction-too-long multi-party-ignored cut-value skipped-page

symbolic: $(OUT)/signer.wasm  ## follow parser and paginator along every path, with all bytes and lengths symbolic (z3)

symbolic-control: $(SYMBOLIC_FAULTS:%=$(OUT)/faults/%/signer.wasm)  ## mutate copies of the firmware: the symbolic proofs must find each fault

amounts: $(OUT)/signer.wasm  ## compare the amounts that the module writes with the correct ones, for all of 64 bits and all decimals

hashes: $(OUT)/signer.wasm $(OUT)/keystore.wasm  ## compare hash functions and key derivation with the standards, for all inputs; planted faults must be refuted

signed: $(OUT)/signer.wasm  ## follow the hashed and signed bytes as terms, for all accounts, lengths and bytes; planted faults must be refuted (z3)

described: $(OUT)/signer.wasm  ## compare the items of all transactions in all settings with a table of their sources (z3)

THEOREM_FAULTS := glyphs-alike

theorem: $(OUT)/signer.wasm  ## derive that the pages of a review determine the transaction (docs/THEOREM.md)

theorem-control: $(THEOREM_FAULTS:%=$(OUT)/faults/%/signer.wasm)  ## mutate copies of the firmware: each fault must break a premise

traps: $(OUT)/signer.wasm  ## list the instructions of the module that can trap, and how deep its calls go; fail if a function can call itself
	@$(RUN)/traps.js

pages: $(OUT)/signer.wasm  ## compare pages, hexadecimal and addresses from the module with the correct ones; planted faults must be refuted

read-back:       ## read vectors, a fifth of their neighbours and 10,000 random transactions back from the pixels of their reviews; READ_BACK=--all: all neighbours, and 100,000
	@$(RUN)/read-back/main.js $(READ_BACK)

# Modules with planted faults. The modules of one list are compiled in one process, except those that an earlier list
# already has.

define compile-faults
$(patsubst %,$(OUT)/faults/%/$(1).wasm,$(filter-out $(COMPILED),$(3))) &: dist/firmware/zbc-$(1).wasm dist/prove/device/build-named.js dist/prove/device/faults.js
	@$(RUN)/device/build-named.js --faults $(1).wasm $(2) $(filter-out $(COMPILED),$(3))
COMPILED += $(3)
endef

COMPILED :=
$(foreach list,FUZZ SANITIZER READ_BACK EXPLORE SINGLE_FAULTS SYMBOLIC THEOREM,$(eval $(call compile-faults,signer,release,$($(list)_FAULTS))))
$(eval $(call compile-faults,signer,release,$(CONSTANT_TIME_FAULTS) $(NATIVE_FAULTS) $(SIGNER_TRACES_FAULTS)))
$(eval $(call compile-faults,keystore,keystore,$(sort $(KEYSTORE_FAULTS) $(KEYSTORE_INPUT_FAULTS) $(KEYSTORE_EXPLORE_FAULTS) \
  $(KEYSTORE_ENTRIES_FAULTS) $(KEYSTORE_NATIVE_FAULTS) $(KEYSTORE_NOISE_FAULTS) $(KEYSTORE_POWER_FAULTS) $(KEYSTORE_TRACES_FAULTS))))

# Mutation testing, and tests with all of their cases.

ALL_CASES_TESTS := test/emulator/conformance/faults.test.ts test/firmware/crypto test/firmware/random-transactions.test.ts test/devnet/archival/equality.test.ts \
  test/host/device/session test/host/flow test/gateway/proxy/schedules.test.ts test/gateway/survival test/gateway/limits/one-client.test.ts test/wallet \
  test/cli/hostile.test.ts test/journeys/killed-payments.test.ts

all-cases:       ## run the tests that have many cases, and those of the proofs, with all cases instead of one in ten
	@ALL_CASES=1 npm test --silent -- $(ALL_CASES_TESTS)
	@ALL_CASES=1 npm test --silent -- --config test/prove/jest.json

SHARE ?= 80

planted-faults:  ## mutation-test one in 80 of the listed faults; SHARE=1: all
	@$(RUN)/planted-faults/main.js --share $(SHARE)

# Power cuts of the loader, and the C that boards share.

DEPTH ?= 1

power-cuts:      ## cut the power at every flash operation of the loader of a Pico, DEPTH=1 cuts in a row
	@$(RUN)/power-cuts/main.js --depth $(DEPTH)

power-cuts-control:  ## plant faults in the loader: a cut must find each

board-c:         ## analyse with Frama-C the C that boards share: no events, modules or flash cause a run-time error

board-c-control:  ## plant faults in copies of that C: each must raise an alarm
