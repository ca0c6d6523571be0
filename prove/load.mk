.PHONY: load crowd

MINUTES ?= 1

load: build      ## steady load for MINUTES=1: no request fails, memory and open descriptors stay flat
	@node dist/prove/load/main.js --minutes $(MINUTES) $(LOAD)

crowd: build     ## what 10,000 idle connections, 1,000 slow readers and 1,000 slow writers cost another client
	@node dist/bench/crowd.js
