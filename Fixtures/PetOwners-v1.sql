PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('strata schema version 1');
CREATE TABLE IF NOT EXISTS "Person" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "fullName" TEXT NOT NULL,
  "age" INTEGER NOT NULL
) STRICT;
INSERT INTO Person VALUES(1,'Ines Duarte',34);
INSERT INTO Person VALUES(2,'Tomas Lind',51);
INSERT INTO Person VALUES(3,'Noor Haddad',8);
CREATE TABLE IF NOT EXISTS "strata_schema_version" (
  "version" INTEGER PRIMARY KEY,
  "schema" TEXT NOT NULL,
  "migrated_at" TEXT NOT NULL
) STRICT;
INSERT INTO strata_schema_version VALUES(1,'{"classes":[{"name":"Person","properties":[{"name":"fullName","type":"string"},{"name":"age","type":"int"}]}],"format":1}','2026-11-21 14:23:01.612');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('Person',3);
COMMIT;
