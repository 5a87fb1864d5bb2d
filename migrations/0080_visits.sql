-- older-builds: may-run
-- When the groups page of a portal account was last answered and taken over (portal time).
ALTER TABLE portal_account ADD COLUMN visited_at TIMESTAMPTZ;

-- Evidence that a portal account cannot book, by kind, for as long as an episode lasts (portal time).
CREATE TABLE account_problem (
    portal_account_id UUID NOT NULL REFERENCES portal_account (id),
    kind              TEXT NOT NULL CHECK (kind IN
        ('no_times', 'card_unreadable', 'page_unreadable', 'banned', 'budget_spent')),
    began_at          TIMESTAMPTZ NOT NULL,
    last_at           TIMESTAMPTZ NOT NULL,
    occurrences       INTEGER NOT NULL,
    -- When its users were notified: once an episode.
    notified_at       TIMESTAMPTZ,
    PRIMARY KEY (portal_account_id, kind)
);

-- Tasks whose users were notified that no calendar of theirs is answered. A row goes with the notice that this is over.
CREATE TABLE task_silence (
    task_id     UUID PRIMARY KEY REFERENCES task (id),
    -- The last answered poll before it (portal time).
    since       TIMESTAMPTZ NOT NULL,
    notified_at TIMESTAMPTZ NOT NULL
);
