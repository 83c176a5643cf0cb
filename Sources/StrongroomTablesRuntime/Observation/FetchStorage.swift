internal import StrongroomCore

#if canImport(SwiftUI)
internal import SwiftUI
#endif

/// The store of a wrapper: in a view of SwiftUI, the one that the view keeps.
struct FetchStorage<Value: Sendable>: Sendable {
    private let made: FetchStore<Value>
    #if canImport(SwiftUI)
    @State private var kept: FetchStore<Value>
    #endif

    init(_ store: FetchStore<Value>) {
        made = store
        #if canImport(SwiftUI)
        _kept = State(initialValue: store)
        #endif
    }

    init(
        _ value: Value, _ query: FetchQuery<Value>?, _ settings: FetchSettings, _ first: FirstFetch
    ) {
        self.init(FetchStore(value, query, settings, first))
    }

    var store: FetchStore<Value> {
        #if canImport(SwiftUI)
        kept
        #else
        made
        #endif
    }

    #if canImport(SwiftUI)
    /// Has the kept store take over the query of a view that was made again, if it is another.
    func update() {
        let (made, kept) = (made, kept)
        guard made !== kept, made.madeIdentity != kept.madeIdentity else { return }
        kept.adopt(made)
    }
    #endif
}
