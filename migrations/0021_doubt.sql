-- Before a booking, and before another appointment is taken over, pages of the portal have to agree.

-- {"shown": Slot | null, "since": instant, "printed_at": instant | null, "readings": n}, while they do not.
ALTER TABLE task ADD COLUMN doubt JSONB;
-- What confirmed bookings of a group replaced is asked for whenever its page shows another appointment.
CREATE INDEX intent_confirmed_group ON intent (country, portal_schedule_id, t0) WHERE state = 'confirmed';
