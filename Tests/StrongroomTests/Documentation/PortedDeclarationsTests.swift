import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Small differences of declarations, each of which once kept an app from compiling.
@Suite("Declarations as GRDB has them") struct PortedDeclarationsTests {
    private static let source = """
        import Foundation
        import Strongroom

        struct Player: Codable, FetchableRecord, PersistableRecord {
            var id: Int64
            var name: String

            enum Columns {
                static let id = Column("id")
                static let name = Column("name")
            }
        }

        struct Header: StatementColumnConvertible {
            let number: Int64
            let text: String
            let isOn: Bool
            let data: Data
            let ratio: Double
            let small: Float

            init(sqliteStatement: SQLiteStatement, index: CInt) {
                number = Int64(sqliteStatement: sqliteStatement, index: index)
                text = String(sqliteStatement: sqliteStatement, index: index + 1)
                isOn = Bool(sqliteStatement: sqliteStatement, index: index + 2)
                data = Data(sqliteStatement: sqliteStatement, index: index + 3)
                ratio = Double(sqliteStatement: sqliteStatement, index: index + 4)
                small = Float(sqliteStatement: sqliteStatement, index: index + 4)
            }
        }

        func renamed(_ violation: ForeignKeyViolation, _ key: ForeignKeyInfo, _ id: DatabaseObjectID) {
            var column = Column("a"), json = JSONColumn("a"), table = Table<Player>("player")
            var (violation, key, id) = (violation, key, id)
            column.name = "b"
            json.name = "b"
            table.tableName = "team"
            id.name = "team"
            id.schemaID = .temp
            key.id = 2
            violation.originTable = "team"
            violation.originRowID = nil
            violation.destinationTable = "player"
            violation.foreignKeyId = 1
        }

        func formats() {
            var debug = DebugDumpFormat(), list = ListDumpFormat(), quote = QuoteDumpFormat()
            var line = LineDumpFormat()
            (debug.header, debug.separator, debug.nullValue) = (true, ";", "-")
            (list.header, list.separator, list.nullValue) = (true, ";", "-")
            (quote.header, quote.separator) = (true, ";")
            line.nullValue = "-"
        }

        func information(_ db: Database, _ row: Row) throws -> [String] {
            _ = try ColumnInfo.fetchAll(db, sql: "PRAGMA table_info(player)")
            _ = ForeignKeyViolation(row: row)
            return [ColumnInfo(row: row).name]
        }

        func kinds(_ event: DatabaseEvent) -> CInt { event.kind.rawValue }

        func isSame(_ a: Row, _ b: Row) -> Bool { a.prefetchedRows == b.prefetchedRows }

        func send(_ values: sending AsyncValueObservation<Int>, _ format: sending JSONDumpFormat) {}

        func sendable<T: Sendable>(_: T.Type) {}

        func sendables() {
            sendable(AsyncValueObservation<Int>.self)
            sendable(JSONDumpFormat.self)
        }

        extension FilteredRequest where Self: TypedRequest, RowDecoder == Player {
            func named(_ condition: (DatabaseComponents) -> SQLExpression) -> Self {
                filter(condition)
            }
        }

        extension SelectionRequest where Self: TypedRequest, RowDecoder: TableRecord {
            func chosen(_ columns: (DatabaseComponents) throws -> [any SQLSelectable]) throws -> Self {
                try select(columns)
            }
        }

        func components() {
            func take(_: Table<Player>.DatabaseComponents.Type) {}
            func name(_: TableAlias<Player>.DatabaseComponents.Type) {}
            _ = Player.all().named { $0.name == "Arthur" }
        }
        """

    @Test(
        "compile", .proves("CMP-03", "CMP-04", "CMP-05", "CMP-06", "CMP-07"),
        arguments: ClientSource.LanguageMode.allCases)
    func declarations(_ mode: ClientSource.LanguageMode) throws {
        let directory = try TemporaryDirectory()
        #expect(try ClientSource.errors(in: Self.source, directory: directory, mode: mode) == nil)
    }

    @Test("A format prints as its properties say now", .proves("CMP-05"))
    func formats() throws {
        let queue = try DatabaseQueue()
        func dump(_ format: some DumpFormat) throws -> String {
            let stream = DumpText()
            try queue.dumpSQL("SELECT 1 AS a, NULL AS b", format: format, to: stream)
            return stream.text
        }
        var list = ListDumpFormat()
        (list.header, list.separator, list.nullValue) = (true, ";", "-")
        #expect(try dump(list) == "a;b\n1;-\n")
        var line = LineDumpFormat()
        line.nullValue = "nothing"
        #expect(try dump(line) == "a = 1\nb = nothing\n")
    }

    @Test("The kind of an event has SQLite's number", .proves("CMP-06"))
    func kinds() {
        #expect(DatabaseEvent.Kind.insert.rawValue == 18)
        #expect(DatabaseEvent.Kind(rawValue: 9) == .delete)
        #expect(DatabasePreUpdateEvent.Kind.update.rawValue == 23)
    }
}

private final class DumpText: TextOutputStream {
    private(set) var text = ""

    func write(_ string: String) { text += string }
}
