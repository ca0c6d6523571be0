.PHONY: planted-faults

planted-faults: build  ## plant one in three of the listed faults, one at a time, and see the tests catch each
	@node dist/prove/planted-faults/main.js
