/// Whether a connection may be used, and for what.
struct Standing {
    /// Whether the connection is set up, so that nothing of its encryption may change any more.
    var isReady = false

    /// Whether nothing may be written before the connection has a key.
    var needsKeyToWrite = false

    /// Whether the connection holds a state that it could not get back to: its transaction stays.
    var holdsState = false

    /// Whether the database has a log, as far as is known: a pragma may change it.
    var hasLog: Bool?

    /// Learns the key that the app's preparation gives.
    var learnKey: (() throws -> CipherKey?)?

    /// Finds out more about a key that does not open the file, by other keys that the app has.
    var wrongKeyReason: (() -> String?)?

    /// Whether the place that keeps the key gives another one by now: a rotation has ended meanwhile.
    var hasOtherKey: (() -> Bool)?

    /// The folder of the key store that gives the key.
    var keyStore: String?

    /// Refuses a new key that the place that keeps the key could not give at the next launch.
    var requireKept: (@Sendable (_ newKey: CipherKey) throws -> Void)?

    /// Why the connection must not be used any more, once that is so.
    var refusal: BoxedError?

    /// Why a connection that was closed for a rotation could not be opened again.
    var closingReason: BoxedError?

    /// What the first page gave that was not what had been written.
    var damage: DatabaseError?

    /// Whether functions that are added may be called by a schema that is not trusted.
    var vouchesForFunctions = false
}
