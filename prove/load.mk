.PHONY: load

MINUTES ?= 1

load: build      ## a steady load for MINUTES=1: no request fails, and memory and open descriptors stay flat
	@node dist/prove/load/main.js --minutes $(MINUTES) $(LOAD)
