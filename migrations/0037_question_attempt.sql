-- older-builds: may-run
-- Which booking attempt a yes carried: what the portal shows of that one is what came of the yes.

ALTER TABLE question ADD COLUMN intent_id UUID REFERENCES intent (id);
CREATE INDEX question_of_intent ON question (intent_id) WHERE intent_id IS NOT NULL;
-- How often a task has asked lately.
CREATE INDEX question_of_task ON question (task_id, seen_at);
