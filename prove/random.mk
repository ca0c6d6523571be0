.PHONY: random

RANDOM_TESTS := test/firmware/crypto test/firmware/random-transactions.test.ts test/devnet/archival/equality.test.ts \
  test/prove/differential/run.test.ts

random: build    ## run the tests with random cases, ten times as many as `make test`
	@ALL_CASES=1 npm test --silent -- $(RANDOM_TESTS)
