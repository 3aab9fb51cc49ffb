PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('strata schema version 4');
CREATE TABLE IF NOT EXISTS "Address" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "street" TEXT NOT NULL,
  "city" TEXT NOT NULL
) STRICT;
INSERT INTO Address VALUES(1,'7 Quay Street','Porto');
INSERT INTO Address VALUES(2,'12 Mill Lane','Aveiro');
CREATE TABLE IF NOT EXISTS "Person" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "fullName" TEXT NOT NULL,
  "age" INTEGER NOT NULL,
  "address" INTEGER REFERENCES "Address" ON DELETE SET NULL
) STRICT;
INSERT INTO Person VALUES(1,'Ines Duarte',34,1);
INSERT INTO Person VALUES(2,'Tomas Lind',51,NULL);
INSERT INTO Person VALUES(3,'Noor Haddad',8,NULL);
CREATE TABLE IF NOT EXISTS "Person_pets" (
  "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
  "position" INTEGER NOT NULL,
  "value" INTEGER NOT NULL REFERENCES "Pet" ON DELETE CASCADE,
  PRIMARY KEY ("owner", "position")
) STRICT, WITHOUT ROWID;
INSERT INTO Person_pets VALUES(1,0,1);
INSERT INTO Person_pets VALUES(1,1,2);
INSERT INTO Person_pets VALUES(2,0,3);
CREATE TABLE IF NOT EXISTS "Pet" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL
) STRICT;
INSERT INTO Pet VALUES(1,'Bruno','dog');
INSERT INTO Pet VALUES(2,'Kiwi','bird');
INSERT INTO Pet VALUES(3,'Mochi','cat');
INSERT INTO Pet VALUES(4,'Rusty','dog');
CREATE TABLE IF NOT EXISTS "strata_schema_version" (
  "version" INTEGER PRIMARY KEY,
  "schema" TEXT NOT NULL,
  "migrated_at" TEXT NOT NULL
) STRICT;
INSERT INTO strata_schema_version VALUES(4,'{"classes":[{"name":"Address","properties":[{"name":"street","type":"string"},{"name":"city","type":"string"}]},{"name":"Person","properties":[{"name":"fullName","type":"string"},{"name":"age","type":"int"},{"collection":"list","name":"pets","target":"Pet","type":"object"},{"name":"address","optional":true,"target":"Address","type":"object"}]},{"name":"Pet","properties":[{"name":"name","type":"string"},{"name":"kind","type":"string"}]}],"format":1}','2026-11-21 14:23:01.726');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('Address',2);
INSERT INTO sqlite_sequence VALUES('Person',3);
INSERT INTO sqlite_sequence VALUES('Pet',4);
CREATE INDEX "Person.address" ON "Person"("address");
CREATE INDEX "Person_pets.value" ON "Person_pets"("value");
CREATE TRIGGER "strata_delete_Address" AFTER DELETE ON "Address" BEGIN
  UPDATE "Person" SET "address" = NULL WHERE "address" = OLD."_id";
END;
CREATE TRIGGER "strata_delete_Person" AFTER DELETE ON "Person" BEGIN
  DELETE FROM "Person_pets" WHERE "owner" = OLD."_id";
END;
CREATE TRIGGER "strata_delete_Pet" AFTER DELETE ON "Pet" BEGIN
  DELETE FROM "Person_pets" WHERE "value" = OLD."_id";
END;
COMMIT;
