.PHONY: differential

differential: build  ## compare firmware, chain rules and node on every neighbour of every vector, and on random bytes
	@node dist/prove/differential/main.js $(DIFFERENTIAL)
