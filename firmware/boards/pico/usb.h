// The USB device controller (datasheet 4.1). Every endpoint has buffers, which are armed for the host and
// served after use.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { EP0 = 0, EP_HID = 1, EP_VENDOR = 2, ENDPOINTS = 3, PACKET_BYTES = 64 };
typedef enum { IN, OUT } direction_t;

// These functions copy a packet of at most 64 bytes to the buffer of endpoint 0, check that the buffer has
// the packet, and send it when the host requests it. They are called in the interrupt, or while the interrupt
// is disabled.
void usb_fill_control(const uint8_t *bytes, uint32_t length);
bool usb_holds_control(const uint8_t *bytes, uint32_t length);
void usb_send_control(void);
// Lets the host send one packet of up to `length` bytes.
void usb_take(int endpoint, uint32_t length);
void usb_stall(int endpoint, direction_t direction);
// Stalls an endpoint other than 0 until it is cleared or configured.
void usb_halt_endpoint(int endpoint, direction_t direction);
bool usb_is_halted(int endpoint, direction_t direction);
// Sets whether the next packet is DATA1 or DATA0.
void usb_set_toggle(int endpoint, direction_t direction, bool data1);
// Empties the endpoints other than 0, and enables or disables them.
void usb_configure_endpoints(bool enabled);
// Ends a halt. The next packet of the endpoint is DATA0.
void usb_clear_endpoint(int endpoint, direction_t direction);
// Handles all completed buffers. Returns whether endpoint 0 has sent its packet.
bool usb_serve_buffers(void);
// Called in the interrupt of the start of a frame.
void usb_start_frame(void);
void usb_note_suspended(bool is_suspended);
bool usb_is_suspended(void);
void usb_set_address(uint8_t address);
// Records that the host has disconnected or restarted.
void usb_note_lost(void);
