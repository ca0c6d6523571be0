.PHONY: arithmetic read-back read-back-control explore explore-control

arithmetic: build  ## prove the field, scalar and point functions of the shipped module for all inputs
	$(NATIVE) arithmetic

read-back: build  ## read vectors, their neighbours and 100,000 random transactions back from the pixels of their reviews
	@node dist/prove/read-back/main.js

read-back-control: build  ## mutate copies of the firmware: reading back must find each fault
	$(NATIVE) read-back-control

explore: build   ## try every event in every state of the shipped module, to closure, against a model
	$(NATIVE) explore

explore-control: build  ## mutate copies of the firmware: the exploration must find each fault
	$(NATIVE) explore-control
