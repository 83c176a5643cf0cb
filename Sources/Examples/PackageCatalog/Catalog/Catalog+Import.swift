import Strongroom

extension Catalog {
    /// Brings the catalog up to date: afterwards it holds the packages of the file, and no others.
    ///
    /// All of it is one transaction: other connections see the catalog as it was before or as it
    /// is afterwards, and if reading the file fails, the catalog stays as it was. That is so unless
    /// it is to commit in between: they see it grow then, and what was committed stays.
    func importPackages(
        from status: inout DpkgStatus, source: String, committingEvery count: Int? = nil
    ) throws -> ImportReport {
        try database.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            do {
                var importer = try PackageImporter(db, source: source)
                while let package = try status.next() {
                    try importer.save(package)
                    if let count, importer.packageCount.isMultiple(of: count) {
                        try db.commit()
                        try db.beginTransaction(.immediate)
                    }
                }
                let report = try importer.finish()
                try db.commit()
                return report
            } catch {
                if db.isInsideTransaction { try db.rollback() }
                throw error
            }
        }
    }
}
