import Strongroom
import StrongroomTestSupport

/// A library of books, which requests are about.
enum Library {
    struct Country: Codable, FetchableRecord, PersistableRecord {
        var code: String
        var name: String

        enum Columns {
            static let code = Column("code")
            static let name = Column("name")
        }

        static let authors = hasMany(Author.self)
        static let books = hasMany(Book.self, through: authors, using: Author.books)
    }

    struct Author: Codable, FetchableRecord, PersistableRecord, Identifiable {
        var id: Int64
        var name: String
        var countryCode: String?
        var born: Int?

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let countryCode = Column("countryCode")
            static let born = Column("born")
        }

        static let country = belongsTo(Country.self)
        static let books = hasMany(Book.self)
        static let profile = hasOne(Profile.self)
        static let reviews = hasMany(Review.self, through: books, using: Book.reviews)
        static let teacher = belongsTo(
            Author.self, key: "teacher", using: ForeignKey(["teacherId"]))
        static let students = hasMany(
            Author.self, key: "students", using: ForeignKey(["teacherId"]))
    }

    struct Profile: Codable, FetchableRecord, PersistableRecord {
        var authorId: Int64
        var text: String
    }

    struct Book: Codable, FetchableRecord, PersistableRecord, Identifiable {
        var id: Int64
        var title: String
        var authorId: Int64?
        var year: Int?
        var price: Double?
        var genre: String?

        enum Columns {
            static let id = Column("id")
            static let title = Column("title")
            static let authorId = Column("authorId")
            static let year = Column("year")
            static let price = Column("price")
            static let genre = Column("genre")
            static let info = JSONColumn("info")
        }

        static let author = belongsTo(Author.self)
        static let country = hasOne(Country.self, through: author, using: Author.country)
        static let reviews = hasMany(Review.self)
        static let awards = hasMany(Award.self)
    }

    struct Award: Codable, FetchableRecord, PersistableRecord {
        var bookId: Int64
        var name: String

        enum Columns {
            static let bookId = Column("bookId")
            static let name = Column("name")
        }

        static let book = belongsTo(Book.self)
    }

    struct Review: Codable, FetchableRecord, PersistableRecord, Identifiable {
        var id: Int64
        var bookId: Int64
        var stars: Int?
        var day: String

        enum Columns {
            static let id = Column("id")
            static let bookId = Column("bookId")
            static let stars = Column("stars")
            static let day = Column("day")
        }

        static let book = belongsTo(Book.self)
    }
}

// MARK: - Data

extension Library {
    static func fill(_ db: Database) throws {
        try db.execute(sql: schema)
        if LinkedEngine.hasFTS5 {
            try db.create(virtualTable: "bookText", using: FTS5()) { t in
                t.synchronize(withTable: "book")
                t.column("title")
            }
        }
        try db.create(virtualTable: "oldText", using: FTS4()) { t in
            t.column("title")
        }
        try db.execute(sql: "INSERT INTO oldText SELECT title FROM book")
    }

    private static let schema = """
        CREATE TABLE country(code TEXT PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO country VALUES ('FR', 'France'), ('US', 'USA'), ('DE', 'Germany'), ('AQ', '');
        CREATE TABLE author(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, countryCode TEXT REFERENCES country,
            born INT, teacherId INT);
        INSERT INTO author VALUES
            (1, 'Herman Melville', 'US', 1819, NULL), (2, 'Jean Giono', 'FR', 1895, 1),
            (3, 'Marcel Proust', 'FR', 1871, NULL), (4, 'Franz Kafka', 'DE', 1883, NULL),
            (5, 'Anonymous', NULL, NULL, NULL), (6, 'marcel aymé', 'FR', 1902, 3),
            (7, 'Max O''Brien', 'US', 1871, 4);
        CREATE TABLE profile(authorId INTEGER PRIMARY KEY REFERENCES author, text TEXT);
        INSERT INTO profile VALUES (1, 'sailor'), (3, 'ill'), (4, '50% clerk');
        CREATE TABLE book(
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId INT REFERENCES author, year INT,
            price REAL, genre TEXT, info TEXT);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO book SELECT
            i, substr('The Sea Of Hills And Old Stars', 1 + i * 7 % 20, 10) || ' ' || i,
            CASE WHEN i % 9 = 0 THEN NULL ELSE 1 + i * 5 % 6 END,
            CASE WHEN i % 11 = 0 THEN NULL ELSE 1850 + i * 37 % 100 END,
            CASE WHEN i % 7 = 0 THEN NULL ELSE i * 13 % 30 + 0.5 END,
            CASE i % 4 WHEN 0 THEN 'novel' WHEN 1 THEN 'essay' WHEN 2 THEN 'Novel' END,
            CASE WHEN i % 10 = 0 THEN NULL
                ELSE '{"pages":' || (i * 17 % 500) || ',"tags":["t' || (i % 3) || '","x"]}' END
        FROM n;
        CREATE TABLE award(
            bookId INT REFERENCES book, name TEXT, PRIMARY KEY (bookId, name)) WITHOUT ROWID;
        INSERT INTO award SELECT id, 'Prize ' || (id % 3) FROM book WHERE id % 3 <> 1;
        INSERT INTO award SELECT id, 'Medal' FROM book WHERE id % 5 = 0;
        CREATE TABLE review(
            id INTEGER PRIMARY KEY, bookId INT NOT NULL REFERENCES book, stars INT, day TEXT);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 120)
        INSERT INTO review SELECT
            i, 1 + i * 11 % 35, CASE WHEN i % 8 = 0 THEN NULL ELSE (i * 3 + i / 7) % 5 + 1 END,
            date('2024-01-31', (i * 11 % 300) || ' days')
        FROM n;
        """
}
