-- A refund that the owner of the balance asked for: all that one request sends back has one id. None where an operator asked,
-- or it was made at the provider.
ALTER TABLE card_refund ADD COLUMN request_id UUID;
CREATE INDEX card_refund_request ON card_refund (request_id) WHERE request_id IS NOT NULL;
