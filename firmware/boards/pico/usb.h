// The USB device controller: endpoints as buffers that are armed and served (datasheet 4.1).
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { EP0 = 0, EP_HID = 1, EP_VENDOR = 2, ENDPOINTS = 3, PACKET_BYTES = 64 };
typedef enum { IN, OUT } direction_t;

// These copy a packet of at most 64 bytes to the buffer of endpoint 0, check that it is there, and send it at
// the host's next request. Called in the interrupt, or with it disabled.
void usb_fill_control(const uint8_t *bytes, uint32_t length);
bool usb_holds_control(const uint8_t *bytes, uint32_t length);
void usb_send_control(void);
// Lets the host send one packet.
void usb_take(int endpoint, uint32_t length);
void usb_stall(int endpoint, direction_t direction);
// Stalls an endpoint other than 0 until it is cleared or configured.
void usb_halt_endpoint(int endpoint, direction_t direction);
bool usb_is_halted(int endpoint, direction_t direction);
// The next packet is DATA1, or DATA0.
void usb_set_toggle(int endpoint, direction_t direction, bool data1);
// Empties the endpoints other than 0, and enables or disables them.
void usb_configure_endpoints(bool enabled);
// Ends a halt; the endpoint starts again with DATA0.
void usb_clear_endpoint(int endpoint, direction_t direction);
// Notes every used buffer; returns whether endpoint 0 sent its packet.
bool usb_serve_buffers(void);
// Notes the start of a frame. Called in the interrupt.
void usb_start_frame(void);
void usb_note_suspended(bool is_suspended);
bool usb_is_suspended(void);
void usb_set_address(uint8_t address);
// Notes that the host is gone or restarts.
void usb_note_lost(void);
