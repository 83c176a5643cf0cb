/// An error in one word instead of many: whether it is there is looked at before every statement.
final class BoxedError {
    let error: DatabaseError

    init(_ error: DatabaseError) {
        self.error = error
    }
}
