// Instructions of docs/APDU.md.
#pragma once

enum { GET_APP_VERSION = 0x03, GET_PUBLIC_KEY = 0x05, SIGN_TX = 0x06, SIGN_MESSAGE = 0x07 };
