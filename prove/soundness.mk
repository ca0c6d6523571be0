.PHONY: power-cuts power-cuts-control arithmetic hashes amounts pages read-back read-back-control explore explore-control single-faults single-faults-long single-faults-control traps ranges ranges-control symbolic symbolic-control

arithmetic: build  ## prove the field, scalar and point functions of the shipped module for all inputs
	$(NATIVE) arithmetic

amounts: build   ## compare amounts that the shipped module writes with what they should be, for all of 64 bits and all decimals
	$(NATIVE) amounts

hashes: build    ## compare hash functions and key derivation of the shipped module with the standards, for all inputs
	$(NATIVE) hashes

read-back: build  ## read vectors, their neighbours and 100,000 random transactions back from the pixels of their reviews
	@node dist/prove/read-back/main.js

read-back-control: build  ## mutate copies of the firmware: reading back must find each fault
	$(NATIVE) read-back-control

explore: build   ## try every event in every state of the shipped module, to closure, against a model
	$(NATIVE) explore

explore-control: build  ## mutate copies of the firmware: the exploration must find each fault
	$(NATIVE) explore-control

single-faults: build  ## flip every bit of the state between events, and invert every conditional branch, in every kind of review
	$(NATIVE) single-faults

single-faults-long: build  ## invert every branch each time that it is met, and flip a bit of every other byte before each event
	$(NATIVE) single-faults-long

single-faults-control: build  ## take checks out of copies of the firmware: a single fault must do harm in each
	$(NATIVE) single-faults-control

symbolic: build  ## follow the shipped parser and paginator along every path, with all bytes and lengths symbolic (z3)
	$(NATIVE) symbolic

symbolic-control: build  ## mutate copies of the firmware: the symbolic proofs must find each fault
	$(NATIVE) symbolic-control

traps: build     ## list what can trap in the shipped module, and how deep its calls go; no function calls itself
	$(NATIVE) traps

ranges: build    ## follow each export of the shipped module on ranges of words: accesses, divisors, checks, loops
	$(NATIVE) ranges

ranges-control: build  ## change constants and an instruction of the module: ranges of words must refute each fault
	$(NATIVE) ranges-control

pages: build     ## compare pages that the shipped module draws, hexadecimal and addresses with what they should be, on any characters
	$(NATIVE) pages

DEPTH ?= 1

power-cuts: build  ## cut the power at every flash operation of the loader of a Pico, DEPTH=1 cuts in a row
	@node dist/prove/power-cuts/main.js --depth $(DEPTH)

power-cuts-control: build  ## plant faults in the loader: a cut must find each
	@node dist/prove/power-cuts/main.js --control
