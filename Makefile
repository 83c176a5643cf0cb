# The commands of the project. Each sets up what it needs; what is done already is not done again.

SWIFT ?= swift
PREFIX ?= /usr/local

# A SQLCipher of one's own: where it was installed. Package.swift and Scripts/setup read it, too.
ifdef SQLCIPHER_PREFIX
export SQLCIPHER_PREFIX
endif

.PHONY: help setup build install uninstall deb demo test check checks check-layers check-others docs proofs bench speed format clean

help: ## lists these commands
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F '|' '{ printf "%-12s %s\n", $$1, $$2 }'

setup: ## installs what is missing: SQLCipher, pkg-config (asks for root only then)
	@Scripts/setup

build: setup ## builds the library and the command-line tool
	$(SWIFT) build

install: setup ## installs the tool, its manual and completions, in /usr/local or PREFIX
	tool=$$(SWIFT="$(SWIFT)" Scripts/tool) && \
		DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install "$$tool"

uninstall: ## removes what install has put there
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install --uninstall

deb: setup ## builds a Debian package of the tool, and prints where it is
	@tool=$$(SWIFT="$(SWIFT)" Scripts/tool) && Scripts/deb "$$tool"

demo: setup ## shows the whole on real data: encrypt, query, rotate the key, copy, check
	@SWIFT="$(SWIFT)" Scripts/demo

test: setup ## tests that the library, the backups and the tool work on this machine
	STRONGROOM_WITHOUT="$(or $(WITHOUT),$(shell Scripts/rest))" $(SWIFT) build --build-tests
	@STRONGROOM_WITHOUT="$(or $(WITHOUT),$(shell Scripts/rest))" SWIFT="$(SWIFT)" Scripts/test --skip-build \
		--skip "\.PackagingTests/" --skip "$$(Scripts/rest --filter)"

check: setup ## runs the other tests, and checks layers, the public API, format, prose, references, and names of features
	STRONGROOM_WITHOUT=CheckTables $(SWIFT) build --build-tests
	@STRONGROOM_WITHOUT=CheckTables SWIFT="$(SWIFT)" Scripts/test --skip-build --filter "$$(Scripts/rest --filter)"
	@$(MAKE) --no-print-directory checks

checks: setup ## the checks of `make check` alone, on what it has built
	@$(MAKE) --no-print-directory -j2 check-layers check-others

# The compiler reads every folder by itself: half of the time, while the other core does the rest.
check-layers:
	@Scripts/layers

check-others:
	@Scripts/families --check
	@Scripts/prose
	@Scripts/prose --self-test
	@Scripts/pictures --check
	@Scripts/references
	@Scripts/references --self-test
	@Scripts/layers --self-test
	@Scripts/migrate-imports --self-test
	@SWIFT="$(SWIFT)" Scripts/api
	@SWIFT="$(SWIFT)" Scripts/api --self-test
	@SWIFT="$(SWIFT)" Scripts/docs --self-test
	@SWIFT="$(SWIFT)" Scripts/docs
	@Scripts/symbol-docs --self-test
	@Scripts/whole-files --self-test > /dev/null
	@Tests/Proofs/sync_mutants --places
	@Scripts/callers
	@Scripts/callers --self-test
	@Scripts/speed --self-test >/dev/null
	@SWIFT="$(SWIFT)" Scripts/typecheck
	@SWIFT="$(SWIFT)" Scripts/typecheck --self-test
	@Scripts/format
	@Scripts/unproved --counts || [ $$? -eq 1 ]

docs: build ## builds the documentation of the library as a site, in .build/docs
	@SWIFT="$(SWIFT)" Scripts/docs

proofs: setup ## kills, damages, fills disks, and runs all tests with other SQLCiphers: hours
	@SWIFT="$(SWIFT)" Tests/Proofs/all

bench: setup ## measures the library beside the C API, the tool on files up to 1 GB, and size and build time
	$(SWIFT) build -c release --product Benchmarks
	.build/release/Benchmarks
	.build/release/Benchmarks --memory
	@SWIFT="$(SWIFT)" Scripts/whole-files
	@SWIFT="$(SWIFT)" Scripts/footprint

speed: setup ## compares the instructions that workloads need with what they needed before
	@SWIFT="$(SWIFT)" Scripts/speed

format: ## rewrites the Swift files in the format of .swift-format
	@Scripts/format --fix

clean: ## removes what was built and what the demo left
	rm -rf .build .demo
