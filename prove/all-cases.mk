.PHONY: all-cases

ALL_CASES_TESTS := test/cli/conformance/faults.test.ts test/firmware/crypto test/firmware/random-transactions.test.ts test/devnet/archival/equality.test.ts \
  test/gateway/survival test/gateway/limits/one-client.test.ts test/wallet

all-cases: build  ## run the tests that have many cases with all of them, of which `make test` tries one in ten, and those of the proofs
	@ALL_CASES=1 npm test --silent -- $(ALL_CASES_TESTS)
	@ALL_CASES=1 npm test --silent -- --config test/prove/jest.json
