BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'wardlight','m0001_initial','2026-11-28 05:11:52.371016+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'wardlight','m0002_collected','2026-11-28 05:11:52.374079+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'wardlight','m0003_taken','2026-11-28 05:11:52.375550+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'wardlight','m0004_observed','2026-11-28 05:11:52.377223+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'wardlight','m0005_filed_and_replaced','2026-11-28 05:11:52.378771+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'wardlight','m0006_confirmed_outside','2026-11-28 05:11:52.380540+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'wardlight','m0007_moved_renamed_deleted','2026-11-28 05:11:52.383552+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'wardlight','m0008_birth_date','2026-11-28 05:11:52.385445+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'wardlight','m0009_identity_answers','2026-11-28 05:11:52.386860+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'wardlight','m0010_identified_and_discharged','2026-11-28 05:11:52.389678+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'wardlight','m0011_signers','2026-11-28 05:11:52.391341+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'wardlight','m0012_dictation_times','2026-11-28 05:11:52.393368+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'wardlight','m0013_features','2026-11-28 05:11:52.394733+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'wardlight','m0014_held_back','2026-11-28 05:11:52.396013+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'wardlight','m0015_quotes','2026-11-28 05:11:52.397890+00:00');
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
INSERT INTO "dictation_events" VALUES(1,4,'move','Kim Berg, RN','2026-10-24T08:00:41.000+00:00','wrong patient','said.txt','962f20b8343c19a609af8de1d82be64f0fbec9927026070f4aa7f15533e8bce5',NULL,1,2,1,2,2,12,13);
INSERT INTO "dictation_events" VALUES(2,5,'delete','Kim Berg, RN','2026-10-24T08:00:49.000+00:00','Duplicate','said.txt','de4ef54b8fc1c111099087ad4f22bcd21d029ceecf242a2c994e864e04dec621',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL);
CREATE TABLE dictation_times (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            former TEXT NOT NULL,
            former_source TEXT NOT NULL,
            made_at TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            changed_at TEXT NOT NULL
        );
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
INSERT INTO "dictations" VALUES(1,1,1,'text','e8eac3b40a9f4978a1a38b0d07bd5ecf.txt','said.txt','55f50cb4c8c839207ec873afd996ca92bbf13a92c301b22c8c4e055580f40daf',17,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-10-24T08:00:00.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(2,1,1,'text','2f4e1770661848cb9fe8ba1848abcac6.txt','said.txt','48f81b27e8a483429273ec29820cf6da613c45b82ac29b7be56c6cbe3cc6d382',18,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-10-24T08:00:00.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(3,1,1,'text','bc8cb6dfae8646da86c97ee8822ffb2a.txt','said.txt','b6e865d795db4fb326c2fbed4613bc69c9855169b32cce9234174870a850336e',18,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-10-24T09:00:00.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(4,2,1,'text','d483a959d14c461386735ca43afe0c41.txt','said.txt','962f20b8343c19a609af8de1d82be64f0fbec9927026070f4aa7f15533e8bce5',18,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-10-24T09:40:00.000+00:00','',NULL,NULL,'');
INSERT INTO "dictations" VALUES(5,1,1,'text','63955ae105b34952b9b80cc7bdfdc1f0.txt','said.txt','de4ef54b8fc1c111099087ad4f22bcd21d029ceecf242a2c994e864e04dec621',18,'filled','','{"seconds": {}, "tokens": {}, "models": {}, "devices": {}, "candidates": 0, "held_back": [], "weighed_by": "", "features_signature": "", "set_aside": [], "naming": {"named": [], "strangers": [], "mixed": false, "other": false, "others": []}, "likely": []}','2026-10-24T09:45:00.000+00:00','','2026-10-24T08:00:48.000+00:00',NULL,'');
CREATE TABLE encounters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        patient_id INTEGER NOT NULL REFERENCES patients(id),
        started_at TEXT NOT NULL,
        ended_at TEXT
    );
INSERT INTO "encounters" VALUES(1,1,'2026-10-24T08:00:08.000+00:00',NULL);
INSERT INTO "encounters" VALUES(2,2,'2026-10-24T08:00:37.000+00:00',NULL);
CREATE TABLE filings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('file', 'reopen')),
            reviewer TEXT NOT NULL,
            filed_at TEXT NOT NULL,
            files TEXT NOT NULL
        );
INSERT INTO "filings" VALUES(1,1,'file','Kim Berg, RN','2026-10-24T08:00:14.000+00:00','["a.json"]');
INSERT INTO "filings" VALUES(2,1,'reopen','Kim Berg, RN','2026-10-24T08:00:19.000+00:00','[]');
INSERT INTO "filings" VALUES(3,3,'file','Kim Berg, RN','2026-10-24T08:00:30.000+00:00','["b.json"]');
CREATE TABLE identity_answers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            answer TEXT NOT NULL CHECK (answer IN ('same', 'withdrawn')),
            called TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            answered_at TEXT NOT NULL
        );
CREATE TABLE patient_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'edit', 'transfer', 'discharge', 'readmit')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL
        );
INSERT INTO "patient_events" VALUES(1,1,'add','','2026-10-24T08:00:04.000+00:00','{}','{"id": 1, "name": "Ann Lee", "bed": "4", "mrn": "1001", "birth_date": "", "temporary": false, "discharged_at": ""}');
INSERT INTO "patient_events" VALUES(2,2,'add','','2026-10-24T08:00:06.000+00:00','{}','{"id": 2, "name": "Bo Dahl", "bed": "5", "mrn": "1002", "birth_date": "", "temporary": false, "discharged_at": ""}');
CREATE TABLE patients (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        bed TEXT NOT NULL,
        mrn TEXT NOT NULL,
        created_at TEXT NOT NULL
    , birth_date TEXT NOT NULL DEFAULT '', temporary INTEGER NOT NULL DEFAULT 0 CHECK (temporary IN (0, 1)), discharged_at TEXT, mrn_key TEXT, bed_key TEXT);
INSERT INTO "patients" VALUES(1,'Ann Lee','4','1001','2026-10-24T08:00:03.000+00:00','',0,NULL,'1001','4');
INSERT INTO "patients" VALUES(2,'Bo Dahl','5','1002','2026-10-24T08:00:05.000+00:00','',0,NULL,'1002','5');
CREATE TABLE replacements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            step_id INTEGER NOT NULL REFERENCES review_steps(id),
            value_id INTEGER NOT NULL REFERENCES row_values(id),
            replaced_id INTEGER NOT NULL REFERENCES row_values(id)
        );
INSERT INTO "replacements" VALUES(1,3,4,1);
CREATE TABLE review_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        undoes INTEGER UNIQUE REFERENCES review_steps(id),
        reviewer TEXT NOT NULL,
        reviewed_at TEXT NOT NULL
    , collected INTEGER NOT NULL DEFAULT 0 CHECK (collected IN (0, 1)), encounter_id INTEGER);
INSERT INTO "review_steps" VALUES(1,1,NULL,'Kim Berg, RN','2026-10-24T08:00:12.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(2,1,NULL,'Kim Berg, RN','2026-10-24T08:00:13.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(3,2,NULL,'Kim Berg, RN','2026-10-24T08:00:18.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(4,2,NULL,'Kim Berg, RN','2026-10-24T08:00:20.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(5,2,NULL,'Kim Berg, RN','2026-10-24T08:00:21.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(6,3,NULL,'Kim Berg, RN','2026-10-24T08:00:25.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(7,3,NULL,'Kim Berg, RN','2026-10-24T08:00:26.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(8,3,7,'Kim Berg, RN','2026-10-24T08:00:27.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(9,3,NULL,'Kim Berg, RN','2026-10-24T08:00:29.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(10,4,NULL,'Kim Berg, RN','2026-10-24T08:00:34.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(11,4,NULL,'Kim Berg, RN','2026-10-24T08:00:36.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(12,4,NULL,'Kim Berg, RN','2026-10-24T08:00:38.000+00:00',0,1);
INSERT INTO "review_steps" VALUES(13,4,NULL,'Kim Berg, RN','2026-10-24T08:00:40.000+00:00',0,2);
INSERT INTO "review_steps" VALUES(14,4,NULL,'Kim Berg, RN','2026-10-24T08:00:43.000+00:00',0,2);
INSERT INTO "review_steps" VALUES(15,5,NULL,'Kim Berg, RN','2026-10-24T08:00:47.000+00:00',0,1);
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
INSERT INTO "reviews" VALUES(2,1,2,'confirm','confirmed','"120/80"','mmHg',NULL,NULL);
INSERT INTO "reviews" VALUES(3,2,3,'reject','rejected','"sleeps"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(4,3,4,'confirm','confirmed','96.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(5,4,5,'reject','rejected','"130/85"','mmHg',NULL,NULL);
INSERT INTO "reviews" VALUES(6,5,6,'edit','edited','"awake and calm"',NULL,'2026-10-24T11:30',NULL);
INSERT INTO "reviews" VALUES(7,6,7,'confirm','confirmed','88.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(8,6,8,'confirm','confirmed','"118/70"','mmHg',NULL,NULL);
INSERT INTO "reviews" VALUES(9,7,7,'edit','edited','89.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(10,9,9,'add','added','"by hand"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(11,10,10,'confirm','confirmed','70.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(12,11,11,'add','added','"of Bo"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(13,12,10,'reopen','proposed','70.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(14,12,11,'reject','rejected','"of Bo"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(15,13,12,'add','rejected','"of Bo"',NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(16,14,13,'confirm','confirmed','71.0','/min',NULL,NULL);
INSERT INTO "reviews" VALUES(17,15,14,'confirm','confirmed','60.0','/min',NULL,NULL);
CREATE TABLE row_values (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        transcript_id INTEGER REFERENCES transcripts(id),
        row_id TEXT NOT NULL,
        filled TEXT,
        superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
        created_at TEXT NOT NULL
    , encounter_id INTEGER, quote TEXT);
INSERT INTO "row_values" VALUES(1,1,1,'hr','{"row_id": "hr", "value": 110.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:11.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(2,1,1,'bp','{"row_id": "bp", "value": "120/80", "unit": "mmHg", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:11.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(3,1,1,'note','{"row_id": "note", "value": "sleeps", "unit": null, "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:11.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(4,2,2,'hr','{"row_id": "hr", "value": 96.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:17.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(5,2,2,'bp','{"row_id": "bp", "value": "130/85", "unit": "mmHg", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:17.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(6,2,2,'note','{"row_id": "note", "value": "awake", "unit": null, "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": {"at": "2026-10-24T11:30", "since": null, "start": 0, "end": 9, "text": "At eleven"}, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:17.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(7,3,3,'hr','{"row_id": "hr", "value": 88.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:24.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(8,3,3,'bp','{"row_id": "bp", "value": "118/70", "unit": "mmHg", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:24.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(9,3,NULL,'note',NULL,0,'2026-10-24T08:00:28.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(10,4,4,'hr','{"row_id": "hr", "value": 70.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:33.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(11,4,NULL,'note',NULL,0,'2026-10-24T08:00:35.000+00:00',1,NULL);
INSERT INTO "row_values" VALUES(12,4,NULL,'note',NULL,0,'2026-10-24T08:00:39.000+00:00',2,NULL);
INSERT INTO "row_values" VALUES(13,4,4,'hr','{"row_id": "hr", "value": 71.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:42.000+00:00',2,NULL);
INSERT INTO "row_values" VALUES(14,5,5,'hr','{"row_id": "hr", "value": 60.0, "unit": "/min", "evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}, "log_probability": -0.2, "not_mentioned": 0.1, "confidence": 0.8, "relevance": 0.6, "neighbour": {"kind": "row", "text": "Heart rate", "segment": 0}, "strategy": "rowwise", "findings": [], "alternatives": [], "errors": [], "timing": null, "taken_back": [], "rule": "", "held_back_by": "", "features": ""}',0,'2026-10-24T08:00:46.000+00:00',1,NULL);
CREATE TABLE schema_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        schema_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        bytes BLOB NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "schema_versions" VALUES(1,'ward','Ward','1','9ab1d4745c352c92b1812bd47bfce68ba815591f062b691f89502835ee28e814',X'7B22666F726D6174223A2022776172646C696768742D666C6F7773686565742F31222C20226964223A202277617264222C20226E616D65223A202257617264222C202276657273696F6E223A202231222C202263617465676F72696573223A205B7B226E616D65223A2022566974616C207369676E73222C2022726F7773223A205B7B226964223A20226872222C20226E616D65223A202248656172742072617465222C202274797065223A20226E756D65726963222C2022756E6974223A20222F6D696E222C2022636F646573223A207B226C6F696E63223A2022383836372D34227D7D2C207B226964223A20226270222C20226E616D65223A2022426C6F6F64207072657373757265222C202274797065223A2022626C6F6F645F7072657373757265222C2022756E6974223A20226D6D4867222C2022636F646573223A207B226C6F696E63223A202238353335342D39227D7D2C207B226964223A20226E6F7465222C20226E616D65223A20224E6F7465222C202274797065223A202274657874227D5D7D5D7D','2026-10-24T08:00:09.000+00:00');
CREATE TABLE signer_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            signer_id INTEGER NOT NULL REFERENCES signers(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'rename', 'retire', 'restore', 'choose')),
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            happened_at TEXT NOT NULL
        );
INSERT INTO "signer_events" VALUES(1,1,'add','Kim Berg','RN','2026-10-24T08:00:01.000+00:00');
INSERT INTO "signer_events" VALUES(2,1,'choose','Kim Berg','RN','2026-10-24T08:00:02.000+00:00');
CREATE TABLE signers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            identifier TEXT NOT NULL DEFAULT '',
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            created_at TEXT NOT NULL
        );
INSERT INTO "signers" VALUES(1,'Kim Berg','RN','',0,'2026-10-24T08:00:00.000+00:00');
CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        content TEXT NOT NULL,
        created_at TEXT NOT NULL
    );
INSERT INTO "transcripts" VALUES(1,1,'{"text": "Heart rate 110.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-10-24T08:00:10.000+00:00');
INSERT INTO "transcripts" VALUES(2,2,'{"text": "Heart rate 110.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-10-24T08:00:16.000+00:00');
INSERT INTO "transcripts" VALUES(3,3,'{"text": "Heart rate 110.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-10-24T08:00:23.000+00:00');
INSERT INTO "transcripts" VALUES(4,4,'{"text": "Heart rate 110.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-10-24T08:00:32.000+00:00');
INSERT INTO "transcripts" VALUES(5,5,'{"text": "Heart rate 110.", "segments": [], "words": [], "duration": 0.0, "language": "en", "model": "", "warnings": []}','2026-10-24T08:00:45.000+00:00');
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
INSERT INTO "sqlite_sequence" VALUES('signers',1);
INSERT INTO "sqlite_sequence" VALUES('signer_events',2);
INSERT INTO "sqlite_sequence" VALUES('patients',2);
INSERT INTO "sqlite_sequence" VALUES('patient_events',2);
INSERT INTO "sqlite_sequence" VALUES('encounters',2);
INSERT INTO "sqlite_sequence" VALUES('schema_versions',1);
INSERT INTO "sqlite_sequence" VALUES('dictations',5);
INSERT INTO "sqlite_sequence" VALUES('transcripts',5);
INSERT INTO "sqlite_sequence" VALUES('row_values',14);
INSERT INTO "sqlite_sequence" VALUES('review_steps',15);
INSERT INTO "sqlite_sequence" VALUES('reviews',17);
INSERT INTO "sqlite_sequence" VALUES('filings',3);
INSERT INTO "sqlite_sequence" VALUES('replacements',1);
INSERT INTO "sqlite_sequence" VALUES('dictation_events',2);
COMMIT;
