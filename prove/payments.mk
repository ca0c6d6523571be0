.PHONY: payments

payments: build  ## 1,000 random schedules of payments through a gateway with faults; what is reported is what is there
	@node dist/prove/payments/main.js $(PAYMENTS)
