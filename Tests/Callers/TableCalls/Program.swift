import Foundation
import StrongroomTables

/// What a program of the command line does, from start to end.
struct ChoreProgram {
    let database: any DatabaseWriter

    func run() async throws -> [String] {
        let people = [Person(id: UUID(), name: "Ada"), Person(id: UUID(), name: "Bo")]
        try fill(people)
        try await database.write { db in
            try Chore.where { $0.place.floor > 0 }.update {
                $0.title += " upstairs"
                $0.effort = .high
            }.execute(db)
        }
        var lines = try await database.read { db in
            try Chore.join(Person.all) { $0.personID.eq($1.id) }
                .where { chore, person in person.name.eq("Ada") && !chore.isDone }
                .order { chore, _ in chore.title }
                .fetchAll(db)
                .map { chore, person in "\(person.name): \(chore.summary)" }
        }
        lines += try await watch()
        return lines + (try report())
    }

    private func fill(_ people: [Person]) throws {
        try database.write { db in
            db.add(function: $shout)
            try Person.insert { people }.execute(db)
            try Chore.insert {
                Chore.Draft(title: "sweep", place: Place(), personID: people[0].id)
                Chore.Draft(
                    title: "dust", effort: .low, due: Date(timeIntervalSince1970: 60),
                    place: Place(room: "study", floor: 1), personID: people[0].id)
            }.execute(db)
            try Chore.upsert {
                Chore(
                    id: 9, title: "mop", isDone: true, place: Place(), personID: people[1].id)
            }.execute(db)
            try ChoreText.insert { ChoreText(title: "sweep the floor") }.execute(db)
            try Chore.createTemporaryTrigger(
                after: .delete { old in ChoreText.where { $0.title.eq(old.title) }.delete() }
            ).execute(db)
        }
    }

    /// Follows a count until it is another one.
    private func watch() async throws -> [String] {
        let counts = ValueObservation.tracking { db in try Chore.open.fetchCount(db) }
        for try await count in counts.values(in: database) {
            if count == 1 { return ["\(count) open"] }
            try await database.write { db in
                try Chore.where { $0.title.hasPrefix("dust") }.delete().execute(db)
            }
        }
        return []
    }

    private func report() throws -> [String] {
        try database.read { db in
            let found = try ChoreText.where { $0.match("floor") }.select(\.title).fetchAll(db)
            let shouted = try Chore.order(by: \.id).select { $shout($0.title) }.fetchAll(db)
            let loads = try Person.order(by: \.name).group(by: \.id)
                .leftJoin(Chore.all) { $0.id.eq($1.personID) }
                .select { Load.Columns(name: $0.name, chores: $1.count()) }
                .fetchAll(db)
            let done = try #sql(
                "SELECT \(Chore.title) FROM \(Chore.self) WHERE \(Chore.isDone)", as: String.self
            ).fetchOne(db)
            return found + shouted + loads.map { "\($0.name) \($0.chores)" } + [done ?? "none"]
        }
    }
}
