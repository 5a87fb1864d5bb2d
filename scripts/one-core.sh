#!/usr/bin/env bash
# Runs a test on one core if its stories use virtual time. Such a story wakes one thread after
# another, and waking a thread on another core takes longer than its work. Four stories of a family
# at once on two cores took 28 s instead of 35 on SQLite, and 62 s instead of 70 on PostgreSQL.
# Cargo and nextest call it as the target's runner.
set -euo pipefail
case "$(basename "$1")" in
  stories-* | ratchet-*) exec taskset -c "$((${NEXTEST_TEST_GLOBAL_SLOT:-$$} % $(nproc)))" "$@" ;;
  *) exec "$@" ;;
esac
