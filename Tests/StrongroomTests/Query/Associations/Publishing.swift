import Strongroom
import StrongroomTestSupport
import Testing

/// Authors, their books and their passports, with employees who have a boss.
struct Publishing {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE country(code TEXT PRIMARY KEY, name TEXT);
                    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE passport(
                        countryCode TEXT REFERENCES country, authorId INT REFERENCES author,
                        PRIMARY KEY (countryCode, authorId));
                    CREATE TABLE book(
                        id INTEGER PRIMARY KEY, title TEXT, year INT,
                        authorId INT REFERENCES author, translatorId INT REFERENCES author);
                    CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT, bossId INT);
                    INSERT INTO country VALUES ('FR', 'France'), ('US', 'USA'), ('DE', 'Germany');
                    INSERT INTO author VALUES (1, 'Melville'), (2, 'Giono'), (3, 'Nobody');
                    INSERT INTO passport VALUES ('US', 1), ('FR', 1), ('FR', 2);
                    INSERT INTO book VALUES
                        (1, 'Moby-Dick', 1851, 1, 2), (2, 'Colline', 1929, 2, NULL),
                        (3, 'Regain', 1930, 2, NULL), (4, 'Anonymous', 1500, NULL, NULL);
                    INSERT INTO employee VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cy', 1);
                    """)
        }
    }

    func expect(
        _ request: some FetchRequest, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            #expect(try db.sql(of: request) == sql, sourceLocation: location)
        }
    }
}

extension Publishing {
    struct Country: Codable, FetchableRecord, PersistableRecord, Hashable {
        var code: String
        var name: String

        static let passports = hasMany(Passport.self)
        static let citizens = hasMany(
            Author.self, through: passports, using: Passport.author, key: "citizens")
    }

    struct Passport: Codable, FetchableRecord, PersistableRecord {
        var countryCode: String
        var authorId: Int64

        static let country = belongsTo(Country.self)
        static let author = belongsTo(Author.self)
    }

    struct Author: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable {
        var id: Int64
        var name: String

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
        }

        static let books = hasMany(Book.self, using: Book.authorKey).order(Column("year"))
        static let translations = hasMany(
            Book.self, key: "translations", using: ForeignKey(["translatorId"]))
        static let passports = hasMany(Passport.self)
        static let countries = hasMany(Country.self, through: passports, using: Passport.country)
    }

    struct Book: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable {
        var id: Int64
        var title: String
        var year: Int
        var authorId: Int64?
        var translatorId: Int64?

        enum Columns {
            static let title = Column("title")
            static let year = Column("year")
        }

        static let authorKey = ForeignKey(["authorId"])
        static let author = belongsTo(Author.self, using: authorKey)
        static let translator = belongsTo(
            Author.self, key: "translator", using: ForeignKey([Column("translatorId")]))
    }

    struct Employee: TableRecord, FetchableRecord {
        let row: Row
        init(row: Row) { self.row = row }

        static let boss = belongsTo(Employee.self, key: "boss", using: ForeignKey(["bossId"]))
        static let staff = hasMany(Employee.self, key: "staff", using: ForeignKey(["bossId"]))
    }
}
