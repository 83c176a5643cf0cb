/// Fills a temporary file with the rows that can be saved of a damaged one, and reads it back.
struct VerifiedSalvage {
    let diagnosed: DiagnosedFile
    let source: DatabaseFile
    let destination: DatabaseFile
    let operation: LongOperation

    func run(_ temporary: FileReplacement.Temporary) throws -> SalvageReport {
        let file = destination.filled(in: temporary)
        var report = try fill(file)
        try VirtualTableRepair.run(on: file, operation, &report)
        guard !report.tables.isEmpty || report.strayRowCount > 0 else {
            throw DatabaseFileError(
                .damaged, source.path, "nothing could be saved of \(source.path)",
                hint: "look for a backup")
        }
        try verify(file, temporary, &report)
        return report
    }

    private func fill(_ file: DatabaseFile) throws -> SalvageReport {
        let copy = try file.makeConnection(.filling)
        defer { try? copy.close() }
        let salvage = try RowSalvage(diagnosed, into: copy, operation)
        return try salvage.run()
    }

    private func verify(
        _ file: DatabaseFile, _ temporary: FileReplacement.Temporary,
        _ report: inout SalvageReport
    ) throws {
        let copy = try file.makeConnection(.verifying)
        defer { try? copy.close() }
        let byteCount = try file.fileSystem.descriptorStatus(temporary.descriptor).byteCount
        try operation.begin(.verifying, totalByteCount: byteCount)
        let bad = try CipherIntegrity(
            of: copy, destination, byteCount: byteCount, operation
        ).messages
        guard bad.isEmpty else {
            throw destination.unverified("\(bad.count) pages are not authentic")
        }
        try destination.requireSound(StructureCheck(of: copy, quick: false, isOwn: true, operation))
        for table in report.tables {
            let sql = "SELECT count(*) FROM main.\(table.name.quotedDatabaseIdentifier) NOT INDEXED"
            let rowCount = try operation.watching(copy) { try copy.number(sql) }
            guard rowCount == table.rowCount else {
                throw destination.unverified("the number of rows of \(table.name) differs")
            }
        }
        report.pageCount = Int(try copy.number("PRAGMA page_count"))
        report.pageSize = Int(try copy.number("PRAGMA page_size"))
    }
}
