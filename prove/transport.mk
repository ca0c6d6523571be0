.PHONY: transport-faults

FAULTS ?= 1000000

transport-faults: build  ## FAULTS=1000000 random faults of a connection that carries reports: the host never hangs or mistakes a reply
	@node dist/prove/transport/main.js --faults $(FAULTS)
