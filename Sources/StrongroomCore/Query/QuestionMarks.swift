/// Placeholders for so many values: `?,?,?` for 3.
///
///     let sql = "INSERT INTO player VALUES (\(databaseQuestionMarks(count: 3)))"
public func databaseQuestionMarks(count: Int) -> String {
    repeatElement("?", count: count).joined(separator: ",")
}
