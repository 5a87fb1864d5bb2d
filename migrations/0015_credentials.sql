-- Portal passwords that nobody needs any more leave, and their owners are told before.

-- When the owner was told that it leaves; counts only if no task of it has moved since.
ALTER TABLE credential ADD COLUMN leaving_told_at TIMESTAMPTZ;
