import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A record whose properties are those of a layout, which the task has.
private protocol RandomRecord: FetchableRecord, MutablePersistableRecord, Identifiable {
    var id: Int64? { get }
    /// What was read of each property.
    var read: [Any?] { get }
    init(id: Int64?, samples: [RandomColumn.Sample])
}

private enum Current {
    @TaskLocal static var layout = RandomLayout()
}

private struct CodableRecord: RandomRecord, Codable {
    static let databaseTableName = "record"
    var id: Int64?
    var samples: [RandomColumn.Sample] = []
    var read: [Any?] = []

    init(id: Int64?, samples: [RandomColumn.Sample]) {
        self.id = id
        self.samples = samples
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        id = try container.decode(Int64.self, forKey: AnyKey("id"))
        read = try Current.layout.columns.map { try $0.decode(container) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encodeIfPresent(id, forKey: AnyKey("id"))
        for sample in samples { try sample.encode(&container) }
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        switch Current.layout.names {
        case .same: .useDefaultKeys
        case .snake: .convertToSnakeCase
        case .custom: .custom { $0.stringValue == "id" ? "id" : "c_\($0.stringValue)" }
        }
    }

    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        switch Current.layout.names {
        case .same: .useDefaultKeys
        case .snake: .convertFromSnakeCase
        case .custom: .custom { AnyKey($0 == "id" ? "id" : String($0.dropFirst(2))) }
        }
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        Current.layout.strategies(column).dateEncoding
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        Current.layout.strategies(column).dateDecoding
    }

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        Current.layout.strategies(column).uuidEncoding
    }

    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        Current.layout.strategies(column).dataEncoding
    }

    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        Current.layout.strategies(column).dataDecoding
    }
}

private struct WrittenRecord: RandomRecord {
    static let databaseTableName = "record"
    var id: Int64?
    var samples: [RandomColumn.Sample] = []
    var read: [Any?] = []

    init(id: Int64?, samples: [RandomColumn.Sample]) {
        self.id = id
        self.samples = samples
    }

    init(row: Row) throws {
        id = row["id"]
        read = try Current.layout.columns.map { try $0.read(row, $0.name) }
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        for (column, sample) in zip(Current.layout.columns, samples) {
            container[column.name] = sample.databaseValue
        }
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// Random records are stored, changed and read back as a model of plain Swift says.
@Suite struct RandomRecordTests {
    private typealias Columns = [String: DatabaseValue]

    @Test(
        .proves(
            "CMP-61", "VAL-043", "VAL-045", "VAL-046", "VAL-047", "VAL-048", "VAL-049", "VAL-050"))
    func `Codable records are what a model says`() throws {
        try run("Codable records", CodableRecord.self, valuesOnly: false)
    }

    @Test(.proves("CMP-37")) func `Records that code themselves are what a model says`() throws {
        try run("records by hand", WrittenRecord.self, valuesOnly: true)
    }

    private func run<R: RandomRecord>(_ name: String, _ type: R.Type, valuesOnly: Bool) throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        let count = try Fuzzing().run(name, inputs: 300) { random in
            let layout = RandomLayout(valuesOnly: valuesOnly, &random)
            try Current.$layout.withValue(layout) {
                try queue.inDatabase { db in
                    try db.execute(sql: "DROP TABLE IF EXISTS record")
                    try db.create(table: "record") { t in
                        t.autoIncrementedPrimaryKey("id")
                        for column in layout.columns { t.column(layout.columnName(column.name)) }
                    }
                    try use(R.self, layout, db, &random)
                }
            }
        }
        #expect(count >= 300)
    }

    private func use<R: RandomRecord>(
        _ type: R.Type, _ layout: RandomLayout, _ db: Database, _ random: inout SeededGenerator
    ) throws {
        let names = layout.columns.map { layout.columnName($0.name) }
        let shown = layout.columns.map {
            "\($0.name): \($0.typeName)\($0.isOptional ? "?" : "") \($0.strategies)"
        }
        func columns(_ samples: [RandomColumn.Sample]) -> Columns {
            Dictionary(uniqueKeysWithValues: zip(names, samples.map(\.stored)))
        }
        func expect(_ holds: Bool, _ what: String) throws {
            try Fuzzing.expect(holds, "\(what): \(shown)")
        }
        var samples = layout.samples(&random)
        var record = R(id: nil, samples: samples)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try record.insert(db)
        case 1: try record.save(db)
        case 2: try record.upsert(db)
        default: record = R(id: try record.insertAndFetch(db).id, samples: samples)
        }
        try expect(record.id != nil, "no id")
        try compare(db, record, samples, layout, &random, expect)

        let old = samples
        for index in samples.indices where Bool.random(using: &random) {
            samples[index] = layout.columns[index].sample(
                layout.columns[index].strategies, &random)
        }
        let changed = R(id: record.id, samples: samples)
        let (before, after) = (columns(old), columns(samples))
        let changes = before.filter { after[$0.key] != $0.value }
        try expect(try changed.databaseChanges(from: record) == changes, "changes")
        try expect(changed.databaseEquals(record) == changes.isEmpty, "equal")
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try changed.update(db)
        case 1: try expect(try changed.updateChanges(db, from: record) != changes.isEmpty, "told")
        case 2: _ = try changed.updateAndFetch(db)
        default:
            var saved = changed
            try saved.save(db)
        }
        try compare(db, changed, samples, layout, &random, expect)
        try expect(try changed.delete(db) && R.fetchCount(db) == 0, "deleted")
    }

    /// Compares what the table has, and what every way of reading makes of it.
    private func compare<R: RandomRecord>(
        _ db: Database, _ record: R, _ samples: [RandomColumn.Sample], _ layout: RandomLayout,
        _ random: inout SeededGenerator, _ expect: (Bool, String) throws -> Void
    ) throws {
        let names = layout.columns.map { layout.columnName($0.name) }
        let dictionary = try record.databaseDictionary
        let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM record"))
        for (name, sample) in zip(names, samples) {
            let value: DatabaseValue = row[name]
            try expect(
                value.storage == sample.stored.storage,
                "\(name) is \(value), not \(sample.stored)")
            try expect(dictionary[name] == sample.stored, "\(name) in the dictionary")
        }
        try expect(
            Set(dictionary.keys).subtracting(["id"]) == Set(names), "\(dictionary.keys)")
        let readings: [R?] = [
            try R.fetchOne(db), try R.fetchAll(db).first, try R.fetchOne(db, key: record.id),
            try R(row: row), try R(row: Self.row(row)),
            try R.all().including(optional: R.itself).fetchOne(db),
        ]
        for (number, reading) in readings.enumerated() {
            guard let reading else { return try expect(false, "reading \(number) found nothing") }
            for ((read, sample), name) in zip(zip(reading.read, samples), names) {
                try expect(sample.isRead(read), "\(name), read \(number), is \(read as Any)")
            }
        }
        guard !layout.columns.isEmpty else { return }
        let index = Int.random(in: layout.columns.indices, using: &random)
        try lack(row, index, R.self, layout, expect)
    }

    /// A row that no statement gave.
    private static func row(
        _ row: Row, _ change: (inout [String: DatabaseValue]) -> Void = { _ in }
    ) -> Row {
        var cells = Dictionary(Array(row), uniquingKeysWith: { $1 })
        change(&cells)
        return Row(cells.mapValues { Optional<any DatabaseValueConvertible>($0) })
    }

    /// A column that is not there, or is NULL, is nil if anything.
    private func lack<R: RandomRecord>(
        _ row: Row, _ index: Int, _ type: R.Type, _ layout: RandomLayout,
        _ expect: (Bool, String) throws -> Void
    ) throws {
        let column = layout.columns[index]
        // Code by hand is not told of errors: it traps.
        guard R.self is CodableRecord.Type || column.isOptional else { return }
        let name = layout.columnName(column.name)
        for cell in [DatabaseValue?.none, .null] {
            // A map can be made of the other columns.
            if cell == nil, column.typeName.hasPrefix("Dictionary") { continue }
            do {
                let record = try R(row: Self.row(row) { $0[name] = cell })
                try expect(column.isOptional && record.read[index] == nil, "\(name) is missing")
            } catch is RowDecodingError {
                try expect(!column.isOptional, "\(name) is optional")
            } catch is DecodingError {
                try expect(!column.isOptional && !column.isValue, "\(name) is optional")
            }
        }
    }
}

extension RandomRecord where Self: TableRecord {
    fileprivate static var itself: BelongsToAssociation<Self, Self> {
        belongsTo(Self.self, using: ForeignKey(["id"], to: ["id"]))
    }
}
