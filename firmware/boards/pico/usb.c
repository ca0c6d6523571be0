#include "usb.h"

#include <string.h>

#include "board.h"
#include "registers.h"

// Endpoint 0 has one buffer for both directions. The buffers of the other endpoints begin at FIRST_BUFFER, 64
// bytes each.
enum { EP0_BUFFER = 0x100, FIRST_BUFFER = 0x180, TYPE_BULK = 2, TYPE_INTERRUPT = 3 };
#define ENDPOINT_CONTROL(endpoint, direction) REGISTER(USB_DPRAM + 8 * (endpoint) + 4 * (direction))
#define BUFFER_CONTROL(endpoint, direction) REGISTER(USB_DPRAM + 0x80 + 8 * (endpoint) + 4 * (direction))

static bool toggles[ENDPOINTS][2], halted[ENDPOINTS][2];
static volatile bool sending[ENDPOINTS], has_received[ENDPOINTS], lost;
static volatile bool suspended;
static bool is_held;  // the bulk endpoint's packet waits for the start of a frame
static bool configured;
static uint8_t received[ENDPOINTS][PACKET_BYTES];

static uint32_t buffer_offset(int endpoint, direction_t direction) {
  if (endpoint == EP0) return EP0_BUFFER;
  return FIRST_BUFFER + PACKET_BYTES * (2 * (uint32_t)(endpoint - 1) + direction);
}

static volatile uint32_t *buffer(int endpoint, direction_t direction) {
  return &REGISTER(USB_DPRAM + buffer_offset(endpoint, direction));
}

static void prepare(int endpoint, direction_t direction, uint32_t value) {
  if (toggles[endpoint][direction]) value |= BUFFER_DATA1;
  BUFFER_CONTROL(endpoint, direction) = value;
}

// Arms the buffer. The controller runs on a slower clock, so AVAILABLE must be set 12 cycles after the other
// bits (datasheet 4.1.2.5.1). The value is computed twice, so that one skipped instruction cannot arm another
// packet.
static void release(int endpoint, direction_t direction) {
  __asm__ volatile("b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1:" ::: "memory");
  uint32_t armed;
  do {
    armed = BUFFER_CONTROL(endpoint, direction) | BUFFER_AVAILABLE;
  } while (armed != (BUFFER_CONTROL(endpoint, direction) | BUFFER_AVAILABLE));
  BUFFER_CONTROL(endpoint, direction) = armed;
  toggles[endpoint][direction] = !toggles[endpoint][direction];
}

static void fill(int endpoint, const uint8_t *bytes, uint32_t length) {
  volatile uint32_t *to = buffer(endpoint, IN);
  for (uint32_t at = 0; at < length; at += 4) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4 && at + i < length; i++) word |= (uint32_t)bytes[at + i] << 8 * i;
    *to++ = word;
  }
  prepare(endpoint, IN, BUFFER_FULL | length);
}

static inline bool holds(int endpoint, const uint8_t *bytes, uint32_t length) {
  const volatile uint32_t *word = buffer(endpoint, IN);
  bool same = (BUFFER_CONTROL(endpoint, IN) & ~BUFFER_DATA1) == (BUFFER_FULL | length);
  for (uint32_t at = 0; at < length; at++) same &= bytes[at] == (uint8_t)(word[at / 4] >> at % 4 * 8);
  return same;
}

void usb_fill_control(const uint8_t *bytes, uint32_t length) { fill(EP0, bytes, length); }

bool usb_holds_control(const uint8_t *bytes, uint32_t length) { return holds(EP0, bytes, length); }

void usb_send_control(void) { release(EP0, IN); }

void usb_take(int endpoint, uint32_t length) {
  prepare(endpoint, OUT, length);
  release(endpoint, OUT);
}

// A workaround for erratum RP2040-E15: a bus error in a bulk IN transfer hangs the controller in the last 200
// us of a frame. The packet is therefore armed at the start of the next frame. Reading USB_SOF_RD clears an
// earlier start.
static void hold_until_frame(void) {
  is_held = true;
  (void)USB_SOF_RD;
  SET_BITS(USB_INTE) = INT_DEV_SOF;
}

static void let_go(void) {
  is_held = false;
  CLEAR_BITS(USB_INTE) = INT_DEV_SOF;
}

void usb_start_frame(void) {
  (void)USB_SOF_RD;
  if (is_held) release(EP_VENDOR, IN);
  let_go();
}

static void empty(int endpoint, direction_t direction, uint32_t value) {
  if (endpoint == EP_VENDOR && direction == IN) let_go();
  BUFFER_CONTROL(endpoint, direction) = value;
}

void usb_stall(int endpoint, direction_t direction) {
  if (endpoint == EP0) SET_BITS(USB_EP_STALL_ARM) = direction == IN ? EP_STALL_ARM_EP0_IN : EP_STALL_ARM_EP0_OUT;
  empty(endpoint, direction, BUFFER_STALL);
}

void usb_halt_endpoint(int endpoint, direction_t direction) {
  halted[endpoint][direction] = true;
  usb_stall(endpoint, direction);
}

bool usb_is_halted(int endpoint, direction_t direction) { return halted[endpoint][direction]; }

void usb_set_toggle(int endpoint, direction_t direction, bool data1) { toggles[endpoint][direction] = data1; }

void usb_clear_endpoint(int endpoint, direction_t direction) {
  toggles[endpoint][direction] = halted[endpoint][direction] = false;
  empty(endpoint, direction, 0);
  if (direction == IN) sending[endpoint] = false;
  else if (!has_received[endpoint]) usb_take(endpoint, PACKET_BYTES);
}

static void configure_endpoint(int endpoint, direction_t direction, bool enabled) {
  const uint32_t type = endpoint == EP_HID ? TYPE_INTERRUPT : TYPE_BULK;
  const uint32_t control = EP_CONTROL_ENABLE | EP_CONTROL_INTERRUPT_PER_BUFFER | type << EP_CONTROL_TYPE_SHIFT;
  toggles[endpoint][direction] = halted[endpoint][direction] = false;
  empty(endpoint, direction, 0);
  ENDPOINT_CONTROL(endpoint, direction) = enabled ? control | buffer_offset(endpoint, direction) : 0;
}

void usb_configure_endpoints(bool enabled) {
  configured = enabled;
  for (int endpoint = EP_HID; endpoint < ENDPOINTS; endpoint++) {
    configure_endpoint(endpoint, IN, enabled);
    configure_endpoint(endpoint, OUT, enabled);
    sending[endpoint] = has_received[endpoint] = false;
    if (enabled) usb_take(endpoint, PACKET_BYTES);
  }
}

void usb_note_suspended(bool is_suspended) { suspended = is_suspended; }

// The line is also idle if the board has power but no host. This does not count as suspended.
bool usb_is_suspended(void) { return suspended && configured; }

void usb_set_address(uint8_t address) { USB_ADDR_ENDP = address; }

void usb_note_lost(void) {
  if (configured) lost = true;
}

// Copies a report. A packet of less than 64 bytes is padded with zeros.
static void receive(int endpoint) {
  const uint32_t length = BUFFER_CONTROL(endpoint, OUT) & BUFFER_LENGTH;
  const volatile uint32_t *from = buffer(endpoint, OUT);
  memset(received[endpoint], 0, PACKET_BYTES);
  for (uint32_t at = 0; at < PACKET_BYTES; at += 4) {
    const uint32_t word = *from++;
    for (uint32_t i = 0; i < 4 && at + i < length; i++) received[endpoint][at + i] = (uint8_t)(word >> 8 * i);
  }
  has_received[endpoint] = true;
}

bool usb_serve_buffers(void) {
  const uint32_t done = USB_BUFF_STATUS;
  USB_BUFF_STATUS = done;
  for (int endpoint = EP_HID; endpoint < ENDPOINTS; endpoint++) {
    if (done >> 2 * endpoint & 1) sending[endpoint] = false;
    if (done >> (2 * endpoint + 1) & 1) receive(endpoint);
  }
  return done & 1;
}

static void disable_interrupt(void) {
  NVIC_ICER = 1 << USBCTRL_IRQ;
  __asm__ volatile("dsb\nisb" ::: "memory");
}

static void enable_interrupt(void) { NVIC_ISER = 1 << USBCTRL_IRQ; }

bool links_lost(void) {
  const bool was_lost = lost;
  if (was_lost) lost = false;
  return was_lost;
}

static int endpoint_of(int link) { return link + EP_HID; }

// The report of a new host is held back until links_lost() has been called, so that the signer first drops
// the work of the previous host.
const uint8_t *link_received(int link) {
  const int endpoint = endpoint_of(link);
  return has_received[endpoint] && !lost ? received[endpoint] : 0;
}

void link_done(int link) {
  const int endpoint = endpoint_of(link);
  disable_interrupt();
  const bool rearm = has_received[endpoint] && configured && !halted[endpoint][OUT];
  has_received[endpoint] = false;
  if (rearm) usb_take(endpoint, PACKET_BYTES);
  enable_interrupt();
}

static bool can_send(int endpoint) { return configured && !sending[endpoint] && !halted[endpoint][IN]; }

bool link_can_send(int link) { return can_send(endpoint_of(link)); }

// Reads the buffer back, which detects an instruction that a fault skipped when the buffer was filled. The
// function must not be inlined: it would then use the same wrong address.
__attribute__((noinline)) static bool holds_report(int endpoint) {
  return holds(endpoint, outgoing_report, REPORT_BYTES);
}

// The function must not be inlined. Its code could otherwise lie after the return of its caller, and a fault
// that skips the return would arm the packet again.
__attribute__((noinline)) static void arm(int endpoint) {
  if (endpoint == EP_VENDOR) hold_until_frame();
  else release(endpoint, IN);
}

void link_send(int link) {
  const int endpoint = endpoint_of(link);
  disable_interrupt();
  if (can_send(endpoint)) {
    sending[endpoint] = true;
    do fill(endpoint, outgoing_report, REPORT_BYTES);
    while (!holds_report(endpoint));
    arm(endpoint);
  }
  enable_interrupt();
}
