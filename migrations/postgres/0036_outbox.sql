UPDATE outbox SET task_id = task.id FROM task WHERE CAST(task.id AS TEXT) = data ->> 'task_id';
