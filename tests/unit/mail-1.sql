-- A mail store of version 1, as bellhop wrote it before there were guards.
CREATE TABLE meta (boot INTEGER NOT NULL, bound INTEGER NOT NULL);
INSERT INTO meta VALUES (0, 0);
CREATE TABLE identity (id INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind INTEGER NOT NULL, known INTEGER NOT NULL, terminal TEXT NOT NULL DEFAULT '', line TEXT NOT NULL DEFAULT '', bound INTEGER NOT NULL DEFAULT 0);
CREATE INDEX identity_terminal ON identity (terminal) WHERE terminal <> '';
CREATE INDEX identity_line ON identity (line) WHERE line <> '';
INSERT INTO identity (id, folded, name, kind, known) VALUES (1, 'operator', 'operator', 1, 1), (2, 'bellhop', 'bellhop', 2, 1);
CREATE TABLE auto_name (base TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE message (seq INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, sender INTEGER NOT NULL, from_terminal TEXT NOT NULL, by_token INTEGER NOT NULL, reply_to INTEGER NOT NULL, task_id TEXT NOT NULL, task_status INTEGER NOT NULL, created_ms INTEGER NOT NULL, body_lines INTEGER NOT NULL, body_len INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX message_from ON message (from_id);
CREATE INDEX message_pair ON message (from_id, to_id);
CREATE INDEX message_task ON message (task_id) WHERE task_id <> '';
CREATE TABLE delivery (seq INTEGER NOT NULL, mailbox INTEGER NOT NULL, ownership INTEGER NOT NULL DEFAULT 0, claim INTEGER NOT NULL DEFAULT 0, typings INTEGER NOT NULL DEFAULT 0, shown_before INTEGER NOT NULL DEFAULT 0, seen_how INTEGER NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (seq, mailbox)) WITHOUT ROWID;
CREATE INDEX delivery_mailbox ON delivery (mailbox, seq);
CREATE INDEX delivery_unread ON delivery (mailbox, seq) WHERE ownership = 0;
CREATE INDEX delivery_claim ON delivery (claim) WHERE claim <> 0;
CREATE TABLE claim (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, phase INTEGER NOT NULL, terminal TEXT NOT NULL, notice INTEGER NOT NULL, complete INTEGER NOT NULL, lease_ms INTEGER NOT NULL);
CREATE TABLE claim_item (claim INTEGER NOT NULL, seq INTEGER NOT NULL, mailbox INTEGER NOT NULL, PRIMARY KEY (claim, seq, mailbox)) WITHOUT ROWID;
CREATE TABLE receipt (seq INTEGER NOT NULL, n INTEGER NOT NULL, mailbox INTEGER NOT NULL, at_ms INTEGER NOT NULL, step INTEGER NOT NULL, cause TEXT NOT NULL, PRIMARY KEY (seq, n)) WITHOUT ROWID;
CREATE TABLE range_receipt (id INTEGER PRIMARY KEY, mailbox INTEGER NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, step INTEGER NOT NULL, cause TEXT NOT NULL);
CREATE INDEX range_receipt_last ON range_receipt (mailbox);
CREATE INDEX range_receipt_mailbox ON range_receipt (mailbox, to_seq);
CREATE TABLE notice (id INTEGER PRIMARY KEY, terminal TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0, rings INTEGER NOT NULL DEFAULT 0, last_ring_ms INTEGER NOT NULL DEFAULT 0, proved_ms INTEGER NOT NULL DEFAULT 0, closed_ms INTEGER NOT NULL DEFAULT 0);
CREATE INDEX notice_terminal ON notice (terminal);
CREATE TABLE terminal (uuid TEXT PRIMARY KEY, line TEXT NOT NULL, launched_by TEXT NOT NULL, identity TEXT NOT NULL, mode INTEGER NOT NULL, started_agent INTEGER NOT NULL, status INTEGER NOT NULL, exit_status INTEGER NOT NULL, cols INTEGER NOT NULL, rows INTEGER NOT NULL, respawn INTEGER NOT NULL, respawn_count INTEGER NOT NULL, headless INTEGER NOT NULL, started_ms INTEGER NOT NULL, exited_ms INTEGER NOT NULL, argv TEXT NOT NULL, env TEXT NOT NULL, extra TEXT NOT NULL, cwd TEXT NOT NULL, profile TEXT NOT NULL, token_hash TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX terminal_line ON terminal (line) WHERE status <> 2;
CREATE INDEX terminal_status ON terminal (status) WHERE status <> 2;
INSERT INTO identity (id, folded, name, kind, known) VALUES (3, 'coder', 'Coder', 0, 1);
INSERT INTO message VALUES (1, 'old-1', 1, 3, 0, '', 0, 0, '', 0, 1700000000000, 1, 4, x'74657874');
INSERT INTO delivery (seq, mailbox) VALUES (1, 3);
INSERT INTO receipt VALUES (1, 1, 3, 1700000000000, 0, '');
INSERT INTO terminal VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001',
 '', 'Coder', 0, 0, 0, -1, 80, 24, 0, 0, 0, 1700000000000, 0, '[]', '{}', '', '/', 'generic', '');
UPDATE identity SET terminal = '00000000-0000-4000-8000-000000000001',
 line = '00000000-0000-4000-8000-000000000001' WHERE id = 3;
PRAGMA application_id = 1113943148;
PRAGMA user_version = 1;
