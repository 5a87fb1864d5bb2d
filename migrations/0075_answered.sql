-- older-builds: may-run
-- When the portal last answered a poll of a calendar, with a list that is believed or not (portal time). Builds of before
-- write last_look_at alone, so the later of both counts.
ALTER TABLE calendar ADD COLUMN answered_at TIMESTAMPTZ;
-- What the next poll waits for beyond its turn; none while nothing keeps it back.
ALTER TABLE calendar ADD COLUMN next_wait TEXT;
-- How old the last answered poll may become, seconds.
ALTER TABLE calendar ADD COLUMN poll_bound BIGINT;
-- The last answered poll that still showed a day that is gone.
ALTER TABLE sighting ADD COLUMN last_seen_at TIMESTAMPTZ;
-- How the made-up time of a demo runs, so that commands compute the same time as its server.
ALTER TABLE made_up_time ADD COLUMN anchor TIMESTAMPTZ;
ALTER TABLE made_up_time ADD COLUMN speed DOUBLE PRECISION;
CREATE INDEX watch_of_calendar ON watch (calendar_key) WHERE until IS NULL;
