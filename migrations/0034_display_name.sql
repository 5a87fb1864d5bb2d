-- What people want to be called on their own screens.
ALTER TABLE users ADD COLUMN display_name TEXT;
