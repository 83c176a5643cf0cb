internal import CSQLCipher

/// The words that SQL may not take for names, unless they are quoted.
// Safety: SQLite reads as many bytes as it is told.
package enum SQLKeyword {
    /// <https://www.sqlite.org/c3ref/keyword_check.html>
    package static func contains(_ word: String) -> Bool {
        unsafe sqlite3_keyword_check(word, CInt(clamping: word.utf8.count)) != 0
    }
}
