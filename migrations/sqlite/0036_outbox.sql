UPDATE outbox SET task_id = unhex(replace(json_extract(data, '$.task_id'), '-', ''))
WHERE EXISTS (SELECT 1 FROM task WHERE task.id = unhex(replace(json_extract(outbox.data, '$.task_id'), '-', '')));
