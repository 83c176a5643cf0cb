/// A way to print rows.
///
/// Strongroom has `.debug()`, `.json()`, `.line()`, `.list()` and `.quote()`. Adopt it for one of
/// your own:
///
///     struct CountFormat: DumpFormat {
///         var count = 0
///
///         mutating func writeRow(
///             _ db: Database, statement: Statement, to stream: inout DumpStream
///         ) { count += 1 }
///
///         mutating func finalize(
///             _ db: Database, statement: Statement, to stream: inout DumpStream
///         ) {
///             stream.write("\(count) rows\n")
///             count = 0
///         }
///     }
public protocol DumpFormat {
    /// Prints the row at which a statement stands.
    ///
    /// `DatabaseValue(sqliteStatement:index:)` reads its cells.
    ///
    /// - Throws: `DatabaseError` when a statement fails.
    mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream) throws

    /// Ends the rows of a statement, of which there may have been none.
    ///
    /// The same format prints the rows of the next statement: whatever it counts begins again.
    mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream)
}

extension Statement {
    /// The values of the row at which the statement stands.
    var dumpedValues: [DatabaseValue] {
        (0..<columnCount).map {
            DatabaseValue(sqliteStatement: sqliteStatement, index: CInt($0))
        }
    }
}
