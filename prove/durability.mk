.PHONY: durability durability-control

KILLS ?= 200

durability: build  ## kill the nodes KILLS=200 times under load: no acknowledged payment is lost or applied twice
	@KILLS=$(KILLS) node dist/prove/durability/main.js

durability-control: build  ## mutate copies of the node: the same kills must find each fault
	@node dist/prove/durability/control.js
