.PHONY: load

MINUTES ?= 1

load: build      ## steady load for MINUTES=1: no request fails, memory and open descriptors stay flat
	@node dist/prove/load/main.js --minutes $(MINUTES) $(LOAD)
