extension String {
    /// The text as a part of a URI that stands for itself, whatever it has in it. A NUL stays one.
    /// <https://www.sqlite.org/uri.html>
    var escapedInURI: String {
        var escaped = ""
        for byte in PathText.bytes(of: self) {
            if byte < 0x80, !"%?#".utf8.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%" + Hexadecimal.text([byte])
            }
        }
        return escaped
    }
}
