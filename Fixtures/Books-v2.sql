CREATE TABLE "Book" (
  "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "title" TEXT NOT NULL,
  "author" TEXT NOT NULL,
  "shelf" TEXT NOT NULL
) STRICT;
INSERT INTO "Book" VALUES (1, 'Emma', 'Jane Austen', 'Shelf 3');
INSERT INTO "Book" VALUES (2, '', '', '');
