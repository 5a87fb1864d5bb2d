-- older-builds: may-run
-- The portal's numbers of cities that the built-in table of places names without one, as booking forms showed them. Rows are never
-- changed or deleted: other rows refer to the numbers.
CREATE TABLE facility (
    number   INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 4095),
    -- The portal's locale, such as en-it.
    country  TEXT NOT NULL,
    -- English name of the table of places.
    city     TEXT NOT NULL,
    found_at TIMESTAMPTZ NOT NULL,
    UNIQUE (country, city)
);
