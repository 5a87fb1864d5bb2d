#!/usr/bin/env bash
# Runs a test on one core, if its stories live in virtual time: one of them wakes one thread after the other, and waking
# a thread on another core takes longer than its work. Measured with four stories of a family at once on two cores: 28 s
# instead of 35 on SQLite, 62 s instead of 70 on PostgreSQL. Cargo and nextest call it as the target's runner.
set -euo pipefail
case "$(basename "$1")" in
  stories-* | ratchet-*) exec taskset -c "$((${NEXTEST_TEST_GLOBAL_SLOT:-$$} % $(nproc)))" "$@" ;;
  *) exec "$@" ;;
esac
