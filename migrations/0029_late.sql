-- Attempts that count as not booked, or are left to a person, are read again a few times within a week of their POST:
-- next_read_at says when (portal time).
CREATE INDEX intent_late ON intent (next_read_at)
    WHERE next_read_at IS NOT NULL AND state IN ('refused', 'not_booked', 'manual');
