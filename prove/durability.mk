.PHONY: durability durability-control

KILLS ?= 200

durability: build  ## kill the nodes KILLS=200 times under load: nothing that was answered 202 is lost or applied twice
	@KILLS=$(KILLS) node dist/prove/durability/main.js

durability-control: build  ## plant faults in copies of the node: the same kills must find each
	@node dist/prove/durability/control.js
