.PHONY: arithmetic

arithmetic: build  ## prove the field, scalar and point functions of the shipped module for all inputs
	$(NATIVE) arithmetic
