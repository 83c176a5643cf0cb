// Compiled on Linux against small stubs of Combine alone: it never ran.

#if canImport(Combine)
public import Combine

/// The values of a wrapper: first the one that it has, on the main actor.
struct FetchPublisher<Value: Sendable, Output>: Publisher {
    typealias Failure = Never
    let store: FetchStore<Value>
    let output: @Sendable (Value) -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        // Safety: the subject is used on the main actor alone once it has its subscriber.
        nonisolated(unsafe) let subject = PassthroughSubject<Output, Never>()
        let (values, output) = (store.values, output)
        let task = Task { @MainActor in
            for await value in values { subject.send(output(value)) }
            subject.send(completion: .finished)
        }
        subject.handleEvents(receiveCancel: { task.cancel() }).receive(subscriber: subscriber)
    }
}

extension FetchAll {
    /// The rows as they are, and each time that they have changed.
    public var publisher: AnyPublisher<[Element], Never> {
        FetchPublisher(store: storage.store) { $0.rows }.eraseToAnyPublisher()
    }
}

extension SectionedFetchAll {
    /// The sections as they are, and each time that they have changed.
    public var publisher: AnyPublisher<ResultsSectionCollection<Element, Name>, Never> {
        FetchPublisher(store: storage.store) { $0.sections }.eraseToAnyPublisher()
    }
}

extension FetchOne {
    /// The row as it is, and each time that it has changed.
    public var publisher: AnyPublisher<Value, Never> {
        FetchPublisher(store: storage.store) { $0 }.eraseToAnyPublisher()
    }
}

extension Fetch {
    /// The value as it is, and each time that it has changed.
    public var publisher: AnyPublisher<Value, Never> {
        FetchPublisher(store: storage.store) { $0 }.eraseToAnyPublisher()
    }
}
#endif
