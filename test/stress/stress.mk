# Tests with random faults of connections and processes, and tests under load. `make stress` runs this file from the
# root of a built repository. ONLY can name every target with a description.
KILLS     ?= 30
MINUTES   ?= 1
FAULTS    ?= 200000
SCHEDULES ?= 250
RUN       := node dist/test/stress

SHORT := payments durability durability-control transport-faults

.PHONY: all list load crowd $(SHORT)

all:             ## run payments, durability, durability-control and transport-faults, and the tests of these programs
	@$(MAKE) --no-print-directory -f test/stress/stress.mk --output-sync=target $(SHORT)
	@npm test --silent -- --config test/stress/jest.json

list:            ## show this list
	@grep -hE '^[a-z-]+: .*##' test/stress/stress.mk | sed -E 's/: .*##/\t/'

payments:        ## SCHEDULES=250 random schedules of payments through a gateway with faults; every report must be true
	@$(RUN)/payments/main.js --schedules $(SCHEDULES) $(PAYMENTS)

durability:      ## kill the nodes KILLS=30 times under load: no acknowledged payment may be lost or applied twice
	@KILLS=$(KILLS) $(RUN)/durability/main.js

durability-control:  ## mutate copies of the node: the same test must find each fault
	@$(RUN)/durability/control.js

transport-faults:  ## FAULTS=200000 random faults of a connection that carries reports: the host must never hang or mistake a reply
	@$(RUN)/transport-faults.js --faults $(FAULTS)

load:            ## put a steady load on the routes for MINUTES=1: no request may fail, memory and open descriptors must stay flat
	@$(RUN)/load/main.js --minutes $(MINUTES) $(LOAD)

crowd:           ## measure the cost of 10,000 idle connections, 1,000 slow readers and 1,000 slow writers for another client
	@node dist/bench/gateway/crowd.js
