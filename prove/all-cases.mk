.PHONY: all-cases

ALL_CASES_TESTS := test/cli/conformance/faults.test.ts test/firmware/crypto test/firmware/random-transactions.test.ts test/devnet/archival/equality.test.ts \
  test/prove/differential/run.test.ts test/gateway/survival test/gateway/limits/one-client.test.ts \
  test/wallet

all-cases: build  ## run the tests that have many cases with all of them; `make test` tries one in ten
	@ALL_CASES=1 npm test --silent -- $(ALL_CASES_TESTS)
