import Foundation
public import Testing

/// Databases that other programs write, to be read by Strongroom. Each is made where the test wants it.
public enum ForeignDatabase {
    /// What opens those that are encrypted.
    public static let passphrase = "testkey"
    /// The rows of their table `t1`.
    public static let rowCount = 2000
    /// The rows of the media shop's table `Track`.
    public static let trackCount = 800

    /// Has the `sqlcipher` shell encrypt a database as that major version of SQLCipher does.
    ///
    /// - returns: its path.
    public static func create(compatibility version: Int, at path: String) throws -> String {
        let settings = ["PRAGMA cipher_compatibility = \(version)"]
        try SQLCipherShell(path: path, key: .passphrase(passphrase), settings: settings).create(
            """
            CREATE TABLE t1 (a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(rowCount))
              INSERT INTO t1 SELECT n, hex(randomblob(40)) FROM c;
            """)
        return path
    }

    /// Has Python's `sqlite3`, which is plain SQLite, write the database of a shop: many tables with
    /// composite keys, references to themselves, indexes, text in many scripts, dates, decimals.
    ///
    /// - returns: its path.
    public static func createMediaShop(at path: String) throws -> String {
        let program = """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1])
            connection.executescript(sys.stdin.read())
            connection.close()
            """
        let result = try Subprocess.run(
            "python3", ["-c", program, path], input: Data(mediaShop.utf8))
        guard result.isSuccess else {
            throw SQLCipherShell.Failure(description: "python3: \(result.errorText)")
        }
        return path
    }

    private static let mediaShop = """
        CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY NOT NULL, Name NVARCHAR(120));
        CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY NOT NULL, Title NVARCHAR(160) NOT NULL,
          ArtistId INTEGER NOT NULL REFERENCES Artist (ArtistId) ON DELETE NO ACTION);
        CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY NOT NULL, Name NVARCHAR(120));
        CREATE TABLE Track (TrackId INTEGER PRIMARY KEY NOT NULL, Name NVARCHAR(200) NOT NULL,
          AlbumId INTEGER REFERENCES Album (AlbumId), GenreId INTEGER REFERENCES Genre (GenreId),
          Milliseconds INTEGER NOT NULL, UnitPrice NUMERIC(10, 2) NOT NULL, Sample BLOB);
        CREATE TABLE Playlist (PlaylistId INTEGER PRIMARY KEY NOT NULL, Name NVARCHAR(120));
        CREATE TABLE PlaylistTrack (PlaylistId INTEGER NOT NULL REFERENCES Playlist (PlaylistId),
          TrackId INTEGER NOT NULL REFERENCES Track (TrackId),
          CONSTRAINT PK_PlaylistTrack PRIMARY KEY (PlaylistId, TrackId));
        CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY NOT NULL, LastName NVARCHAR(20) NOT NULL,
          ReportsTo INTEGER REFERENCES Employee (EmployeeId), HireDate DATETIME);
        CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY NOT NULL, Email NVARCHAR(60) NOT NULL UNIQUE,
          SupportRepId INTEGER REFERENCES Employee (EmployeeId));
        CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY NOT NULL,
          CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId),
          InvoiceDate DATETIME NOT NULL, Total NUMERIC(10, 2) NOT NULL);
        CREATE INDEX IFK_AlbumArtistId ON Album (ArtistId);
        CREATE INDEX IFK_TrackAlbumId ON Track (AlbumId);
        CREATE INDEX Track_Name ON Track (Name COLLATE NOCASE) WHERE Milliseconds > 200000;
        CREATE VIEW Sale AS SELECT Email, sum(Total) AS Sum FROM Customer NATURAL JOIN Invoice GROUP BY 1;

        INSERT INTO Artist VALUES (1, 'Björk'), (2, '坂本龍一'), (3, 'Сплин'), (4, 'AC/DC'), (5, 'فيروز');
        INSERT INTO Genre VALUES (1, 'Rock'), (2, 'Алтернатива'), (3, NULL);
        INSERT INTO Employee VALUES (1, 'Adams', NULL, '2002-08-14 00:00:00'),
          (2, 'O''Hara', 1, '2002-05-01 00:00:00'), (3, 'Peña', 2, NULL);
        INSERT INTO Playlist VALUES (1, 'Music'), (2, 'Ünïcode "quoted"'), (3, '');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
          INSERT INTO Album SELECT i, 'Album ' || i, 1 + i % 5 FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(trackCount))
          INSERT INTO Track SELECT i, 'Track ' || i, nullif(1 + i % 61, 61), 1 + i % 3, 1000 * i,
            0.99 + i % 2, iif(i % 7, NULL, randomblob(i * 9)) FROM n;
        INSERT INTO PlaylistTrack SELECT 1 + TrackId % 2, TrackId FROM Track;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
          INSERT INTO Customer SELECT i, 'c' || i || '@example.org', 1 + i % 3 FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
          INSERT INTO Invoice SELECT i, 1 + i % 59, datetime('2009-01-01', i || ' days'), i * 0.99
            FROM n;
        """
}

extension Tag {
    /// Takes more than a few seconds.
    @Tag public static var slow: Self
}
