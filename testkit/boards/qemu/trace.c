// A plugin for QEMU 7.2. For each call of a function at start=ADDRESS, it counts the instructions, and hashes
// the addresses of all instructions, loads and stores. Equal hashes mean the same path through code and
// memory.
//
// After each call, it writes a line to out=FILE with the function, the count and the hash. Before that, it
// writes a line of the same form for each store to the `length` bytes at `watch`.
//
// The file end=FILE contains the return address of the call in hex. The plugin cannot read it at the first
// instruction, because an interrupt may occur between the call and that instruction.
//
// Debian does not ship QEMU's header, so its declarations are repeated here.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { API_VERSION = 1, NO_REGISTERS = 0, READ_AND_WRITE = 3, FUNCTIONS = 4 };
typedef struct qemu_plugin_tb block_t;
typedef struct qemu_plugin_insn instruction_t;
typedef void (*block_callback_t)(uint64_t, block_t *);
typedef void (*execute_callback_t)(unsigned, void *);
typedef void (*memory_callback_t)(unsigned, uint32_t, uint64_t, void *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, block_callback_t);
size_t qemu_plugin_tb_n_insns(const block_t *);
instruction_t *qemu_plugin_tb_get_insn(const block_t *, size_t);
uint64_t qemu_plugin_insn_vaddr(const instruction_t *);
void qemu_plugin_register_vcpu_insn_exec_cb(instruction_t *, execute_callback_t, int, void *);
void qemu_plugin_register_vcpu_mem_cb(instruction_t *, memory_callback_t, int, int, void *);
bool qemu_plugin_mem_is_store(uint32_t);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = API_VERSION;

static const uint64_t PRIME = 0x100000001b3;
static uint64_t starts[FUNCTIONS], watch, watched;
static uint64_t current, end, count, hash;
static FILE *out;
static char end_file[4096];

static void mix(uint64_t value) { hash = (hash ^ value) * PRIME ^ hash >> 29; }

static void report(const char *what) {
  fprintf(out, "%s %llx %llu %016llx\n", what, (unsigned long long)current, (unsigned long long)count, (unsigned long long)hash);
  fflush(out);
}

// Returns the return address of the call to trace, or 0 if no call is to be traced.
static uint64_t read_end(void) {
  unsigned long long address = 0;
  FILE *file = fopen(end_file, "r");
  if (file && fscanf(file, "%llx", &address) != 1) address = 0;
  if (file) fclose(file);
  return address;
}

static void execute(unsigned cpu, void *address) {
  (void)cpu;
  const uint64_t at = (uintptr_t)address;
  if (current && at == end) {
    report("call");
    current = 0;
  }
  for (int i = 0; !current && i < FUNCTIONS && starts[i]; i++)
    if (at == starts[i]) {
      end = read_end();
      current = end ? at : 0;
      count = hash = 0;
    }
  if (!current) return;
  count++;
  mix(at);
}

static void access(unsigned cpu, uint32_t info, uint64_t at, void *data) {
  (void)cpu, (void)data;
  if (!current) return;
  mix(~at);
  if (watch && at - watch < watched && qemu_plugin_mem_is_store(info)) report("store");
}

static void translate(uint64_t id, block_t *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    instruction_t *instruction = qemu_plugin_tb_get_insn(block, i);
    void *at = (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction);
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, execute, NO_REGISTERS, at);
    qemu_plugin_register_vcpu_mem_cb(instruction, access, NO_REGISTERS, READ_AND_WRITE, NULL);
  }
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count_of_arguments, char **arguments) {
  (void)info;
  int functions = 0;
  for (int i = 0; i < count_of_arguments; i++) {
    const char *value = strchr(arguments[i], '=') + 1;
    if (strncmp(arguments[i], "out=", 4) == 0) out = fopen(value, "w");
    else if (strncmp(arguments[i], "end=", 4) == 0) strncpy(end_file, value, sizeof end_file - 1);
    else if (strncmp(arguments[i], "watch=", 6) == 0) watch = strtoull(value, NULL, 0);
    else if (strncmp(arguments[i], "length=", 7) == 0) watched = strtoull(value, NULL, 0);
    else if (functions < FUNCTIONS) starts[functions++] = strtoull(value, NULL, 0);
  }
  if (!out) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  return 0;
}
