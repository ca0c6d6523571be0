.PHONY: arithmetic read-back read-back-control

arithmetic: build  ## prove the field, scalar and point functions of the shipped module for all inputs
	$(NATIVE) arithmetic

read-back: build  ## read vectors, their neighbours and 100,000 random transactions back from the pixels of their reviews
	@node dist/prove/read-back/main.js

read-back-control: build  ## mutate copies of the firmware: reading back must find each fault
	$(NATIVE) read-back-control
