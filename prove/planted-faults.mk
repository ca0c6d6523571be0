.PHONY: planted-faults

planted-faults: build  ## mutation-test a seventh of the listed faults
	@node dist/prove/planted-faults/main.js
