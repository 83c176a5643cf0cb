import Foundation
import StrongroomTables

/// The SQL of an expression of a table's columns, with backticks in place of double quotes, and
/// without the name of the table.
func sql<Source: QuerySource>(
    _ type: Source.Type, _ expression: (Source.TableColumns) -> some QueryExpression
) -> String {
    expression(Source.columns).queryFragment.description
        .replacing("\"\(Source.tableName)\".", with: "").replacing("\"", with: "`")
}

extension StrongroomTables.Statement {
    /// The SQL, with backticks in place of double quotes.
    var text: String { debugSQL.replacing("\"", with: "`") }
}
