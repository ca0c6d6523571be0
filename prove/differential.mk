.PHONY: differential

differential: build  ## the same bytes put to firmware, chain rules and node: every neighbour of every vector, and random ones
	@node dist/prove/differential/main.js $(DIFFERENTIAL)
