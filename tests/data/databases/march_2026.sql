BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'wardlight','m0001_initial','2026-11-28 05:03:33.135579+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'wardlight','m0002_collected','2026-11-28 05:03:33.137218+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'wardlight','m0003_taken','2026-11-28 05:03:33.138294+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'wardlight','m0004_observed','2026-11-28 05:03:33.139583+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'wardlight','m0005_filed_and_replaced','2026-11-28 05:03:33.140959+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'wardlight','m0006_confirmed_outside','2026-11-28 05:03:33.142439+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'wardlight','m0007_moved_renamed_deleted','2026-11-28 05:03:33.145372+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'wardlight','m0008_birth_date','2026-11-28 05:03:33.146848+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'wardlight','m0009_identity_answers','2026-11-28 05:03:33.147968+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'wardlight','m0010_identified_and_discharged','2026-11-28 05:03:33.150371+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'wardlight','m0011_signers','2026-11-28 05:03:33.151665+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'wardlight','m0012_dictation_times','2026-11-28 05:03:33.153519+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'wardlight','m0013_features','2026-11-28 05:03:33.154540+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'wardlight','m0014_held_back','2026-11-28 05:03:33.155496+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'wardlight','m0015_quotes','2026-11-28 05:03:33.156864+00:00');
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
        );
INSERT INTO "dictation_events" VALUES(1,2,'rename','Tom Ode, LPN','2026-03-04T07:30:28.000+00:00','','noon.txt','e5625f9ce76281ec6ad7ab14840bd1c11ea8815bb13db1510dd6865087fc299e','Second round',NULL,NULL,NULL,NULL,0,NULL,NULL);
INSERT INTO "dictation_events" VALUES(2,3,'move','Tom Ode, LPN','2026-03-04T07:30:35.000+00:00','Wrong patient','wrong.WAV','a3224dfeef99780a2a4f8183b0d53bf81e46c449837f4507c84b980a69528dc8',NULL,1,2,1,2,0,NULL,NULL);
INSERT INTO "dictation_events" VALUES(3,4,'delete','Tom Ode, LPN','2026-03-04T07:30:39.000+00:00','Duplicate','gone.WAV','6a57f1c3699ae97a37fa7f26f71ba779306cfd77f357f31a215da4033d775652',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL);
CREATE TABLE dictation_times (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            former TEXT NOT NULL,
            former_source TEXT NOT NULL,
            made_at TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            changed_at TEXT NOT NULL
        );
INSERT INTO "dictation_times" VALUES(1,2,'2026-03-04T07:30:25.000+00:00','','2026-03-04T05:30:00.000+00:00','Tom Ode, LPN','2026-03-04T07:30:30.000+00:00');
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
INSERT INTO "dictations" VALUES(1,1,1,'audio','36ceabba957d447790273d4db1076055.wav','Morning.WAV','92afe841073926b01e0fe1b1aa0decb811059321b79da633a8b9f27832d321f6',8,'filled','','{"seconds": {"load": 2.5, "fill": 9.0}, "tokens": {"prompt": 812, "completion": 40}, "models": {"speech": "whisper-base", "filler": "qwen", "embedder": "minilm"}, "devices": {"filler": "cpu"}, "candidates": 4, "held_back": [{"row_id": "note", "value": "Slept well", "unit": null, "evidence": {"start": 67, "end": 77, "text": "Slept well", "sentence_start": 67, "sentence_end": 78}, "log_probability": -2.0, "not_mentioned": 0.4, "confidence": 0.11, "relevance": 0.31, "neighbour": {"kind": "definition", "text": "x", "segment": 3}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "status", "features": ""}, {"row_id": "edema", "value": ["right leg"], "unit": null, "evidence": {"start": 51, "end": 54, "text": "leg", "sentence_start": 46, "sentence_end": 66}, "log_probability": -3.0, "not_mentioned": 0.5, "confidence": 0.07, "relevance": 0.2, "neighbour": {"kind": "example", "text": "leg", "segment": 2}, "strategy": "rowwise", "findings": [], "alternatives": [["left leg", 0.3]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}], "weighed_by": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd", "features_signature": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "set_aside": [{"start": 19, "end": 26, "text": "98, no,", "why": "taken back"}], "naming": {"named": [{"kind": "bed", "called": "bed 12", "start": 79, "end": 85, "text": "Bed 12"}], "strangers": [{"kind": "bed", "called": "bed 12", "start": 79, "end": 85, "text": "Bed 12"}], "mixed": false, "other": true, "others": [{"start": 79, "end": 98, "called": "bed 12"}]}, "likely": [{"start": 67, "end": 78, "row_ids": ["note", "rass"]}]}','2026-03-04T07:30:13.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(2,1,1,'text','bc8ca529b5214a8caff0fb1d444fcf4b.txt','noon.txt','e5625f9ce76281ec6ad7ab14840bd1c11ea8815bb13db1510dd6865087fc299e',98,'filled','','{"seconds": {"load": 2.5, "fill": 9.0}, "tokens": {"prompt": 812, "completion": 40}, "models": {"speech": "whisper-base", "filler": "qwen", "embedder": "minilm"}, "devices": {"filler": "cpu"}, "candidates": 4, "held_back": [{"row_id": "note", "value": "Slept well", "unit": null, "evidence": {"start": 67, "end": 77, "text": "Slept well", "sentence_start": 67, "sentence_end": 78}, "log_probability": -2.0, "not_mentioned": 0.4, "confidence": 0.11, "relevance": 0.31, "neighbour": {"kind": "definition", "text": "x", "segment": 3}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "status", "features": ""}, {"row_id": "edema", "value": ["right leg"], "unit": null, "evidence": {"start": 51, "end": 54, "text": "leg", "sentence_start": 46, "sentence_end": 66}, "log_probability": -3.0, "not_mentioned": 0.5, "confidence": 0.07, "relevance": 0.2, "neighbour": {"kind": "example", "text": "leg", "segment": 2}, "strategy": "rowwise", "findings": [], "alternatives": [["left leg", 0.3]], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}], "weighed_by": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd", "features_signature": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "set_aside": [{"start": 19, "end": 26, "text": "98, no,", "why": "taken back"}], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": [{"start": 67, "end": 78, "row_ids": ["note", "rass"]}]}','2026-03-04T05:30:00.000+00:00','Second round',NULL,NULL,'entered');
INSERT INTO "dictations" VALUES(3,2,1,'audio','e2711e240a1743ebaba13cd2a8689319.wav','wrong.WAV','a3224dfeef99780a2a4f8183b0d53bf81e46c449837f4507c84b980a69528dc8',10,'transcribed','','{}','2026-03-04T07:30:31.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(4,2,1,'audio','f7819ad9ee544aa3b4666d4e69444ce2.wav','gone.WAV','6a57f1c3699ae97a37fa7f26f71ba779306cfd77f357f31a215da4033d775652',9,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-03-04T07:30:36.000+00:00','','2026-03-04T07:30:38.000+00:00',NULL,'');
INSERT INTO "dictations" VALUES(5,2,1,'audio','4bdbecc9ede540b58200442b871feb10.wav','broken.WAV','136b62c09039a728f1f3c850584a5f6cf14480ac2b0c56f42928ff87e1012693',9,'failed','No speech was heard in broken.WAV.','{}','2026-03-04T07:30:40.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(6,2,1,'audio','92a46831a4e84592aebb8351d48d4f9d.wav','early.WAV','cc169cf3c9f9ff0355d8ed6f42038b3d8fa7317a2293e518b3c005d8c7bc6128',8,'filled','','{"seconds": {"fill": NaN}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-03-04T07:30:41.000+00:00','',NULL,NULL,'');
CREATE TABLE encounters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        patient_id INTEGER NOT NULL REFERENCES patients(id),
        started_at TEXT NOT NULL,
        ended_at TEXT
    );
INSERT INTO "encounters" VALUES(1,1,'2026-03-04T07:30:12.000+00:00',NULL);
INSERT INTO "encounters" VALUES(2,2,'2026-03-04T07:30:34.000+00:00',NULL);
CREATE TABLE filings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('file', 'reopen')),
            reviewer TEXT NOT NULL,
            filed_at TEXT NOT NULL,
            files TEXT NOT NULL
        );
INSERT INTO "filings" VALUES(1,1,'file','Vera Lind, RN','2026-03-04T07:30:24.000+00:00','["Morning.json"]');
CREATE TABLE identity_answers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            answer TEXT NOT NULL CHECK (answer IN ('same', 'withdrawn')),
            called TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            answered_at TEXT NOT NULL
        );
INSERT INTO "identity_answers" VALUES(1,1,1,'same','["bed 12"]','Vera Lind, RN','2026-03-04T07:30:16.000+00:00');
CREATE TABLE patient_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'edit', 'transfer', 'discharge', 'readmit')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL
        );
INSERT INTO "patient_events" VALUES(1,1,'add','Vera Lind, RN','2026-03-04T07:30:08.000+00:00','{}','{"id": 1, "name": "Birch, Ada", "bed": "4", "mrn": "700100", "birth_date": "", "temporary": false, "discharged_at": ""}');
INSERT INTO "patient_events" VALUES(2,2,'add','','2026-03-04T07:30:10.000+00:00','{}','{"id": 2, "name": "Larch, Ben", "bed": "12", "mrn": "700200", "birth_date": "", "temporary": false, "discharged_at": ""}');
CREATE TABLE patients (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        bed TEXT NOT NULL,
        mrn TEXT NOT NULL,
        created_at TEXT NOT NULL
    , birth_date TEXT NOT NULL DEFAULT '', temporary INTEGER NOT NULL DEFAULT 0 CHECK (temporary IN (0, 1)), discharged_at TEXT, mrn_key TEXT, bed_key TEXT);
INSERT INTO "patients" VALUES(1,'Birch, Ada','4','700100','2026-03-04T07:30:07.000+00:00','',0,NULL,'700100','4');
INSERT INTO "patients" VALUES(2,'Larch, Ben','12','700200','2026-03-04T07:30:09.000+00:00','',0,NULL,'700200','12');
CREATE TABLE replacements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            step_id INTEGER NOT NULL REFERENCES review_steps(id),
            value_id INTEGER NOT NULL REFERENCES row_values(id),
            replaced_id INTEGER NOT NULL REFERENCES row_values(id)
        );
CREATE TABLE review_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        undoes INTEGER UNIQUE REFERENCES review_steps(id),
        reviewer TEXT NOT NULL,
        reviewed_at TEXT NOT NULL
    , collected INTEGER NOT NULL DEFAULT 0 CHECK (collected IN (0, 1)), encounter_id INTEGER);
INSERT INTO "review_steps" VALUES(1,1,NULL,'Vera Lind, RN','2026-03-04T07:30:17.000+00:00',1,1);
INSERT INTO "review_steps" VALUES(2,1,NULL,'Vera Lind, RN','2026-03-04T07:30:18.000+00:00',1,1);
INSERT INTO "review_steps" VALUES(3,1,NULL,'Vera Lind, RN','2026-03-04T07:30:19.000+00:00',1,1);
INSERT INTO "review_steps" VALUES(4,1,NULL,'Vera Lind, RN','2026-03-04T07:30:21.000+00:00',1,1);
INSERT INTO "review_steps" VALUES(5,1,NULL,'Tom Ode, LPN','2026-03-04T07:30:23.000+00:00',1,1);
CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        step_id INTEGER NOT NULL REFERENCES review_steps(id),
        value_id INTEGER NOT NULL REFERENCES row_values(id),
        action TEXT NOT NULL CHECK (action IN ('add', 'confirm', 'edit', 'reject', 'reopen')),
        status TEXT NOT NULL CHECK (status IN ('proposed', 'confirmed', 'edited', 'rejected', 'added')),
        value TEXT NOT NULL,
        unit TEXT
    , observed_at TEXT, confirmed_outside TEXT CHECK (confirmed_outside IN ('critical', 'plausible')));
INSERT INTO "reviews" VALUES(1,1,1,'confirm','confirmed','110.0','/min','2026-03-04T06:30',NULL);
INSERT INTO "reviews" VALUES(2,2,2,'edit','edited','-3.0',NULL,NULL,'critical');
INSERT INTO "reviews" VALUES(3,3,3,'reject','rejected','["left leg"]',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(4,4,4,'add','confirmed','"Slept well"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(5,5,5,'add','added','["right leg"]',NULL,'2026-03-04T07:00',NULL);
CREATE TABLE row_values (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        transcript_id INTEGER REFERENCES transcripts(id),
        row_id TEXT NOT NULL,
        filled TEXT,
        superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
        created_at TEXT NOT NULL
    , encounter_id INTEGER, quote TEXT);
INSERT INTO "row_values" VALUES(1,1,1,'hr','{"row_id": "hr", "value": 110.0, "unit": "/min", "evidence": {"start": 27, "end": 30, "text": "110", "sentence_start": 0, "sentence_end": 31}, "log_probability": -0.25, "not_mentioned": 0.01, "confidence": 0.93, "relevance": 0.71, "neighbour": {"kind": "synonym", "text": "pulse", "segment": 0}, "strategy": "rowwise", "findings": [{"code": "corrected_from", "about": ["98"], "rule": "correction"}, {"code": "time_half_unknown", "about": ["06:30 or 18:30"], "rule": "time"}], "alternatives": [["98", 0.05]], "errors": [0.04, 0.06, 0.05], "timing": {"at": "2026-03-04T06:30", "since": null, "start": 0, "end": 7, "text": "At 0630"}, "taken_back": [{"start": 19, "end": 21, "text": "98", "sentence_start": 0, "sentence_end": 31}], "rule": "", "held_back_by": "", "features": "AAAAPwAAgD8="}',0,'2026-03-04T07:30:15.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(2,1,1,'rass','{"row_id": "rass", "value": -2.0, "unit": null, "evidence": {"start": 37, "end": 44, "text": "minus 2", "sentence_start": 32, "sentence_end": 45}, "log_probability": -0.5, "not_mentioned": 0.02, "confidence": 0.81, "relevance": 0.64, "neighbour": {"kind": "row", "text": "RASS", "segment": 1}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [0.2, 0.1, 0.3], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": "AACAPwAAAEA="}',0,'2026-03-04T07:30:15.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(3,1,1,'edema','{"row_id": "edema", "value": ["left leg"], "unit": null, "evidence": {"start": 46, "end": 65, "text": "Left leg is swollen", "sentence_start": 46, "sentence_end": 66}, "log_probability": -1.5, "not_mentioned": 0.3, "confidence": 0.62, "relevance": 0.4, "neighbour": {"kind": "words", "text": "left leg", "segment": 2}, "strategy": "rowwise", "findings": [{"code": "by_words", "about": ["Left leg"], "rule": "word"}], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "word", "held_back_by": "", "features": ""}',0,'2026-03-04T07:30:15.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(4,1,1,'note','{"row_id": "note", "value": "Slept well", "unit": null, "evidence": {"start": 67, "end": 77, "text": "Slept well", "sentence_start": 67, "sentence_end": 78}, "log_probability": -2.0, "not_mentioned": 0.4, "confidence": 0.11, "relevance": 0.31, "neighbour": {"kind": "definition", "text": "x", "segment": 3}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "status", "features": ""}',0,'2026-03-04T07:30:20.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(5,1,1,'edema',NULL,0,'2026-03-04T07:30:22.000+00:00',1,'{"start": 46, "end": 54, "text": "Left leg", "sentence_start": 46, "sentence_end": 66}');
INSERT INTO "row_values" VALUES(6,2,2,'hr','{"row_id": "hr", "value": 104.0, "unit": "/min", "evidence": {"start": 27, "end": 30, "text": "110", "sentence_start": 0, "sentence_end": 31}, "log_probability": -0.25, "not_mentioned": 0.01, "confidence": 0.93, "relevance": 0.71, "neighbour": {"kind": "synonym", "text": "pulse", "segment": 0}, "strategy": "rowwise", "findings": [{"code": "corrected_from", "about": ["98"], "rule": "correction"}, {"code": "time_half_unknown", "about": ["06:30 or 18:30"], "rule": "time"}], "alternatives": [["98", 0.05]], "errors": [0.04, 0.06, 0.05], "timing": {"at": "2026-03-04T06:30", "since": null, "start": 0, "end": 7, "text": "At 0630"}, "taken_back": [{"start": 19, "end": 21, "text": "98", "sentence_start": 0, "sentence_end": 31}], "rule": "", "held_back_by": "", "features": "AAAAPwAAgD8="}',0,'2026-03-04T07:30:27.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(7,2,2,'rass','{"row_id": "rass", "value": -2.0, "unit": null, "evidence": {"start": 37, "end": 44, "text": "minus 2", "sentence_start": 32, "sentence_end": 45}, "log_probability": -0.5, "not_mentioned": 0.02, "confidence": 0.81, "relevance": 0.64, "neighbour": {"kind": "row", "text": "RASS", "segment": 1}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [0.2, 0.1, 0.3], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": "AACAPwAAAEA="}',0,'2026-03-04T07:30:27.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(8,3,3,'rass','{"row_id": "rass", "value": -2.0, "unit": null, "evidence": {"start": 37, "end": 44, "text": "minus 2", "sentence_start": 32, "sentence_end": 45}, "log_probability": -0.5, "not_mentioned": 0.02, "confidence": 0.81, "relevance": 0.64, "neighbour": {"kind": "row", "text": "RASS", "segment": 1}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [0.2, 0.1, 0.3], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": "AACAPwAAAEA="}',0,'2026-03-04T07:30:33.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(9,6,4,'rass','{"row_id": "rass", "value": -2.0, "unit": null, "evidence": {"start": 37, "end": 44, "text": "minus 2", "sentence_start": 32, "sentence_end": 45}, "log_probability": -0.5, "not_mentioned": 0.02, "confidence": 0.81, "relevance": 0.64, "neighbour": {"kind": "row", "text": "RASS", "segment": 1}, "strategy": "rowwise", "alternatives": [], "problems": ["outside the usual range"], "flags": ["listen again"]}',0,'2026-03-04T07:30:43.000+00:00',2,NULL);
CREATE TABLE schema_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        schema_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        bytes BLOB NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "schema_versions" VALUES(1,'ward','Ward','3','dafd6cc061f8e22a09caeba10fec948a577a89ca2f144778837b139aa1c6a9c5',X'7B226964223A202277617264222C2022726F7773223A20347D','2026-03-04T07:30:11.000+00:00');
CREATE TABLE signer_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            signer_id INTEGER NOT NULL REFERENCES signers(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'rename', 'retire', 'restore', 'choose')),
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            happened_at TEXT NOT NULL
        );
INSERT INTO "signer_events" VALUES(1,1,'add','Vera Lind','RN','2026-03-04T07:30:01.000+00:00');
INSERT INTO "signer_events" VALUES(2,1,'choose','Vera Lind','RN','2026-03-04T07:30:02.000+00:00');
INSERT INTO "signer_events" VALUES(3,2,'add','Tom Ode','','2026-03-04T07:30:04.000+00:00');
INSERT INTO "signer_events" VALUES(4,2,'rename','Tom Ode','LPN','2026-03-04T07:30:05.000+00:00');
INSERT INTO "signer_events" VALUES(5,2,'choose','Tom Ode','LPN','2026-03-04T07:30:06.000+00:00');
CREATE TABLE signers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            identifier TEXT NOT NULL DEFAULT '',
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            created_at TEXT NOT NULL
        );
INSERT INTO "signers" VALUES(1,'Vera Lind','RN','',0,'2026-03-04T07:30:00.000+00:00');
INSERT INTO "signers" VALUES(2,'Tom Ode','LPN','',0,'2026-03-04T07:30:03.000+00:00');
CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        content TEXT NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "transcripts" VALUES(1,1,'{"text": "At 0630 heart rate 98, no, 110. RASS minus 2. Left leg is swollen. Slept well. Bed 12 is sleeping.", "segments": [], "words": [{"text": "At", "start": 0.1, "end": 0.3, "probability": 0.9, "char_start": 0, "char_end": 2}, {"text": "0630", "start": 0.3, "end": 0.8, "probability": 0.8, "char_start": 3, "char_end": 7}], "duration": 14.0, "language": "en", "model": "whisper-base", "warnings": []}','2026-03-04T07:30:14.000+00:00');
INSERT INTO "transcripts" VALUES(2,2,'{"text": "At 0630 heart rate 98, no, 110. RASS minus 2. Left leg is swollen. Slept well. Bed 12 is sleeping.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-03-04T07:30:26.000+00:00');
INSERT INTO "transcripts" VALUES(3,3,'{"text": "At 0630 heart rate 98, no, 110. RASS minus 2. Left leg is swollen. Slept well. Bed 12 is sleeping.", "segments": [], "words": [{"text": "At", "start": 0.1, "end": 0.3, "probability": 0.9, "char_start": 0, "char_end": 2}, {"text": "0630", "start": 0.3, "end": 0.8, "probability": 0.8, "char_start": 3, "char_end": 7}], "duration": 14.0, "language": "en", "model": "whisper-base", "warnings": []}','2026-03-04T07:30:32.000+00:00');
INSERT INTO "transcripts" VALUES(4,6,'{"text": "At 0630 heart rate 98, no, 110. RASS minus 2. Left leg is swollen. Slept well. Bed 12 is sleeping.", "segments": [], "words": [{"text": "At", "start": 0.1, "end": 0.3, "probability": 0.9, "char_start": 0, "char_end": 2}, {"text": "0630", "start": 0.3, "end": 0.8, "probability": 0.8, "char_start": 3, "char_end": 7}], "duration": 14.0, "language": "en", "model": "whisper-base", "warnings": []}','2026-03-04T07:30:42.000+00:00');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('signers',2);
INSERT INTO "sqlite_sequence" VALUES('signer_events',5);
INSERT INTO "sqlite_sequence" VALUES('patients',2);
INSERT INTO "sqlite_sequence" VALUES('patient_events',2);
INSERT INTO "sqlite_sequence" VALUES('schema_versions',1);
INSERT INTO "sqlite_sequence" VALUES('encounters',2);
INSERT INTO "sqlite_sequence" VALUES('dictations',6);
INSERT INTO "sqlite_sequence" VALUES('transcripts',4);
INSERT INTO "sqlite_sequence" VALUES('row_values',9);
INSERT INTO "sqlite_sequence" VALUES('identity_answers',1);
INSERT INTO "sqlite_sequence" VALUES('review_steps',5);
INSERT INTO "sqlite_sequence" VALUES('reviews',5);
INSERT INTO "sqlite_sequence" VALUES('filings',1);
INSERT INTO "sqlite_sequence" VALUES('dictation_events',3);
INSERT INTO "sqlite_sequence" VALUES('dictation_times',1);
COMMIT;
