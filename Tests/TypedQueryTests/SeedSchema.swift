/// The schema of the library.
let seedSchema = #"""
    CREATE TABLE "taxons" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "rank" TEXT NOT NULL,
        "parentID" INTEGER REFERENCES "taxons" ("id"));
    CREATE TABLE "varieties" ("id" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "taxonID"
        INTEGER NOT NULL REFERENCES "taxons" ("id"), "habit" INTEGER, "aliases" TEXT NOT NULL
        DEFAULT '[]', "sowing" TEXT, "isOpenPollinated" INTEGER NOT NULL DEFAULT 1,
        "daysToHarvest" INTEGER, "added_on" TEXT NOT NULL);
    CREATE TABLE "packets" ("id" INTEGER PRIMARY KEY, "varietyID" TEXT NOT NULL REFERENCES
        "varieties" ("id"), "seeds" INTEGER NOT NULL DEFAULT 0, "grams" REAL, "harvestYear"
        INTEGER, "shelf" TEXT NOT NULL DEFAULT 'A', "box" INTEGER NOT NULL DEFAULT 1, "sown"
        INTEGER, "sprouted" INTEGER, "testedAt" INTEGER, "seedsPerGram" REAL GENERATED ALWAYS AS
        (round("seeds" / "grams", 1)) STORED, "createdAt" TEXT NOT NULL DEFAULT
        '2026-01-01 00:00:00.000');
    CREATE TABLE "members" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT UNIQUE,
        "sponsorID" INTEGER REFERENCES "members" ("id"), "role" TEXT NOT NULL DEFAULT 'grower',
        "joined" REAL NOT NULL, "leftOn" TEXT, "address" BLOB, "points" INTEGER NOT NULL DEFAULT
        0);
    CREATE TABLE "loans" ("id" INTEGER PRIMARY KEY, "packetID" INTEGER NOT NULL REFERENCES
        "packets" ("id") ON DELETE CASCADE, "memberID" INTEGER NOT NULL REFERENCES "members"
        ("id"), "ticket" BLOB NOT NULL UNIQUE, "seeds" INTEGER NOT NULL, "takenAt" TEXT NOT
        NULL, "dueAt" TEXT, "returned" INTEGER);
    CREATE TABLE "traits" ("code" TEXT PRIMARY KEY NOT NULL, "label" TEXT NOT NULL);
    CREATE TABLE "varietiesTraits" ("varietyID" TEXT NOT NULL REFERENCES "varieties" ("id"),
        "traitCode" TEXT NOT NULL REFERENCES "traits" ("code") ON UPDATE CASCADE, PRIMARY KEY
        ("varietyID", "traitCode"));
    CREATE TABLE "trials" ("varietyID" TEXT NOT NULL REFERENCES "varieties" ("id"), "year"
        INTEGER NOT NULL, "score" INTEGER, "plot" TEXT NOT NULL, PRIMARY KEY ("varietyID",
        "year")) WITHOUT ROWID;
    CREATE TABLE "events" ("id" INTEGER PRIMARY KEY, "packetID" INTEGER REFERENCES "packets"
        ("id") ON DELETE SET NULL, "at" REAL NOT NULL, "by" TEXT, "fromShelf" TEXT, "toShelf"
        TEXT, "remark" TEXT);
    CREATE VIRTUAL TABLE "growNotes" USING fts5("title", "body", "author" UNINDEXED);
    """#
