internal import StrongroomCore
internal import StrongroomEssentials

/// The schema that sources are compared with: a file of SQL, or a database.
struct SchemaFileReader {
    let queue: DatabaseQueue
    var remarks: [Remark] = []
    /// Tables that cannot be compared, by their names in lower case, and the reason.
    var unreadable: [String: String] = [:]

    static func read(_ path: String) throws -> SchemaFileReader {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw UnreadableFile(description: "\(path) cannot be read")
        }
        if content.starts(with: Data("SQLite format 3\0".utf8)) {
            var configuration = Configuration()
            configuration.readonly = true
            return SchemaFileReader(
                queue: try DatabaseQueue(path: path, configuration: configuration))
        }
        let file = TextFile(path: path, content: content)
        if file.invalidOffset != nil || content.contains(0) {
            throw UnreadableFile(
                description:
                    "\(path) is neither SQL in UTF-8 nor a database that is not encrypted; "
                    + "'strongroom schema check' compares encrypted ones")
        }
        var text = try SchemaText(file)
        try text.supplyFunctionsOfViews()
        return SchemaFileReader(
            queue: text.queue, remarks: text.remarks, unreadable: text.unreadable)
    }
}
