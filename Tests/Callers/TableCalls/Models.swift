import Foundation
import Observation
import StrongroomTables

/// The model of a view.
@MainActor @Observable
final class ChoreModel {
    @ObservationIgnored @FetchAll(Chore.open.order(by: \.title)) var chores
    @ObservationIgnored @FetchOne(Chore.count()) var count = 0
    @ObservationIgnored @Fetch(Totals()) var totals = Totals.Value()
    @ObservationIgnored @FetchAll var loads: [Load]
    @ObservationIgnored @DefaultDatabase private var database
    var search = ""

    init() {
        _loads = FetchAll(
            Person.group(by: \.id)
                .leftJoin(Chore.all) { $0.id.eq($1.personID) }
                .select { Load.Columns(name: $0.name, chores: $1.count()) })
    }

    func add(_ title: String) throws {
        try database.write { db in
            try Chore.insert { Chore.Draft(title: title, place: Place()) }.execute(db)
        }
    }

    func finish(_ chore: Chore) async throws {
        try await database.write { db in
            try Chore.find(chore.id).update { $0.isDone = true }.execute(db)
        }
        try await $chores.load()
    }

    func searchChanged() async throws {
        let words = search
        try await $chores.load(Chore.where { $0.title.contains(words) })
    }
}

/// A class that views do not know.
final class ChoreList {
    @FetchAll var chores: [Chore]
    @FetchOne var first: Chore?
    @Fetch var totals: Totals.Value

    init(_ database: any DatabaseWriter) {
        _chores = FetchAll(Chore.order(by: \.id), database: database)
        _first = FetchOne(Chore.order(by: \.id).limit(1), database: database)
        _totals = Fetch(wrappedValue: .init(), Totals(room: "kitchen"), database: database)
    }

    func load() async throws {
        try await $chores.load()
        try await $first.load()
        try await $totals.load()
    }
}
