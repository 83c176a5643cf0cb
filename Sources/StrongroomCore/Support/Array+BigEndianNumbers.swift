extension Array where Element == UInt8 {
    /// Four bytes as the number that SQLite wrote, the high byte first.
    func number32(at offset: Int) -> UInt32 {
        self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Two bytes as the number that SQLite wrote, the high byte first.
    func number16(at offset: Int) -> Int {
        Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}
