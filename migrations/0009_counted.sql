-- Looks are counted once per calendar. A task's row says how many of them it has counted already ({"<calendar>": [looks,
-- days]}); what came since is the difference, reckoned when somebody reads it.
ALTER TABLE task ADD COLUMN counted JSONB;
ALTER TABLE calendar ADD COLUMN slots BIGINT NOT NULL DEFAULT 0;
-- When the next look is due, as things stood at the last one.
ALTER TABLE calendar ADD COLUMN next_look_at TIMESTAMPTZ;
-- When its counts were written last, by the clock of updated_at.
ALTER TABLE calendar ADD COLUMN moved_at TIMESTAMPTZ;
CREATE INDEX task_counted ON task (id)
    WHERE counted IS NOT NULL AND (deleted_at IS NOT NULL OR status NOT IN ('processing', 'active'));
