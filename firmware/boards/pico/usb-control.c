#include "usb-control.h"

#include <stdbool.h>

#include "flash.h"
#include "usb.h"
#include "generated/usb-descriptors.h"

_Static_assert((int)EP_HID == HID_ENDPOINT && (int)EP_VENDOR == VENDOR_ENDPOINT, "endpoints as described");

// Standard requests. The number of a request is bmRequestType << 8 | bRequest.
enum {
  DEVICE_GET_STATUS = 0x8000,
  DEVICE_SET_ADDRESS = 0x0005,
  DEVICE_GET_DESCRIPTOR = 0x8006,
  DEVICE_GET_CONFIGURATION = 0x8008,
  DEVICE_SET_CONFIGURATION = 0x0009,
  INTERFACE_GET_STATUS = 0x8100,
  INTERFACE_GET_DESCRIPTOR = 0x8106,
  INTERFACE_GET_INTERFACE = 0x810A,
  INTERFACE_SET_INTERFACE = 0x010B,
  ENDPOINT_GET_STATUS = 0x8200,
  ENDPOINT_CLEAR_FEATURE = 0x0201,
  ENDPOINT_SET_FEATURE = 0x0203,
  HID_GET_REPORT = 0xA101,
  HID_SET_IDLE = 0x210A,
  VENDOR_MS_OS = 0xC000 | MS_OS_REQUEST,
};
enum { DESCRIPTOR_DEVICE = 1, DESCRIPTOR_CONFIGURATION = 2, DESCRIPTOR_STRING = 3, DESCRIPTOR_BOS = 15, DESCRIPTOR_HID = 0x21, DESCRIPTOR_HID_REPORT = 0x22 };
enum { MS_OS_DESCRIPTOR_SET = 7, ENDPOINT_HALT = 0, ENDPOINT_IN = 0x80, MAX_ADDRESS = 127, INPUT_REPORT = 1 };

typedef struct {
  uint32_t key;
  uint16_t value, index, length;
} setup_t;

// Sizes of the string descriptor of the serial number: the id of the flash chip as hexadecimal digits in
// UTF-16.
enum { DIGIT_BYTES = 2, SERIAL_BYTES = 2 + 2 * FLASH_ID_BYTES * DIGIT_BYTES };
static uint8_t serial[SERIAL_BYTES];

static uint8_t new_address, configuration;

void control_start(void) {
  uint8_t id[FLASH_ID_BYTES];
  flash_read_id(id);
  serial[0] = sizeof serial;
  serial[1] = DESCRIPTOR_STRING;
  for (uint32_t digit = 0; digit < 2 * FLASH_ID_BYTES; digit++)
    serial[2 + digit * DIGIT_BYTES] = (uint8_t)"0123456789ABCDEF"[id[digit / 2] >> (digit % 2 ? 0 : 4) & 0xF];
}

// All data that endpoint 0 can send.
typedef enum {
  NOTHING,
  OF_DEVICE,
  OF_CONFIGURATION,
  OF_BOS,
  OF_HID,
  OF_HID_REPORT,
  OF_MS_OS,
  OF_STRING_0,
  OF_STRING_1,
  OF_STRING_2,
  OF_SERIAL,
  NO_REPORT,
  ZERO,
  STATUS_ZERO,
  STATUS_ONE,
  NUMBER_OF_CONFIGURATION,
  SOURCES,
} source_t;
static const uint8_t zeros[PACKET_BYTES], one[] = {1, 0};
static const struct {
  const uint8_t *bytes;
  uint32_t length;
} sources[SOURCES] = {
    [NOTHING] = {zeros, 0},
    [OF_DEVICE] = {DEVICE, sizeof DEVICE},
    [OF_CONFIGURATION] = {CONFIGURATION, sizeof CONFIGURATION},
    [OF_BOS] = {BOS, sizeof BOS},
    [OF_HID] = {HID, sizeof HID},
    [OF_HID_REPORT] = {HID_REPORT, sizeof HID_REPORT},
    [OF_MS_OS] = {MS_OS, sizeof MS_OS},
    [OF_STRING_0] = {STRING_0, sizeof STRING_0},
    [OF_STRING_1] = {STRING_1, sizeof STRING_1},
    [OF_STRING_2] = {STRING_2, sizeof STRING_2},
    [OF_SERIAL] = {serial, sizeof serial},
    [NO_REPORT] = {zeros, PACKET_BYTES},
    [ZERO] = {zeros, 1},
    [STATUS_ZERO] = {zeros, 2},
    [STATUS_ONE] = {one, sizeof one},
    [NUMBER_OF_CONFIGURATION] = {&configuration, 1},
};
_Static_assert(SERIAL_STRING == OF_SERIAL - OF_STRING_0, "strings in their order");

static source_t source;
static uint32_t asked, sent;  // bytes of the answer that the host has requested, and that were sent
static bool ends_empty;       // whether an empty packet must end the answer
static bool is_in;

typedef struct {
  const uint8_t *bytes;
  uint32_t length;
} packet_t;

// Returns the next packet. Its data does not change while it is sent, so a fault is detected if a second call
// returns another packet.
__attribute__((noinline)) static packet_t next_packet(void) {
  if ((uint32_t)source >= SOURCES) return (packet_t){zeros, 0};
  const uint32_t whole = sources[source].length, end = whole < asked ? whole : asked;
  const uint32_t left = sent < end ? end - sent : 0;
  return (packet_t){sources[source].bytes + sent, left < PACKET_BYTES ? left : PACKET_BYTES};
}

__attribute__((noinline)) static bool holds_next(void) {
  const packet_t packet = next_packet();
  return usb_holds_control(packet.bytes, packet.length);
}

// Sends the next packet. It is compared with a second result of next_packet() first, so that one skipped
// instruction does not send other memory. If the host requested more bytes than the answer has, the answer
// ends after its data.
static void give_next(void) {
  packet_t packet;
  do {
    packet = next_packet();
    usb_fill_control(packet.bytes, packet.length);
  } while (!holds_next());
  usb_send_control();
  if (packet.length < PACKET_BYTES) ends_empty = false;
  sent += packet.length;
}

static bool answer(const setup_t *setup, source_t from) {
  const uint32_t length = sources[from].length;
  source = from;
  asked = setup->length;
  sent = 0;
  ends_empty = length < asked && length % PACKET_BYTES == 0;
  give_next();
  return true;
}

static bool acknowledge(void) {
  source = NOTHING;
  give_next();
  return true;
}

static bool answer_string(const setup_t *setup, uint8_t index) {
  return index <= SERIAL_STRING && answer(setup, OF_STRING_0 + index);
}

static bool answer_descriptor(const setup_t *setup) {
  const uint8_t type = (uint8_t)(setup->value >> 8), index = (uint8_t)setup->value;
  if (type == DESCRIPTOR_STRING) return answer_string(setup, index);
  if (index != 0) return false;
  switch (type) {
    case DESCRIPTOR_DEVICE: return answer(setup, OF_DEVICE);
    case DESCRIPTOR_CONFIGURATION: return answer(setup, OF_CONFIGURATION);
    case DESCRIPTOR_BOS: return answer(setup, OF_BOS);
    default: return false;  // such as descriptors of high-speed devices
  }
}

static bool answer_hid_descriptor(const setup_t *setup) {
  if (setup->index != HID_INTERFACE) return false;
  switch (setup->value >> 8) {
    case DESCRIPTOR_HID: return answer(setup, OF_HID);
    case DESCRIPTOR_HID_REPORT: return answer(setup, OF_HID_REPORT);
    default: return false;
  }
}

static bool configure(uint16_t value) {
  if (value > 1) return false;
  usb_note_lost();
  configuration = (uint8_t)value;
  usb_configure_endpoints(value == 1);
  return acknowledge();
}

// Interfaces, and endpoints other than endpoint 0, exist only while the device is configured (9.4).
static bool is_interface(uint16_t index) { return configuration && index <= VENDOR_INTERFACE; }

static int endpoint_of(uint16_t index) { return index & ~ENDPOINT_IN; }

static direction_t direction_of(uint16_t index) { return index & ENDPOINT_IN ? IN : OUT; }

static bool is_endpoint(uint16_t index) {
  return configuration && (endpoint_of(index) == EP_HID || endpoint_of(index) == EP_VENDOR);
}

static bool halt(const setup_t *setup, bool on) {
  if (setup->value != ENDPOINT_HALT || !is_endpoint(setup->index)) return false;
  if (on) usb_halt_endpoint(endpoint_of(setup->index), direction_of(setup->index));
  else usb_clear_endpoint(endpoint_of(setup->index), direction_of(setup->index));
  return acknowledge();
}

static bool answer_status(const setup_t *setup, bool exists, bool is_set) {
  return exists && answer(setup, is_set ? STATUS_ONE : STATUS_ZERO);
}

static bool answer_endpoint_status(const setup_t *setup) {
  const int endpoint = endpoint_of(setup->index);
  const bool exists = endpoint == EP0 || is_endpoint(setup->index);
  return answer_status(setup, exists, exists && usb_is_halted(endpoint, direction_of(setup->index)));
}

// SET_INTERFACE resets the endpoints of an interface, as SET_CONFIGURATION does (9.1.1.5). The number of an
// endpoint is the number of its interface plus one.
static bool set_interface(const setup_t *setup) {
  if (setup->value != 0 || !is_interface(setup->index)) return false;
  const int endpoint = setup->index + EP_HID;
  usb_clear_endpoint(endpoint, IN);
  usb_clear_endpoint(endpoint, OUT);
  return acknowledge();
}

// GET_REPORT is mandatory (HID 1.11, 7.2.1). Reports are exchanged only over the endpoints, so the answer is
// a report of zeros.
static bool answer_report(const setup_t *setup) {
  if (!is_interface(setup->index) || setup->index != HID_INTERFACE) return false;
  return setup->value == INPUT_REPORT << 8 && answer(setup, NO_REPORT);
}

// The address takes effect after the status stage.
static bool set_address(uint16_t address) {
  if (address > MAX_ADDRESS) return false;
  new_address = (uint8_t)address;
  return acknowledge();
}

static bool handle(const setup_t *setup) {
  switch (setup->key) {
    case DEVICE_SET_ADDRESS: return set_address(setup->value);
    case DEVICE_GET_DESCRIPTOR: return answer_descriptor(setup);
    case DEVICE_GET_CONFIGURATION: return answer(setup, NUMBER_OF_CONFIGURATION);
    case DEVICE_SET_CONFIGURATION: return configure(setup->value);
    case DEVICE_GET_STATUS: return answer_status(setup, setup->index == 0, false);
    case INTERFACE_GET_STATUS: return answer_status(setup, is_interface(setup->index), false);
    case ENDPOINT_GET_STATUS: return answer_endpoint_status(setup);
    case INTERFACE_GET_DESCRIPTOR: return answer_hid_descriptor(setup);
    case INTERFACE_GET_INTERFACE: return is_interface(setup->index) && answer(setup, ZERO);
    case INTERFACE_SET_INTERFACE: return set_interface(setup);
    case ENDPOINT_CLEAR_FEATURE: return halt(setup, false);
    case ENDPOINT_SET_FEATURE: return halt(setup, true);
    case HID_GET_REPORT: return answer_report(setup);
    case HID_SET_IDLE: return is_interface(setup->index) && setup->index == HID_INTERFACE && acknowledge();
    case VENDOR_MS_OS: return setup->index == MS_OS_DESCRIPTOR_SET && answer(setup, OF_MS_OS);
    default: return false;
  }
}

void control_setup(uint32_t low, uint32_t high) {
  const setup_t setup = {
      .key = (low & 0xFF) << 8 | (low >> 8 & 0xFF),
      .value = (uint16_t)(low >> 16),
      .index = (uint16_t)high,
      .length = (uint16_t)(high >> 16),
  };
  usb_set_toggle(EP0, IN, true);
  usb_set_toggle(EP0, OUT, true);
  new_address = 0;
  source = NOTHING;
  sent = 0;
  ends_empty = false;
  is_in = low & ENDPOINT_IN;
  if (handle(&setup)) return;
  usb_stall(EP0, IN);
  usb_stall(EP0, OUT);
}

// After the data of an answer, the host sends an empty packet as the status stage. It is always DATA1.
void control_sent(void) {
  if (next_packet().length > 0 || ends_empty) {
    give_next();
    return;
  }
  if (new_address) usb_set_address(new_address);
  new_address = 0;
  if (!is_in) return;
  usb_set_toggle(EP0, OUT, true);
  usb_take(EP0, 0);
}

void control_reset(void) {
  usb_note_lost();
  usb_set_address(0);
  new_address = 0;
  configuration = 0;
  usb_configure_endpoints(false);
}
