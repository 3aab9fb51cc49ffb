CREATE TABLE "Book" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "title" TEXT NOT NULL,
  "firstName" TEXT NOT NULL,
  "lastName" TEXT NOT NULL,
  "shelf" INTEGER NOT NULL
) STRICT;
INSERT INTO "Book" VALUES (1, 'Emma', 'Jane', 'Austen', 3);
INSERT INTO "Book" VALUES (2, '', '', '', 0);
