import Strongroom

extension Catalog {
    /// Brings the catalog up to date: afterwards it holds the packages of the file, and no others.
    ///
    /// All of it is one transaction: other connections see the catalog as it was before or as it
    /// is afterwards, and if reading the file fails, the catalog stays as it was.
    func importPackages(from status: inout DpkgStatus, source: String) throws -> ImportReport {
        try database.write { db in
            var importer = try PackageImporter(db, source: source)
            while let package = try status.next() {
                try importer.save(package)
            }
            return try importer.finish()
        }
    }
}
