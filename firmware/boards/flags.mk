# The parts of a board's image, and the options that compile and link its C. It is included after the
# board.mk.

$(foreach program,$(CROSS)gcc wasm2c,$(if $(shell command -v $(program) 2>/dev/null),,$(error $(program) is missing; \
  make system-deps installs it)))

BOARD_DIRECTORIES := $(addprefix $(SOURCE)/,common $(PARTS) $(BOARD))
BOARD_C_FILES := $(wildcard $(addsuffix /*.c,$(BOARD_DIRECTORIES)))
BOARD_OBJECTS := $(patsubst %.c,$(OUT)/%.o,$(notdir $(BOARD_C_FILES))) $(addprefix $(OUT)/,signer.o keystore.o $(OBJECTS_OF_BOARD))

# The build of the modules fails if they need more (tools/build/build-firmware.ts).
MODULE_MEMORY_BYTES := 24576
KEYSTORE_MEMORY_BYTES := 16384
MODULE_REACH_BYTES  := 256

WARN    := -Wall -Wextra -Wstack-usage=1024 -Werror
CFLAGS  := $(CPU) -O2 $(CFLAGS_OF_BOARD) -g -std=gnu11 -ffreestanding -fno-partial-inlining -ffunction-sections -fdata-sections \
  -fno-common -fcallgraph-info=su -DNDEBUG -DLINKS=$(LINKS) -DMODULE_MEMORY_BYTES=$(MODULE_MEMORY_BYTES) \
  -DKEYSTORE_MEMORY_BYTES=$(KEYSTORE_MEMORY_BYTES) -DMODULE_REACH_BYTES=$(MODULE_REACH_BYTES) -DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0
LDFLAGS := $(CPU) -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings -L$(SOURCE)/$(BOARD)
