# Tests with random faults of connections and processes. `make stress` runs this file from the root of a built
# repository. ONLY can name every target with a description.
FAULTS    ?= 200000
SCHEDULES ?= 250
RUN       := node dist/test/stress

SHORT := payments transport-faults

.PHONY: all list $(SHORT)

all:             ## run payments and transport-faults, and the tests of full disks
	@$(MAKE) --no-print-directory -f test/stress/stress.mk --output-sync=target $(SHORT)
	@npm test --silent -- --config test/stress/jest.json

list:            ## show this list
	@grep -hE '^[a-z-]+: .*##' test/stress/stress.mk | sed -E 's/: .*##/\t/'

payments:        ## SCHEDULES=250 random schedules of payments through a gateway with faults; every report must be true
	@$(RUN)/payments/main.js --schedules $(SCHEDULES) $(PAYMENTS)

transport-faults:  ## FAULTS=200000 random faults of a connection that carries reports: the host must never hang or mistake a reply
	@$(RUN)/transport-faults.js --faults $(FAULTS)
