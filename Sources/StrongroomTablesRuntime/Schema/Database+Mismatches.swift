public import StrongroomCore
public import StrongroomSchema
internal import TableModel

extension Database {
    /// Compares types with the tables of a migrated database. Nothing is written.
    ///
    /// An empty array is the test of an app's schema, on one line:
    ///
    ///     #expect(try queue.read { try $0.mismatches(of: AppTables.all) } == [])
    ///
    /// - Parameters:
    ///   - types: The types, in any order.
    ///   - sampling: How many rows of each table are decoded besides.
    /// - Throws: `DatabaseError` when the schema cannot be read.
    public func mismatches(
        of types: [any Table.Type], sampling: Int = 0
    ) throws -> [SchemaMismatch] {
        // A type with two columns of one name cannot be asked for its layout.
        let broken = types.filter { $0.declaredColumns.hasDoubledNames }
        let whole = types.filter { !$0.declaredColumns.hasDoubledNames }
        var found = try mismatches(of: whole.map { $0.schema } + broken.map { $0.brokenSchema })
        guard sampling > 0 else { return found }
        for type in whole {
            let isMissing = found.contains { $0.table == type.tableName && $0.isAboutReading }
            if !isMissing { found += try type.undecodable(self, count: sampling) }
        }
        return found
    }
}

extension SchemaMismatch {
    fileprivate var isAboutReading: Bool {
        [.missingTable, .missingColumn, .unreadable].contains(kind)
    }
}

extension Table {
    /// The schema under the name that the rules give; the layout would know the name.
    fileprivate static var brokenSchema: TableSchema {
        let type = "\(Self.self)"
        return declaredColumns.schema(typeName: type, name: TableName.plural(ofType: type))
    }

    /// The first failure of each column in some rows.
    fileprivate static func undecodable(
        _ db: Database, count: Int
    ) throws -> [SchemaMismatch] {
        let columns = _layout.columns
        let names = columns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
        let source = "\(_layout.table.source)"
        let statement = try db.makeStatement(
            sql: "SELECT \(names) FROM \(source) LIMIT \(count)")
        let types = declaredColumns.valueTypes
        var failures: [Int: QueryDecodingError] = [:]
        let rows = try Row.fetchCursor(statement)
        while try rows.next() != nil {
            for (index, type) in types.enumerated() where failures[index] == nil {
                failures[index] = type.failure(
                    statement.sqliteStatement, at: index, isOptional: columns[index].isOptional)
            }
        }
        return failures.sorted { $0.key < $1.key }.map { index, failure in
            SchemaMismatch(
                .error, .decoding, table: tableName, column: columns[index].name,
                expected: "\(_layout.typeName).\(columns[index].property) is read from it",
                found: failure.cause)
        }
    }
}

extension QueryBindable {
    fileprivate static func failure(
        _ statement: SQLiteStatement, at index: Int, isOptional: Bool
    ) -> QueryDecodingError? {
        var decoder = StatementDecoder(statement, isCoercing: false)
        decoder.skip(index)
        if isOptional, decoder.isNull(ahead: 0) { return nil }
        do {
            _ = try decoder.decode(Self.self)
            return nil
        } catch let error as QueryDecodingError {
            return error
        } catch {
            return QueryDecodingError(column: index, reason: .value("\(error)"))
        }
    }
}

extension QueryDecodingError {
    fileprivate var cause: String {
        switch reason {
        case .null: "a row has NULL"
        case .storageClass(let found): "a row has \(found)"
        case .value(let message): "a row has a value that does not decode: \(message)"
        }
    }
}
