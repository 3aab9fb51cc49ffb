PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('strata schema version 2');
CREATE TABLE IF NOT EXISTS "Dog" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL
) STRICT;
INSERT INTO Dog VALUES(1,'Bruno');
INSERT INTO Dog VALUES(2,'Kiwi');
INSERT INTO Dog VALUES(3,'Mochi');
INSERT INTO Dog VALUES(4,'Rusty');
CREATE TABLE IF NOT EXISTS "Person" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "fullName" TEXT NOT NULL,
  "age" INTEGER NOT NULL
) STRICT;
INSERT INTO Person VALUES(1,'Ines Duarte',34);
INSERT INTO Person VALUES(2,'Tomas Lind',51);
INSERT INTO Person VALUES(3,'Noor Haddad',8);
CREATE TABLE IF NOT EXISTS "Person_dogs" (
  "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
  "position" INTEGER NOT NULL,
  "value" INTEGER NOT NULL REFERENCES "Dog" ON DELETE CASCADE,
  PRIMARY KEY ("owner", "position")
) STRICT, WITHOUT ROWID;
INSERT INTO Person_dogs VALUES(1,0,1);
INSERT INTO Person_dogs VALUES(1,1,2);
INSERT INTO Person_dogs VALUES(2,0,3);
CREATE TABLE IF NOT EXISTS "strata_schema_version" (
  "version" INTEGER PRIMARY KEY,
  "schema" TEXT NOT NULL,
  "migrated_at" TEXT NOT NULL
) STRICT;
INSERT INTO strata_schema_version VALUES(2,'{"classes":[{"name":"Dog","properties":[{"name":"name","type":"string"}]},{"name":"Person","properties":[{"name":"fullName","type":"string"},{"name":"age","type":"int"},{"collection":"list","name":"dogs","target":"Dog","type":"object"}]}],"format":1}','2026-11-21 14:23:01.635');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('Dog',4);
INSERT INTO sqlite_sequence VALUES('Person',3);
CREATE INDEX "Person_dogs.value" ON "Person_dogs"("value");
CREATE TRIGGER "strata_delete_Dog" AFTER DELETE ON "Dog" BEGIN
  DELETE FROM "Person_dogs" WHERE "value" = OLD."_id";
END;
CREATE TRIGGER "strata_delete_Person" AFTER DELETE ON "Person" BEGIN
  DELETE FROM "Person_dogs" WHERE "owner" = OLD."_id";
END;
COMMIT;
