extension String {
    /// The name as an SQL identifier, whatever is in it.
    package var quotedIdentifier: String {
        "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
