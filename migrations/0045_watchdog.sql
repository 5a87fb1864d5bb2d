-- older-builds: may-run
-- When the watchdog ended a process whose engine stood still: at most three times an hour, over restarts.
CREATE TABLE watchdog_exit (
    at TIMESTAMPTZ NOT NULL
);
