internal import StrongroomCore
internal import Synchronization

/// The shared fetches of the process that wrappers use.
///
/// Invariant: subscribers come and go under its lock, so that none joins one that is ending.
enum FetchRegistry {
    private static let fetches = Mutex<[FetchIdentity: any AnyObject & Sendable]>([:])

    /// - Returns: The fetch, its subscriber's number, and whether it is new.
    static func join<Value>(
        _ query: FetchQuery<Value>, _ settings: FetchSettings,
        _ subscriber: @escaping SharedFetch<Value>.Subscriber
    ) -> (fetch: SharedFetch<Value>, id: Int, isNew: Bool) {
        let identity = FetchIdentity(query, settings)
        return fetches.withLock { fetches in
            if let fetch = fetches[identity] as? SharedFetch<Value> {
                return (fetch, fetch.add(subscriber), false)
            }
            let fetch = SharedFetch(query, settings, identity)
            fetches[identity] = fetch
            return (fetch, fetch.add(subscriber), true)
        }
    }

    static func leave<Value>(_ fetch: SharedFetch<Value>, _ id: Int) {
        let end = fetches.withLock { fetches in
            let end = fetch.remove(id)
            if end != nil { fetches[fetch.identity] = nil }
            return end
        }
        end?()
    }
}
