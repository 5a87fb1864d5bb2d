-- What the engine has learned and must not forget at a restart: rates of calendars, the shape they share, restricted
-- hours, and why each calendar was looked at last. Subject: 'rates <calendar>', 'choice <calendar>', 'shape', 'hours <facility>'.
CREATE TABLE learned (
    subject    TEXT PRIMARY KEY,
    data       JSONB NOT NULL,
    learned_at TIMESTAMPTZ NOT NULL
);
