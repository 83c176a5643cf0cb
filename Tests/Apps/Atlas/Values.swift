import Foundation
import Strongroom

// SQL, rows and values.

func makePlaces(_ dbQueue: DatabaseQueue) throws {
    try dbQueue.write { db in
        try db.execute(
            sql: """
                INSERT INTO place (title, favorite, latitude, longitude)
                VALUES (?, ?, ?, ?)
                """, arguments: ["Paris", true, 48.85341, 2.3488])
        try check(db.lastInsertedRowID == 1, "the id of Paris")
        try db.execute(
            literal: """
                INSERT INTO place (title, favorite, latitude, longitude)
                VALUES (\("Madrid"), \(true), \(40.41678), \(-3.70379));
                UPDATE place SET title = \("O'Brien") WHERE title = \("nobody");
                """)
        var berlin = Place(
            id: nil, title: "Berlin", isFavorite: false,
            coordinate: Coordinate(latitude: 52.52437, longitude: 13.41053))
        try berlin.insert(db)
        try check(berlin.id == 3, "the id of Berlin")
        berlin.isFavorite = true
        try berlin.update(db)
        let isChanged = try berlin.updateChanges(db) { $0.title = "Berlin" }
        try check(!isChanged, "nothing has changed")
    }
    let placeCount = try dbQueue.read { db in
        try Place.fetchCount(db)
    }
    try check(placeCount == 3, "places: \(placeCount)")
    try dbQueue.read { db in
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM place")
        var titles: [String] = []
        while let row = try rows.next() {
            let title: String = row["title"]
            let isFavorite: Bool = row["favorite"]
            let coordinate = Coordinate(latitude: row["latitude"], longitude: row["longitude"])
            try check(isFavorite && coordinate.latitude > 40, "a row: \(row)")
            titles.append(title)
        }
        try check(titles == (try String.fetchAll(db, sql: "SELECT title FROM place")), "titles")
        let paris = try Place.fetchOne(db, key: 1)
        try check(paris?.coordinate == Coordinate(latitude: 48.85341, longitude: 2.3488), "Paris")
        let favorites = try Place.filter(Column("favorite") == true).order(Column("title"))
            .fetchAll(db)
        try check(favorites.map { $0.title } == ["Berlin", "Madrid", "Paris"], "favorites")
        let quick = try QuickPlace.order(Column("latitude").desc).fetchAll(db)
        try check(quick.map { $0.rowID } == [3, 1, 2], "by the numbers of columns")
    }
}

func readRows(_ db: Database) throws {
    let row = try Row.fetchOne(
        db, sql: "SELECT 'Hello' AS a, 2 AS A, NULL AS b, '2015-09-11 18:14:15.123' AS date")!
    try check(row[0] == "Hello" && row["A"] == "Hello", "the leftmost column")
    try check(row[Column("b")] as Int? == nil && row.hasNull(atIndex: 2), "NULL")
    try check(Array(row.columnNames) == ["a", "A", "b", "date"], "names")
    let date: Date = row["date"]
    try check(
        String(date.databaseValue.description.prefix(20)) == "\"2015-09-11 18:14:15", "a date")
    let dbValue: DatabaseValue? = row["missing"]
    try check(dbValue == nil && row.count == 4, "no such column")
    switch (row["A"] as DatabaseValue).storage {
    case .string(let string): try check(string == "Hello", "a text")
    default: throw Wrong(what: "no text")
    }
    try check(Int.fromDatabaseValue("Mom's birthday".databaseValue) == nil, "no number")
    let literal: Row = ["name": "foo", "date": nil]
    let other = Row(["name": "foo", "date": nil])
    try check(literal["name"] == "foo" && other["name"] == "foo", "rows of dictionaries")
    try check(Row(["name": NSObject()] as [AnyHashable: Any]) == nil, "not a row")
    for (name, value) in literal {
        try check(!name.isEmpty && (value.isNull || name == "name"), name)
    }

    let grape = try DatabaseValue.fetchOne(db, sql: "SELECT 'syrah'")!
    try check(Grape.fromDatabaseValue(grape) == nil, "an unknown grape")
    try check(
        try Optional<Int>.fetchAll(db, sql: "SELECT 1 UNION ALL SELECT NULL") == [1, nil], "nil")
    let sum = try NSDecimalNumber.fetchOne(db, sql: "SELECT 1 + 2")!
    try check(sum == NSDecimalNumber(value: 3), "a decimal number")
    let components = DatabaseDateComponents(
        DateComponents(year: 1973, month: 9, day: 18), format: .YMD)
    let read = try DatabaseDateComponents.fetchOne(db, sql: "SELECT ?", arguments: [components])
    try check(read?.format == .YMD && read?.dateComponents.month == 9, "components")
}

func useAdapters(_ db: Database) throws {
    let sql = "SELECT 0 AS a, 1 AS b, 2 AS c, 3 AS d"
    func row(_ adapter: any RowAdapter) throws -> Row {
        try Row.fetchOne(db, sql: sql, adapter: adapter)!
    }
    try check(try row(ColumnMapping(["new": "b"])) == ["new": 1], "a mapping")
    try check(try row(SuffixRowAdapter(fromIndex: 3)) == ["d": 3], "a suffix")
    try check(try row(RangeRowAdapter(1..<2)) == ["b": 1], "a range")
    try check(try row(EmptyRowAdapter()).isEmpty, "an empty row")
    let nested = ScopeAdapter([
        "left": ScopeAdapter(["left": RangeRowAdapter(0..<1), "right": RangeRowAdapter(1..<2)]),
        "right": RangeRowAdapter(2..<4),
    ])
    let left = try row(nested).scopes["left"]!
    try check(left.scopes["right"] == ["b": 1] && left.scopes["missing"] == nil, "nested scopes")
    let based = try row(
        ScopeAdapter(
            base: RangeRowAdapter(0..<2), scopes: ["rest": SuffixRowAdapter(fromIndex: 2)]))
    // Rows with other scopes are not equal.
    try check(based.unscoped == ["a": 0, "b": 1] && based != ["a": 0, "b": 1], "a base")
    try check(based.scopes["rest"] == ["c": 2, "d": 3], "a scope beside the base")
}

func useStatements(_ db: Database) throws {
    // GRDB 4: makeUpdateStatement(sql:), makeSelectStatement(sql:)
    let update = try db.makeStatement(
        sql:
            "INSERT INTO player (name, score, creationDate, achievements) VALUES (:name, :score, 0, '[]')"
    )
    update.arguments = ["name": "Statement", "score": 1]
    try update.execute()
    try update.execute(arguments: ["name": "Statement", "score": 2])
    let select = try db.cachedStatement(sql: "SELECT * FROM player WHERE name = ? ORDER BY score")
    select.arguments = ["Statement"]
    try check(try Player.fetchAll(select).map { $0.score } == [1, 2], "statements")
    select.setUncheckedArguments(["nobody"])
    try check(try Player.fetchOne(select) == nil, "unchecked arguments")
    if let arguments = StatementArguments(["name": "Statement", "least": 2] as [String: Any]) {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM player WHERE name = :name AND score >= :least",
            arguments: arguments)
        try check(rows.count == 1, "arguments of a dictionary")
    }
    try Player.filter(Column("name") == "Statement").deleteAll(db)
}

/// The length of the longest text.
struct MaxLength: DatabaseAggregate {
    var maxLength = 0

    mutating func step(_ dbValues: [DatabaseValue]) {
        guard let string = String.fromDatabaseValue(dbValues[0]) else { return }
        maxLength = max(maxLength, string.count)
    }

    func finalize() -> DatabaseValueConvertible? {
        return maxLength
    }
}

let reverse = DatabaseFunction("reverse", argumentCount: 1, pure: true) { values in
    guard let string = String.fromDatabaseValue(values[0]) else { return nil }
    return String(string.reversed())
}

let averageOf = DatabaseFunction("averageOf", pure: true) { (values: [DatabaseValue]) in
    let doubles = values.compactMap { Double.fromDatabaseValue($0) }
    return doubles.reduce(0, +) / Double(doubles.count)
}

let checkedRoot = DatabaseFunction("checkedRoot", argumentCount: 1, pure: true) { values in
    guard let double = Double.fromDatabaseValue(values[0]) else { return nil }
    guard double >= 0 else { throw DatabaseError(message: "invalid negative number") }
    return double.squareRoot()
}

let maxLength = DatabaseFunction(
    "maxLength", argumentCount: 1, pure: true, aggregate: MaxLength.self)

func useFunctions(_ db: Database) throws {
    try check(try String.fetchOne(db, sql: "SELECT reverse('foo')") == "oof", "reverse")
    try check(try Double.fetchOne(db, sql: "SELECT averageOf(1, 2, 3)") == 2, "averageOf")
    do {
        _ = try Double.fetchOne(db, sql: "SELECT checkedRoot(-1)")
        throw Wrong(what: "a root of -1")
    } catch let error as DatabaseError {
        try check(
            error.description
                == "SQLite error 1: invalid negative number - while executing `SELECT checkedRoot(-1)`",
            "\(error)")
    }
    // GRDB 4: maxLength.apply(Column("title"))
    let request = Place.select(maxLength(Column("title")))
    try check(try Int.fetchOne(db, request) == 6, "an aggregate")
    let backwards = try String.fetchAll(db, Place.select(reverse(Column("title"))).limit(1))
    try check(backwards == ["siraP"], "a function in a request")
    let uppercased = DatabaseFunction.uppercase
    let name = try String.fetchOne(db, sql: "SELECT \(uppercased.name)('Jérôme')")
    try check(name == "JÉRÔME", "uppercase")
    try check(try String.fetchOne(db, Place.select(Column("title").uppercased)) == "PARIS", "upper")
}

func inspect(_ db: Database) throws {
    try check(try db.tableExists("player") && db.columns(in: "player").count == 8, "columns")
    try check(try db.primaryKey("player").columns == ["id"], "the primary key")
    try check(
        try db.foreignKeys(on: "player").map { $0.destinationTable } == ["team"], "references")
    // SQLite makes one for the unique column.
    let indexes = try db.indexes(on: "player")
    try check(Set(indexes.map { $0.columns }) == [["teamId"], ["email"]], "indexes")
    try check(indexes.contains { $0.name == "byTeam" && !$0.isUnique }, "the index")
    try check(try db.table("wine", hasUniqueKey: ["name", "color"]), "a unique key")
    try check(Database.isSQLiteInternalTable("sqlite_master"), "SQLite's table")
    try check(Database.isGRDBInternalTable("grdb_migrations"), "the library's table")
}
