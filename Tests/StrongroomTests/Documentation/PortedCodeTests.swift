import StrongroomTestSupport
import Testing

/// Code that was written for GRDB compiles, in the language modes in which apps are built.
@Suite("Code written for GRDB") struct PortedCodeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A class that belongs to no actor, and may be used by one thread only.
    private static let modelOfNoActor = """
        import Dispatch
        import Strongroom

        final class Model {
            var count = 0
            var cancellables: [AnyDatabaseCancellable] = []
            let writer: any DatabaseWriter
            let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT 1") ?? 0 }

            init(_ writer: any DatabaseWriter) { self.writer = writer }

            func show(_ error: any Error) {}

            func start() {
                cancellables.append(
                    observation.start(
                        in: writer, onError: { [weak self] error in self?.show(error) },
                        onChange: { [weak self] count in self?.count = count }))
                cancellables.append(
                    observation.start(in: writer, scheduling: .immediate) { [weak self] error in
                        self?.show(error)
                    } onChange: { [weak self] count in
                        self?.count = count
                    })
                cancellables.append(
                    observation.start(in: writer, scheduling: .mainActor) { error in
                        self.show(error)
                    } onChange: { count in
                        self.count = count
                    })
            }

            func startOnQueue() {
                cancellables.append(
                    observation.start(
                        in: writer, scheduling: .async(onQueue: .main),
                        onError: { [weak self] error in self?.show(error) },
                        onChange: { [weak self] count in self?.count = count }))
                cancellables.append(
                    observation.shared(in: writer).start(
                        onError: { [weak self] error in self?.show(error) },
                        onChange: { [weak self] count in self?.count = count }))
                cancellables.append(
                    DatabaseRegionObservation(tracking: .fullDatabase).start(
                        in: writer, onError: { [weak self] error in self?.show(error) },
                        onChange: { [weak self] _ in self?.count += 1 }))
            }
        }
        """

    /// Functions that fetch, which know variables and objects of one thread.
    private static let fetchesWithVariables = """
        import Strongroom

        final class Settings {
            var limit = 10
        }

        func observations(_ settings: Settings) {
            var fetchCount = 0
            _ = ValueObservation.tracking { db -> Int in
                fetchCount += 1
                return settings.limit
            }
            _ = ValueObservation.trackingConstantRegion { db -> Int in
                fetchCount += 1
                return settings.limit
            }
            _ = ValueObservation.tracking(region: .fullDatabase) { db -> Int in
                fetchCount += 1
                return settings.limit
            }
            _ = ValueObservation.tracking(region: Table("player"), Table("team")) { db -> Int in
                fetchCount += 1
                return settings.limit
            }
            _ = ValueObservation.tracking(regions: [Table("player")]) { db -> Int in
                fetchCount += 1
                return settings.limit
            }
        }
        """

    /// A class of the main actor, as views have them.
    private static let modelOfTheMainActor = """
        import Strongroom

        @MainActor final class Model {
            var count = 0
            var cancellable: AnyDatabaseCancellable?

            func start(in writer: any DatabaseWriter) {
                let observation = ValueObservation.tracking { db in
                    try Int.fetchOne(db, sql: "SELECT 1") ?? 0
                }
                cancellable = observation.start(in: writer, scheduling: .immediate) { _ in
                    self.count = -1
                } onChange: { [weak self] count in
                    self?.count = count
                }
            }
        }
        """

    @Test(
        "Observations are started off the main actor, and know what their app knows",
        .proves("CMP-01"), arguments: ClientSource.LanguageMode.allCases,
        [modelOfNoActor, fetchesWithVariables, modelOfTheMainActor])
    func observations(_ mode: ClientSource.LanguageMode, _ source: String) throws {
        let errors = try ClientSource.errors(in: source, directory: directory, mode: mode)
        #expect(errors == nil)
    }

    @Test("What is not for all threads is not observed in Swift 6", .proves("CMP-01"))
    func refusals() throws {
        let source = """
            import Strongroom

            final class Settings {}

            func example(_ writer: any DatabaseWriter, _ settings: Settings) async throws {
                let observation = ValueObservation.tracking { _ in 1 }
                _ = ValueObservation.tracking { _ in settings } // no
                _ = ValueObservation.trackingConstantRegion { $0 } // no
                _ = observation.map { _ in settings } // no
                writer.asyncRead { _ in print(settings) } // no
                try await writer.write { _ in print(settings) } // no
            }
            """
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let marked = lines.indices.filter { lines[$0].hasSuffix("// no") }.map { $0 + 1 }
        let found = try ClientSource.linesWithErrors(in: source, directory: directory)
        #expect(found == Set(marked))
    }
}
