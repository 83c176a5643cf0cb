extension TableRecord where Self: EncodableRecord {
    /// The request for what an association leads to from this record.
    ///
    ///     // SELECT * FROM "book" WHERE "authorId" = 1
    ///     let books = try author.request(for: Author.books).fetchAll(db)
    ///
    /// It fetches nothing if the record has no value, or NULL, in a column that tells. What the
    /// record can't encode is thrown when the request is used.
    public func request<A: Association>(
        for association: A
    ) -> QueryInterfaceRequest<A.RowDecoder> where A.OriginRowDecoder == Self {
        let values = Result {
            try databaseDictionary.reduce(into: [String: DatabaseValue]()) { values, column in
                values[column.key.lowercased()] = column.value
            }
        }
        return association.request(fromRowOf: Self.databaseTableName) { try values.get() }
    }
}
