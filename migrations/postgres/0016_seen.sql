CREATE FUNCTION task_watches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.counted IS NULL THEN
        INSERT INTO watch (task_id, calendar_key, since, looks_from)
        SELECT NEW.id, had.key, COALESCE(NEW.counted_at, NEW.updated_at), CAST(had.value ->> 0 AS BIGINT)
        FROM jsonb_each(NEW.counted) AS had;
    ELSE
        UPDATE watch SET until = COALESCE(NEW.counted_at, NEW.updated_at),
            looks_to = COALESCE((SELECT looks FROM calendar WHERE key = watch.calendar_key), looks_from)
        WHERE task_id = NEW.id AND until IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER task_watches AFTER UPDATE OF counted ON task FOR EACH ROW
    WHEN ((OLD.counted IS NULL) <> (NEW.counted IS NULL)) EXECUTE FUNCTION task_watches();
INSERT INTO watch (task_id, calendar_key, since, looks_from)
SELECT task.id, had.key, task.updated_at, CAST(had.value ->> 0 AS BIGINT)
FROM task CROSS JOIN LATERAL jsonb_each(task.counted) AS had WHERE task.counted IS NOT NULL;
