PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('strata schema version 1');
INSERT INTO grdb_migrations VALUES('strata schema version 2');
INSERT INTO grdb_migrations VALUES('strata schema version 3');
CREATE TABLE IF NOT EXISTS "Purchase" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "number" INTEGER NOT NULL,
  "buyer" TEXT NOT NULL DEFAULT ''
, "currency" TEXT NOT NULL DEFAULT 'EUR', "summary" TEXT, "priority" INTEGER NOT NULL DEFAULT 3, "token" TEXT NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000') STRICT;
INSERT INTO Purchase VALUES(1,1,'Ada','EUR','Ada''s order 1',3,'00000000-0000-4000-8000-000000000001');
INSERT INTO Purchase VALUES(2,2,'Benjamin','EUR','Ben''s order 2',3,'00000000-0000-4000-8000-000000000002');
INSERT INTO Purchase VALUES(3,3,'Cleo','CHF','Cleo''s order 3',3,'00000000-0000-4000-8000-000000000003');
CREATE TABLE IF NOT EXISTS "Purchase_items" (
  "owner" INTEGER NOT NULL REFERENCES "Purchase" ON DELETE CASCADE,
  "position" INTEGER NOT NULL,
  "value" TEXT NOT NULL,
  PRIMARY KEY ("owner", "position")
) STRICT, WITHOUT ROWID;
INSERT INTO Purchase_items VALUES(1,0,'tea');
INSERT INTO Purchase_items VALUES(2,0,'tea');
INSERT INTO Purchase_items VALUES(2,1,'rice');
INSERT INTO Purchase_items VALUES(2,2,'salt');
INSERT INTO Purchase_items VALUES(3,0,'tea');
INSERT INTO Purchase_items VALUES(3,1,'rice');
CREATE TABLE IF NOT EXISTS "strata_schema_version" (
  "version" INTEGER PRIMARY KEY,
  "schema" TEXT NOT NULL,
  "migrated_at" TEXT NOT NULL,
  "migrated_from" INTEGER,
  "seconds" REAL,
  "row_count" INTEGER,
  "library" TEXT,
  "oldest_reader" INTEGER,
  "oldest_writer" INTEGER
) STRICT;
INSERT INTO strata_schema_version VALUES(1,'{"classes":[{"name":"Order","primaryKey":"number","properties":[{"name":"number","type":"int"},{"name":"customer","type":"string"},{"collection":"list","name":"items","type":"string"}]}],"format":1}','2026-11-28 16:48:12.849',NULL,0.001251416999999999894,0,'0.1.0',NULL,NULL);
INSERT INTO strata_schema_version VALUES(2,'{"classes":[{"name":"Order","primaryKey":"number","properties":[{"name":"number","type":"int"},{"name":"customer","type":"string"},{"name":"currency","type":"string"},{"name":"summary","optional":true,"type":"string"},{"collection":"list","name":"items","type":"string"}]}],"format":1}','2026-11-28 16:48:12.906',1,0.013585464999999999693,3,'0.1.0',NULL,NULL);
INSERT INTO strata_schema_version VALUES(3,'{"classes":[{"name":"Parcel","properties":[{"name":"weight","type":"double"},{"name":"label","type":"string"},{"name":"content","type":"data"},{"name":"token","type":"uuid"},{"name":"purchase","optional":true,"target":"Purchase","type":"object"}]},{"name":"Purchase","primaryKey":"number","properties":[{"name":"number","type":"int"},{"name":"buyer","type":"string"},{"name":"summary","optional":true,"type":"string"},{"name":"priority","type":"int"},{"name":"token","type":"uuid"}]}],"format":1,"perObject":{"Purchase":["token"]},"renamed":{"classes":{"Order":"Purchase"},"properties":{"Purchase":{"customer":"buyer"}}},"retired":[{"class":"Purchase","property":{"name":"currency","type":"string"},"since":3},{"class":"Purchase","property":{"collection":"list","name":"items","type":"string"},"since":3}]}','2026-11-28 16:48:12.960',2,0.019443823999999998441,6,'0.1.0',1,1);
CREATE TABLE IF NOT EXISTS "Parcel" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "weight" REAL NOT NULL DEFAULT 0.5,
  "label" TEXT NOT NULL DEFAULT 'it''s new',
  "token" TEXT NOT NULL DEFAULT (printf('%08X-%04X-4%03X-%04X-%012X', random() & 0xFFFFFFFF, random() & 0xFFFF, random() & 0xFFF, random() & 0x3FFF | 0x8000, random() & 0xFFFFFFFFFFFF)),
  "purchase" INTEGER REFERENCES "Purchase" ON DELETE SET NULL,
  "content" BLOB NOT NULL DEFAULT x'01ff'
) STRICT;
INSERT INTO Parcel VALUES(1,0.5,'it''s new','00000000-0000-4000-8000-000000000065',1,X'01ff');
CREATE TABLE IF NOT EXISTS "strata_older_writes" (
  "class" TEXT NOT NULL,
  "first" INTEGER NOT NULL,
  "last" INTEGER NOT NULL,
  "version" INTEGER NOT NULL
) STRICT;
INSERT INTO strata_older_writes VALUES('Purchase',2,2,1);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('Purchase',3);
INSERT INTO sqlite_sequence VALUES('Parcel',1);
CREATE UNIQUE INDEX "Purchase.number" ON "Purchase"("number");
CREATE INDEX "Parcel.purchase" ON "Parcel"("purchase");
CREATE TRIGGER "strata_delete_Purchase" AFTER DELETE ON "Purchase" BEGIN
  UPDATE "Parcel" SET "purchase" = NULL WHERE "purchase" = OLD."_id";
  DELETE FROM "Purchase_items" WHERE "owner" = OLD."_id";
END;
COMMIT;
