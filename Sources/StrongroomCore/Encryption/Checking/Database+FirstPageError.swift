extension Database {
    /// What reading the first page gives, if it is an error.
    func firstPageError() -> DatabaseError? {
        do {
            try readFirstPage()
            return nil
        } catch {
            return error
        }
    }
}
