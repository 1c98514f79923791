BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'wardlight','m0001_initial','2026-11-28 12:43:37.031992+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'wardlight','m0002_collected','2026-11-28 12:43:37.061732+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'wardlight','m0003_taken','2026-11-28 12:43:37.085494+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'wardlight','m0004_observed','2026-11-28 12:43:37.117707+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'wardlight','m0005_filed_and_replaced','2026-11-28 12:43:37.145797+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'wardlight','m0006_confirmed_outside','2026-11-28 12:43:37.169834+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'wardlight','m0007_moved_renamed_deleted','2026-11-28 12:43:37.199445+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'wardlight','m0008_birth_date','2026-11-28 12:43:37.233699+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'wardlight','m0009_identity_answers','2026-11-28 12:43:37.277539+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'wardlight','m0010_identified_and_discharged','2026-11-28 12:43:37.302848+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'wardlight','m0011_signers','2026-11-28 12:43:37.345553+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'wardlight','m0012_dictation_times','2026-11-28 12:43:37.361981+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'wardlight','m0013_features','2026-11-28 12:43:37.397230+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'wardlight','m0014_held_back','2026-11-28 12:43:37.425188+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'wardlight','m0015_quotes','2026-11-28 12:43:37.449846+00:00');
INSERT INTO "_sqlite_migrations" VALUES(16,'wardlight','m0016_runs','2026-11-28 12:43:37.493447+00:00');
INSERT INTO "_sqlite_migrations" VALUES(17,'wardlight','m0017_signer_ids','2026-11-28 12:43:37.523647+00:00');
INSERT INTO "_sqlite_migrations" VALUES(18,'wardlight','m0018_charted_values','2026-11-28 12:43:37.680464+00:00');
CREATE TABLE charted_values (
        value_id INTEGER PRIMARY KEY REFERENCES row_values(id),
        patient_id INTEGER NOT NULL,
        encounter_id INTEGER NOT NULL,
        dictation_id INTEGER NOT NULL,
        row_id TEXT NOT NULL,
        at TEXT NOT NULL,
        observed_at TEXT,
        value TEXT NOT NULL,
        number REAL,
        second_number REAL,
        unit TEXT,
        code TEXT,
        status TEXT NOT NULL,
        confirmed_outside TEXT,
        signer TEXT NOT NULL,
        signed_at TEXT NOT NULL,
        filed INTEGER NOT NULL
    );
INSERT INTO "charted_values" VALUES(2,1,1,1,'note','2026-04-02T09:00',NULL,'"sleeps"',NULL,NULL,NULL,NULL,'confirmed',NULL,'Kim','2026-04-02T09:00:09.000+00:00',0);
INSERT INTO "charted_values" VALUES(3,1,1,2,'hr','2026-04-02T09:00',NULL,'96.0',96.0,NULL,'/min','8867-4','confirmed',NULL,'Kim','2026-04-02T09:00:14.000+00:00',1);
INSERT INTO "charted_values" VALUES(4,1,1,2,'note','2026-04-02T09:00',NULL,'"sleeps"',NULL,NULL,NULL,NULL,'confirmed',NULL,'Kim','2026-04-02T09:00:16.000+00:00',1);
CREATE TABLE dictation_counts (
        dictation_id INTEGER PRIMARY KEY REFERENCES dictations(id),
        proposed INTEGER NOT NULL,
        decided INTEGER NOT NULL
    );
INSERT INTO "dictation_counts" VALUES(1,0,2);
INSERT INTO "dictation_counts" VALUES(2,0,2);
CREATE TABLE dictation_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('move', 'rename', 'delete', 'restore', 'purge')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            reason TEXT NOT NULL,
            name TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            renamed_to TEXT,
            from_patient_id INTEGER REFERENCES patients(id),
            to_patient_id INTEGER REFERENCES patients(id),
            from_encounter_id INTEGER REFERENCES encounters(id),
            to_encounter_id INTEGER REFERENCES encounters(id),
            taken_back INTEGER NOT NULL DEFAULT 0,
            reopened_step INTEGER,
            carried_step INTEGER
        , signer_id INTEGER REFERENCES signers(id));
CREATE TABLE dictation_times (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            former TEXT NOT NULL,
            former_source TEXT NOT NULL,
            made_at TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            changed_at TEXT NOT NULL
        , signer_id INTEGER REFERENCES signers(id));
CREATE TABLE dictations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        encounter_id INTEGER NOT NULL REFERENCES encounters(id),
        schema_version_id INTEGER NOT NULL REFERENCES schema_versions(id),
        kind TEXT NOT NULL CHECK (kind IN ('audio', 'text')),
        file TEXT NOT NULL UNIQUE,
        original_name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('recorded', 'transcribed', 'filled', 'failed')),
        error TEXT NOT NULL,
        run TEXT NOT NULL,
        created_at TEXT NOT NULL
    , title TEXT NOT NULL DEFAULT '', deleted_at TEXT, purged_at TEXT, time_source TEXT NOT NULL DEFAULT '');
INSERT INTO "dictations" VALUES(1,1,1,'audio','cdb3f699a08748d58d9a9b4a625a5b1d.wav','a.wav','a40ff3d5900fb7698b8c865041347cb49eccedc8f93945f89629ad104aaecce4',4,'filled','','{}','2026-04-02T09:00:05.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(2,1,1,'audio','2019727400784594a8933736b5c48316.wav','a.wav','a40ff3d5900fb7698b8c865041347cb49eccedc8f93945f89629ad104aaecce4',4,'filled','','{}','2026-04-02T09:00:11.000+00:00','',NULL,NULL,'');
CREATE TABLE encounters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        patient_id INTEGER NOT NULL REFERENCES patients(id),
        started_at TEXT NOT NULL,
        ended_at TEXT
    );
INSERT INTO "encounters" VALUES(1,1,'2026-04-02T09:00:04.000+00:00',NULL);
CREATE TABLE filings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('file', 'reopen')),
            reviewer TEXT NOT NULL,
            filed_at TEXT NOT NULL,
            files TEXT NOT NULL
        , signer_id INTEGER REFERENCES signers(id));
INSERT INTO "filings" VALUES(1,1,'file','Kim','2026-04-02T09:00:10.000+00:00','["/old/files/a.json"]',NULL);
INSERT INTO "filings" VALUES(2,1,'reopen','Kim','2026-04-02T09:00:15.000+00:00','[]',NULL);
INSERT INTO "filings" VALUES(3,2,'file','Kim','2026-04-02T09:00:17.000+00:00','["/old/files/a.json"]',NULL);
CREATE TABLE identity_answers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            answer TEXT NOT NULL CHECK (answer IN ('same', 'withdrawn')),
            called TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            answered_at TEXT NOT NULL
        , signer_id INTEGER REFERENCES signers(id));
CREATE TABLE patient_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'edit', 'transfer', 'discharge', 'readmit')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL
        , signer_id INTEGER REFERENCES signers(id));
INSERT INTO "patient_events" VALUES(1,1,'add','','2026-04-02T09:00:02.000+00:00','{}','{"id": 1, "name": "Ann Lee", "bed": "4", "mrn": "123", "birth_date": "", "temporary": false, "discharged_at": ""}',NULL);
CREATE TABLE patients (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        bed TEXT NOT NULL,
        mrn TEXT NOT NULL,
        created_at TEXT NOT NULL
    , birth_date TEXT NOT NULL DEFAULT '', temporary INTEGER NOT NULL DEFAULT 0 CHECK (temporary IN (0, 1)), discharged_at TEXT, mrn_key TEXT, bed_key TEXT);
INSERT INTO "patients" VALUES(1,'Ann Lee','4','123','2026-04-02T09:00:01.000+00:00','',0,NULL,'123','4');
CREATE TABLE replacements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            step_id INTEGER NOT NULL REFERENCES review_steps(id),
            value_id INTEGER NOT NULL REFERENCES row_values(id),
            replaced_id INTEGER NOT NULL REFERENCES row_values(id)
        );
INSERT INTO "replacements" VALUES(1,3,3,1);
CREATE TABLE review_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        undoes INTEGER UNIQUE REFERENCES review_steps(id),
        reviewer TEXT NOT NULL,
        reviewed_at TEXT NOT NULL
    , collected INTEGER NOT NULL DEFAULT 0 CHECK (collected IN (0, 1)), encounter_id INTEGER, signer_id INTEGER REFERENCES signers(id));
INSERT INTO "review_steps" VALUES(1,1,NULL,'Kim','2026-04-02T09:00:08.000+00:00',0,1,NULL);
INSERT INTO "review_steps" VALUES(2,1,NULL,'Kim','2026-04-02T09:00:09.000+00:00',0,1,NULL);
INSERT INTO "review_steps" VALUES(3,2,NULL,'Kim','2026-04-02T09:00:14.000+00:00',0,1,NULL);
INSERT INTO "review_steps" VALUES(4,2,NULL,'Kim','2026-04-02T09:00:16.000+00:00',0,1,NULL);
CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        step_id INTEGER NOT NULL REFERENCES review_steps(id),
        value_id INTEGER NOT NULL REFERENCES row_values(id),
        action TEXT NOT NULL CHECK (action IN ('add', 'confirm', 'edit', 'reject', 'reopen')),
        status TEXT NOT NULL CHECK (status IN ('proposed', 'confirmed', 'edited', 'rejected', 'added')),
        value TEXT NOT NULL,
        unit TEXT
    , observed_at TEXT, confirmed_outside TEXT CHECK (confirmed_outside IN ('critical', 'plausible')));
INSERT INTO "reviews" VALUES(1,1,1,'confirm','confirmed','110.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(2,2,2,'confirm','confirmed','"sleeps"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(3,3,3,'confirm','confirmed','96.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(4,4,4,'confirm','confirmed','"sleeps"',NULL,NULL,NULL);
CREATE TABLE row_values (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        transcript_id INTEGER REFERENCES transcripts(id),
        row_id TEXT NOT NULL,
        filled TEXT,
        superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
        created_at TEXT NOT NULL
    , encounter_id INTEGER, quote TEXT);
INSERT INTO "row_values" VALUES(1,1,1,'hr','{"version": 2, "row_id": "hr", "value": 110.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [["100", 0.1]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-04-02T09:00:07.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(2,1,1,'note','{"version": 2, "row_id": "note", "value": "sleeps", "unit": null, "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [["100", 0.1]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-04-02T09:00:07.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(3,2,2,'hr','{"version": 2, "row_id": "hr", "value": 96.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [["100", 0.1]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-04-02T09:00:13.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(4,2,2,'note','{"version": 2, "row_id": "note", "value": "sleeps", "unit": null, "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [["100", 0.1]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-04-02T09:00:13.000+00:00',1,NULL);
CREATE TABLE runs (dictation_id INTEGER PRIMARY KEY REFERENCES dictations(id), record TEXT NOT NULL);
INSERT INTO "runs" VALUES(1,'{"version": 2, "seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}');
INSERT INTO "runs" VALUES(2,'{"version": 2, "seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}');
CREATE TABLE schema_rows (
        schema_version_id INTEGER NOT NULL REFERENCES schema_versions(id),
        row_id TEXT NOT NULL,
        value_type TEXT NOT NULL,
        loinc TEXT,
        PRIMARY KEY (schema_version_id, row_id)
    ) WITHOUT ROWID;
INSERT INTO "schema_rows" VALUES(1,'edema','multi_select',NULL);
INSERT INTO "schema_rows" VALUES(1,'hr','numeric','8867-4');
INSERT INTO "schema_rows" VALUES(1,'note','text',NULL);
INSERT INTO "schema_rows" VALUES(1,'rass','numeric',NULL);
CREATE TABLE schema_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        schema_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        bytes BLOB NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "schema_versions" VALUES(1,'ward','Ward','3','dafd6cc061f8e22a09caeba10fec948a577a89ca2f144778837b139aa1c6a9c5',X'7B226964223A202277617264222C2022726F7773223A20347D','2026-04-02T09:00:03.000+00:00');
CREATE TABLE signer_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            signer_id INTEGER NOT NULL REFERENCES signers(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'rename', 'retire', 'restore', 'choose')),
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            happened_at TEXT NOT NULL
        );
CREATE TABLE signers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            identifier TEXT NOT NULL DEFAULT '',
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            created_at TEXT NOT NULL
        );
CREATE TABLE stale_dictations (dictation_id INTEGER PRIMARY KEY);
CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        content TEXT NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "transcripts" VALUES(1,1,'{"text": "Heart rate 110.", "segments": [], "words": [{"text": "Heart", "start": 0.5, "end": 0.8, "probability": 0.9, "char_start": 0, "char_end": 5}, {"text": "rate", "start": 0.8, "end": 1.1, "probability": 0.9, "char_start": 6, "char_end": 10}, {"text": "110.", "start": 1.2, "end": 1.9, "probability": 0.9, "char_start": 11, "char_end": 15}], "duration": 2.0, "language": "en", "model": "whisper-base", "warnings": []}','2026-04-02T09:00:06.000+00:00');
INSERT INTO "transcripts" VALUES(2,2,'{"text": "Heart rate 110.", "segments": [], "words": [{"text": "Heart", "start": 0.5, "end": 0.8, "probability": 0.9, "char_start": 0, "char_end": 5}, {"text": "rate", "start": 0.8, "end": 1.1, "probability": 0.9, "char_start": 6, "char_end": 10}, {"text": "110.", "start": 1.2, "end": 1.9, "probability": 0.9, "char_start": 11, "char_end": 15}], "duration": 2.0, "language": "en", "model": "whisper-base", "warnings": []}','2026-04-02T09:00:12.000+00:00');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX encounters_patient ON encounters(patient_id);
CREATE INDEX dictations_encounter ON dictations(encounter_id);
CREATE INDEX transcripts_dictation ON transcripts(dictation_id);
CREATE INDEX row_values_dictation ON row_values(dictation_id);
CREATE INDEX review_steps_dictation ON review_steps(dictation_id);
CREATE INDEX reviews_value ON reviews(value_id);
CREATE INDEX reviews_step ON reviews(step_id);
CREATE TRIGGER schema_versions_no_update BEFORE UPDATE ON schema_versions BEGIN SELECT RAISE(ABORT, 'schema_versions can only be added to'); END;
CREATE TRIGGER schema_versions_no_delete BEFORE DELETE ON schema_versions BEGIN SELECT RAISE(ABORT, 'schema_versions can only be added to'); END;
CREATE TRIGGER transcripts_no_update BEFORE UPDATE ON transcripts BEGIN SELECT RAISE(ABORT, 'transcripts can only be added to'); END;
CREATE TRIGGER reviews_no_update BEFORE UPDATE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews can only be added to'); END;
CREATE INDEX filings_dictation ON filings(dictation_id);
CREATE INDEX replacements_value_id ON replacements(value_id);
CREATE INDEX replacements_replaced_id ON replacements(replaced_id);
CREATE TRIGGER filings_no_update BEFORE UPDATE ON filings BEGIN SELECT RAISE(ABORT, 'filings can only be added to'); END;
CREATE TRIGGER filings_no_delete BEFORE DELETE ON filings BEGIN SELECT RAISE(ABORT, 'filings can only be added to'); END;
CREATE TRIGGER replacements_no_update BEFORE UPDATE ON replacements BEGIN SELECT RAISE(ABORT, 'replacements can only be added to'); END;
CREATE VIEW standing_filings AS
            SELECT * FROM filings AS filing WHERE action = 'file'
            AND id = (SELECT max(id) FROM filings WHERE dictation_id = filing.dictation_id);
CREATE TRIGGER review_steps_no_update BEFORE UPDATE ON review_steps BEGIN SELECT RAISE(ABORT, 'review_steps can only be added to'); END;
CREATE INDEX dictation_events_dictation ON dictation_events(dictation_id);
CREATE TRIGGER dictation_events_no_update BEFORE UPDATE ON dictation_events BEGIN SELECT RAISE(ABORT, 'dictation_events can only be added to'); END;
CREATE TRIGGER dictation_events_no_delete BEFORE DELETE ON dictation_events BEGIN SELECT RAISE(ABORT, 'dictation_events can only be added to'); END;
CREATE TRIGGER transcripts_no_delete BEFORE DELETE ON transcripts WHEN NOT EXISTS (SELECT 1 FROM dictations WHERE id IN (OLD.dictation_id) AND deleted_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'transcripts can only be added to'); END;
CREATE TRIGGER review_steps_no_delete BEFORE DELETE ON review_steps WHEN NOT EXISTS (SELECT 1 FROM dictations WHERE id IN (OLD.dictation_id) AND deleted_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'review_steps can only be added to'); END;
CREATE TRIGGER reviews_no_delete BEFORE DELETE ON reviews WHEN NOT EXISTS (SELECT 1 FROM dictations WHERE id IN (SELECT dictation_id FROM review_steps WHERE id = OLD.step_id) AND deleted_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'reviews can only be added to'); END;
CREATE TRIGGER replacements_no_delete BEFORE DELETE ON replacements WHEN NOT EXISTS (SELECT 1 FROM dictations WHERE id IN (SELECT dictation_id FROM row_values WHERE id IN (OLD.value_id, OLD.replaced_id)) AND deleted_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'replacements can only be added to'); END;
CREATE VIEW standing_steps AS
            SELECT step.* FROM review_steps AS step
            JOIN dictations ON dictations.id = step.dictation_id AND dictations.encounter_id = step.encounter_id
            WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review_steps WHERE undoes = step.id);
CREATE VIEW current_values AS
            SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit, r.observed_at,
                r.confirmed_outside, s.reviewer, s.reviewed_at
            FROM row_values v
            JOIN dictations d ON d.id = v.dictation_id AND d.encounter_id = v.encounter_id AND d.deleted_at IS NULL
            LEFT JOIN reviews r ON r.id = (
                SELECT max(reviews.id) FROM reviews
                JOIN standing_steps ON standing_steps.id = reviews.step_id
                WHERE reviews.value_id = v.id
            )
            LEFT JOIN review_steps s ON s.id = r.step_id
            WHERE v.superseded = 0 AND (
                r.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reviews WHERE value_id = v.id AND action = 'add')
            );
CREATE VIEW standing_replacements AS
            SELECT replacements.* FROM replacements
            JOIN standing_steps ON standing_steps.id = replacements.step_id
            JOIN current_values ON current_values.id = replacements.value_id
            WHERE current_values.status IN ('confirmed', 'edited', 'added');
CREATE INDEX identity_answers_dictation ON identity_answers(dictation_id);
CREATE TRIGGER identity_answers_no_update BEFORE UPDATE ON identity_answers BEGIN SELECT RAISE(ABORT, 'identity_answers can only be added to'); END;
CREATE TRIGGER identity_answers_no_delete BEFORE DELETE ON identity_answers WHEN NOT EXISTS (SELECT 1 FROM dictations WHERE id = OLD.dictation_id AND deleted_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'identity_answers can only be added to'); END;
CREATE UNIQUE INDEX patients_mrn_key ON patients(mrn_key) WHERE mrn_key IS NOT NULL;
CREATE UNIQUE INDEX patients_bed_key ON patients(bed_key) WHERE bed_key IS NOT NULL;
CREATE INDEX patient_events_patient ON patient_events(patient_id);
CREATE TRIGGER patient_events_no_update BEFORE UPDATE ON patient_events BEGIN SELECT RAISE(ABORT, 'patient_events can only be added to'); END;
CREATE TRIGGER patient_events_no_delete BEFORE DELETE ON patient_events BEGIN SELECT RAISE(ABORT, 'patient_events can only be added to'); END;
CREATE INDEX signer_events_signer ON signer_events(signer_id);
CREATE TRIGGER signer_events_no_update BEFORE UPDATE ON signer_events BEGIN SELECT RAISE(ABORT, 'signer_events can only be added to'); END;
CREATE TRIGGER signer_events_no_delete BEFORE DELETE ON signer_events BEGIN SELECT RAISE(ABORT, 'signer_events can only be added to'); END;
CREATE INDEX dictation_times_dictation ON dictation_times(dictation_id);
CREATE TRIGGER dictation_times_no_update BEFORE UPDATE ON dictation_times BEGIN SELECT RAISE(ABORT, 'dictation_times can only be added to'); END;
CREATE TRIGGER dictation_times_no_delete BEFORE DELETE ON dictation_times BEGIN SELECT RAISE(ABORT, 'dictation_times can only be added to'); END;
CREATE INDEX charted_values_patient ON charted_values(patient_id, at);
CREATE INDEX charted_values_row ON charted_values(patient_id, row_id, at);
CREATE INDEX charted_values_dictation ON charted_values(dictation_id);
CREATE INDEX charted_values_observed ON charted_values(observed_at, at) WHERE observed_at IS NOT NULL;
CREATE INDEX dictation_counts_open ON dictation_counts(dictation_id) WHERE proposed > 0;
CREATE TRIGGER reviews_insert_marks AFTER INSERT ON reviews BEGIN INSERT OR IGNORE INTO stale_dictations SELECT dictation_id FROM row_values WHERE id IN (NEW.value_id); END;
CREATE TRIGGER reviews_delete_marks AFTER DELETE ON reviews BEGIN INSERT OR IGNORE INTO stale_dictations SELECT dictation_id FROM row_values WHERE id IN (OLD.value_id); END;
CREATE TRIGGER review_steps_insert_marks AFTER INSERT ON review_steps BEGIN INSERT OR IGNORE INTO stale_dictations SELECT NEW.dictation_id; END;
CREATE TRIGGER review_steps_delete_marks AFTER DELETE ON review_steps BEGIN INSERT OR IGNORE INTO stale_dictations SELECT OLD.dictation_id; END;
CREATE TRIGGER replacements_insert_marks AFTER INSERT ON replacements BEGIN INSERT OR IGNORE INTO stale_dictations SELECT dictation_id FROM row_values WHERE id IN (NEW.value_id, NEW.replaced_id); END;
CREATE TRIGGER replacements_delete_marks AFTER DELETE ON replacements BEGIN INSERT OR IGNORE INTO stale_dictations SELECT dictation_id FROM row_values WHERE id IN (OLD.value_id, OLD.replaced_id); END;
CREATE TRIGGER row_values_insert_marks AFTER INSERT ON row_values BEGIN INSERT OR IGNORE INTO stale_dictations SELECT NEW.dictation_id; END;
CREATE TRIGGER row_values_update_marks AFTER UPDATE ON row_values BEGIN INSERT OR IGNORE INTO stale_dictations SELECT NEW.dictation_id; END;
CREATE TRIGGER row_values_delete_marks AFTER DELETE ON row_values BEGIN INSERT OR IGNORE INTO stale_dictations SELECT OLD.dictation_id; END;
CREATE TRIGGER dictations_update_marks AFTER UPDATE OF encounter_id, schema_version_id, created_at, deleted_at ON dictations BEGIN INSERT OR IGNORE INTO stale_dictations SELECT NEW.id; END;
CREATE TRIGGER encounters_update_marks AFTER UPDATE OF patient_id ON encounters BEGIN INSERT OR IGNORE INTO stale_dictations SELECT id FROM dictations WHERE encounter_id = NEW.id; END;
CREATE TRIGGER filings_insert_marks AFTER INSERT ON filings BEGIN INSERT OR IGNORE INTO stale_dictations SELECT NEW.dictation_id; END;
CREATE TRIGGER schema_rows_no_update BEFORE UPDATE ON schema_rows BEGIN SELECT RAISE(ABORT, 'schema_rows can only be added to'); END;
CREATE TRIGGER schema_rows_no_delete BEFORE DELETE ON schema_rows BEGIN SELECT RAISE(ABORT, 'schema_rows can only be added to'); END;
CREATE INDEX dictations_sha256 ON dictations(sha256);
CREATE INDEX review_steps_encounter ON review_steps(encounter_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('patients',1);
INSERT INTO "sqlite_sequence" VALUES('patient_events',1);
INSERT INTO "sqlite_sequence" VALUES('schema_versions',1);
INSERT INTO "sqlite_sequence" VALUES('encounters',1);
INSERT INTO "sqlite_sequence" VALUES('dictations',2);
INSERT INTO "sqlite_sequence" VALUES('transcripts',2);
INSERT INTO "sqlite_sequence" VALUES('row_values',4);
INSERT INTO "sqlite_sequence" VALUES('review_steps',4);
INSERT INTO "sqlite_sequence" VALUES('reviews',4);
INSERT INTO "sqlite_sequence" VALUES('filings',3);
INSERT INTO "sqlite_sequence" VALUES('replacements',1);
COMMIT;
