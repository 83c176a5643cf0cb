import StrongroomCore

extension DatabaseInformation {
    func write(to output: TextOutput, asJSON: Bool) throws(Failure) {
        if asJSON {
            try output.writeLine(json.indentedText)
        } else {
            try fields.write(to: output)
            try writeTables(to: output)
        }
    }

    private var fields: FieldList {
        var fields = FieldList()
        fields.append("file", path)
        fields.append("size", ByteCount.text(byteCount))
        fields.append(
            "pages", "\(pageCount) of \(pageSize) bytes, \(freePageCount) free")
        fields.append("encoding", encoding)
        fields.append("journal mode", journalMode)
        fields.append("schema version", String(schemaVersion))
        fields.append("user version", String(userVersion))
        fields.append("application id", String(applicationID))
        for (name, value) in cipherSettings { fields.append(name, value) }
        if let keyring {
            fields.append("keyring", keyring.text)
            if let key = keyring.key { fields.append("key", key) }
        }
        fields.append("SQLCipher", "\(cipherVersion) (\(cipherProvider))")
        fields.append("SQLite", sqliteVersion)
        fields.append("strongroom", LibraryVersions.strongroom)
        return fields
    }

    private func writeTables(to output: TextOutput) throws(Failure) {
        try output.writeLine()
        guard !tables.isEmpty else { return try output.writeLine("no tables") }
        var table = TextTable(header: ["table", "rows"], output: output)
        for entry in tables {
            let name = TextTable.Cell(VisibleText.text(of: entry.name))
            let count = TextTable.Cell(entry.rowCount.map(String.init) ?? "?", isNumber: true)
            try table.append([name, count])
        }
        try table.finish()
    }

    private var json: JSONValue {
        let settings = cipherSettings.map { setting in
            JSONValue.Member(
                setting.name, Int64(setting.value).map(JSONValue.integer) ?? .string(setting.value))
        }
        let tables = tables.map { table in
            JSONValue.object([
                .init("name", .string(table.name)),
                .init("rowCount", table.rowCount.map(JSONValue.integer) ?? .null),
            ])
        }
        return .object([
            .init("file", .string(path)),
            .init("byteCount", .integer(byteCount)),
            .init("pageCount", .integer(pageCount)),
            .init("pageSize", .integer(pageSize)),
            .init("freePageCount", .integer(freePageCount)),
            .init("encoding", .string(encoding)),
            .init("journalMode", .string(journalMode)),
            .init("autoVacuum", .integer(autoVacuum)),
            .init("schemaVersion", .integer(schemaVersion)),
            .init("userVersion", .integer(userVersion)),
            .init("applicationID", .integer(applicationID)),
            .init("cipherSettings", .object(settings)),
            .init("cipherVersion", .string(cipherVersion)),
            .init("cipherProvider", .string(cipherProvider)),
            .init("sqliteVersion", .string(sqliteVersion)),
            .init("strongroomVersion", .string(LibraryVersions.strongroom)),
            .init("keyring", keyring?.json ?? .null),
            .init("tables", .array(tables)),
        ])
    }
}
