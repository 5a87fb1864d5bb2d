CREATE TRIGGER task_joins_calendars AFTER UPDATE OF counted ON task
WHEN OLD.counted IS NULL AND NEW.counted IS NOT NULL
BEGIN
    INSERT INTO watch (task_id, calendar_key, since, looks_from)
    SELECT NEW.id, had.key, COALESCE(NEW.counted_at, NEW.updated_at), json_extract(had.value, '$[0]')
    FROM json_each(NEW.counted) AS had;
END;
CREATE TRIGGER task_leaves_calendars AFTER UPDATE OF counted ON task
WHEN OLD.counted IS NOT NULL AND NEW.counted IS NULL
BEGIN
    UPDATE watch SET until = COALESCE(NEW.counted_at, NEW.updated_at),
        looks_to = COALESCE((SELECT looks FROM calendar WHERE key = watch.calendar_key), looks_from)
    WHERE task_id = NEW.id AND until IS NULL;
END;
INSERT INTO watch (task_id, calendar_key, since, looks_from)
SELECT task.id, had.key, task.updated_at, json_extract(had.value, '$[0]') FROM task, json_each(task.counted) AS had
WHERE task.counted IS NOT NULL;
