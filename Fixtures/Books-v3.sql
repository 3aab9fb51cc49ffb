CREATE UNIQUE INDEX "Author.name" ON "Author"("name");
CREATE INDEX "Book.author" ON "Book"("author");
CREATE TABLE "Author" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL
) STRICT;
CREATE TABLE "Book" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "title" TEXT NOT NULL,
  "author" INTEGER REFERENCES "Author" ON DELETE SET NULL,
  "shelf" TEXT NOT NULL
) STRICT;
CREATE TRIGGER "strata_delete_Author" AFTER DELETE ON "Author" BEGIN
  UPDATE "Book" SET "author" = NULL WHERE "author" = OLD."_id";
END;
INSERT INTO "Author" VALUES (1, 'Jane Austen');
INSERT INTO "Book" VALUES (1, 'Emma', 1, 'Shelf 3');
INSERT INTO "Book" VALUES (2, '', NULL, '');
