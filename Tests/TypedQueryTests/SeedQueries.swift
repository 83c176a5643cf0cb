import Foundation
import StrongroomTables

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Variety.OuterColumns, Packet.OuterColumns, Loan.OuterColumns
)

// Values used in the examples
/// Midnight UTC of a day.
func day(_ text: String) -> Date {
    guard let date = try? Date(text + "T00:00:00Z", strategy: .iso8601) else {
        fatalError("\(text) is no day")
    }
    return date
}
/// 00000000-0000-4000-8000-00000000000n, the last twelve digits decimal.
func uuid(_ n: Int) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", n))!
}
/// The same first half, the last six bytes the number n in binary.
func ticket(_ n: Int) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012x", n))!
}
enum V {
    static let blackKrim = uuid(1), sungold = uuid(2), soupBean = uuid(3), dragon = uuid(4),
        fish = uuid(5)
    static let aji = uuid(6), merveille = uuid(7), poppy = uuid(8), rosa = uuid(9),
        rosaLower = uuid(10), new = uuid(99)
}
enum Sort { case name, stock }

// Queries
/// The screen of the catalogue.
func search(text: String, habit: Habit?, shelves: [String], sort: Sort, page: Int) -> SelectOf<
    VarietyStock
> {
    Variety
        .join(Packet.all) { $0.id.eq($1.varietyID) }
        .where { v, p in
            if !text.isEmpty {
                v.name.contains(text)
                    || v.aliases.jsonEach().where { $0.value.contains(text) }.exists()
            }
            if let habit { v.habit.eq(habit) }
            for s in shelves { p.place.shelf.neq(s) }
        }
        .group { v, _ in v.id }
        .having { _, p in p.seeds.sum() > 0 }
        .order { v, p in
            switch sort {
            case .name: v.name.collate(.nocase);
            case .stock: p.seeds.sum().desc(nulls: .last); v.name
            }
        }
        .limit(3).offset(page * 3)
        .select { v, p in
            VarietyStock.Columns(
                name: v.name, packets: p.count(), seeds: p.seeds.sum() ?? 0, best: p.rate.max())
        }
}
func roster(role: Role?, onlyOpen: Bool, newestFirst: Bool) -> some Statement<(Member, Int)> {
    Member
        .leftJoin(Loan.all) { $0.id.eq($1.memberID) }
        .where { m, l in
            if let role { m.role.eq(role) }
            m.leftOn.is(nil)
        }
        .group { m, _ in m.id }
        .having { _, l in if onlyOpen { l.count(filter: l.returned.is(nil)) > 0 } }
        .order { m, _ in
            if newestFirst { m.joined.desc() } else { m.name.collate(.nocase) }; m.id
        }
        .limit(3)
        .select { m, l in (m, l.count()) }
}
