-- What all nodes together may send to the portal, and the switch that stops it.

-- One row per portal host.
CREATE TABLE portal_host (
    host       TEXT PRIMARY KEY,
    -- When the next verification may begin, by the portal's time.
    verify_at  TIMESTAMPTZ NOT NULL,
    -- Tokens that the engine's node took out of its bucket for verifications on other nodes.
    spare      BIGINT NOT NULL DEFAULT 0 CHECK (spare >= 0),
    -- A verification on another node waits for tokens to be set aside.
    wanted     BOOLEAN NOT NULL DEFAULT FALSE,
    -- No request before this (portal time): the host asked for it, or failed.
    not_before TIMESTAMPTZ
);

-- Verifications under way: each holds a place until it ends, or until it cannot be alive any more.
CREATE TABLE verify_place (
    host   TEXT NOT NULL,
    place  BIGINT NOT NULL,
    holder UUID NOT NULL,
    until  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (host, place)
);

-- Hosts an operator paused; '*' is every host.
CREATE TABLE portal_pause (
    host TEXT PRIMARY KEY,
    at   TIMESTAMPTZ NOT NULL,
    why  TEXT NOT NULL
);

-- Verifications of the last day, by keyed hashes: who asked, for which login, from where.
CREATE TABLE verification (
    id      UUID PRIMARY KEY,
    at      TIMESTAMPTZ NOT NULL,
    who     BYTEA NOT NULL,
    login   BYTEA NOT NULL,
    address BYTEA NOT NULL,
    subnet  BYTEA NOT NULL
);
CREATE INDEX verification_who ON verification (who, at);
CREATE INDEX verification_address ON verification (address, at);
CREATE INDEX verification_subnet ON verification (subnet, at);
CREATE INDEX verification_at ON verification (at);
