extension [CodingUserInfoKey: Any] {
    /// The same, as Foundation's encoders and decoders want it.
    var asForJSON: [CodingUserInfoKey: any Sendable] {
        // Safety: an encoder or decoder is made for one value, used by one thread and dropped. That
        // a value is `Sendable` leaves no trace at run time, so that both types are the same there.
        unsafeBitCast(self, to: [CodingUserInfoKey: any Sendable].self)
    }
}
