-- How a payment is paid: with a card, or with a wallet of the card provider's.
ALTER TABLE card_payment ADD COLUMN method TEXT NOT NULL DEFAULT 'card' CHECK (method IN ('card', 'alipay', 'wechat_pay'));
