extension ColumnInfo: FetchableRecord {}
extension ForeignKeyViolation: FetchableRecord {}
