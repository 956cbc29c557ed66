# The commands that people type. What they fetch is verified by checksum and kept in the user's cache, see CONTRIBUTING.md.
.DEFAULT_GOAL := help
.PHONY: help demo test soak bench faults fuzz models docs lint fmt tools clean prerequisites

help: ## Show these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: prerequisites models ## Run the main job on real input: three agents, one board
	cargo run --release --locked -p pawl-server --bin pawl -- demo

test: prerequisites models ## Run all tests
	python=$$(scripts/python-test-client) && PAWL_TEST_PYTHON="$$python" cargo test --workspace --locked

soak: prerequisites models ## Run a month of a team in eight minutes (SOAK="--minutes 60" for longer)
	cargo test --release --locked -p pawl-tests --test soak -- $(SOAK)

bench: prerequisites models ## Measure speed and size beside what bounds them (BENCH="--only memory" for a part)
	cargo bench --locked -p pawl-tests --bench bench -- $(BENCH)

faults: prerequisites ## Kill servers, cut power, fill disks, race, flood, be slow (FAULTS="--rounds 5" for less)
	cargo test --release --locked -p pawl-tests --test faults -- $(FAULTS)

fuzz: prerequisites ## Hand any bytes to every reader of outside bytes for five minutes (FUZZ="--seconds 3600" for longer)
	@scripts/fuzz $(FUZZ)

models: prerequisites ## Fetch ONNX Runtime and the sentence encoder (once, about 60 MB)
	@scripts/fetch-models

lint: prerequisites ## Check format, lints, licences, unused dependencies, spelling, protos and docs
	@.ci/run fmt clippy deny machete typos buf doc

docs: ## Renew docs/api.md from the comments of the protos
	PAWL_RENEW_DOCS=1 cargo test --quiet --locked -p pawl-proto --test api_reference

fmt: prerequisites ## Format the code
	cargo fmt --all

tools: prerequisites ## Fetch the tools that `make lint` needs (once)
	@.ci/run tools

clean: ## Remove what was built; what was fetched stays in the cache
	cargo clean

prerequisites:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust with rustup, then run this again" >&2; exit 1; }
	@command -v cc >/dev/null || { echo "a C compiler is missing: on Debian or Ubuntu run \`apt-get install gcc libc6-dev\`" >&2; exit 1; }
	@command -v python3 >/dev/null || { echo "Python is missing: on Debian or Ubuntu run \`apt-get install python3 python3-pip\`" >&2; exit 1; }
