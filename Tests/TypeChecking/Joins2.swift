import Foundation
import StrongroomTables

// Joins of two to four tables. See `Scripts/typecheck`.

func joinsB1(_ db: Database) throws {
    _ =
        try Member
        .where { m in
            m.leftOn.is(nil);
            m.id.in(
                Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { l, p in
                    l.returned >= l.seeds && p.seeds > 0
                }.group { l, _ in l.memberID }.having { l, _ in l.count() >= 1 }.select { l, _ in
                    l.memberID
                })
        }
        .update {
            $0.points += Case().when($0.role.eq(.steward), then: 10).else(5); $0.role = .steward
        }
        .returning { ($0.id, $0.points, $0.role) }
        .fetchAll(db)
    _ =
        try Taxon
        .where { $0.id.eq(1) }
        .crossJoin(Trait.where { $0.code < "d" })
        .select { ($0.name, $1.code) }
        .fetchAll(db)
    _ =
        try Packet
        .join(Variety.all, by: \.varietyID)
        .where { p, _ in p.seeds > 100 }
        .order { p, _ in p.id }
        .select { ($0.id, $1.name) }
        .fetchAll(db)
    _ =
        try Ranked
        .from(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, _ in p.seeds > 0 }.select
            { p, v in
                Ranked.Columns(
                    shelf: p.place.shelf, name: v.name, seeds: p.seeds,
                    place: rowNumber().over(
                        .partition(by: p.place.shelf).order((p.seeds.desc(), p.id))))
            }
        )
        .where { $0.place <= 2 }
        .order { ($0.shelf, $0.place) }
        .fetchAll(db)
    _ =
        try Loan
        .join(Packet.all) { $0.packetID.eq($1.id) }
        .where { _, p in p.place.shelf.eq("C") }
        .update { loan, packet in loan.seeds = loan.seeds + packet.place.box }
        .fetchAll(db)
}

func joinsB2(_ db: Database) throws {
    _ =
        try Loan
        .where { $0.returned.is(nil) && $0.dueAt(.days(30)) < day("2026-04-01") }
        .join(Member.all) { $0.memberID.eq($1.id) }
        .join(Packet.all) { l, _, p in l.packetID.eq(p.id) }
        .order { l, m, _ in (l.dueAt, m.name) }
        .limit(10)
        .select { l, m, p in (l.id, m.name, p.place, l.dueAt.timeIntervalSince(l.takenAt) / 86400) }
        .fetchAll(db)
    _ =
        try Trait
        .leftJoin(VarietyTrait.all) { $0.code.eq($1.traitCode) }
        .leftJoin(Packet.where { $0.seeds > 20 }) { $1.varietyID.eq($2.varietyID) }
        .group { t, _, _ in t.code }
        .having { t, vt, p in vt.varietyID.count(distinct: true) > 0 || t.label.length() > 10 }
        .order { t, _, p in (p.seeds.sum().desc(nulls: .last), t.label.collate(.nocase)) }
        .select { t, vt, p in
            Facet.Columns(
                trait: t, varieties: vt.varietyID.count(distinct: true), seeds: p.seeds.sum())
        }
        .fetchAll(db)
    _ =
        try Variety
        .join(VarietyTrait.where { $0.traitCode.in(["heirloom", "early"]) }) {
            $0.id.eq($1.varietyID)
        }
        .where { v, _ in
            v.isOpenPollinated; v.id.notIn(Packet.where { $0.seeds.eq(0) }.select(\.varietyID))
        }
        .group { v, _ in v.id }
        .having { _, t in t.traitCode.count(distinct: true).eq(2) }
        .order { v, _ in v.name }
        .select { v, _ in v.name }
        .fetchAll(db)
    _ =
        try Best
        .from(
            Loan.join(Member.all) { $0.memberID.eq($1.id) }.where { _, m in m.leftOn.is(nil) }.group
            { _, m in m.id }.select { l, m in
                Best.Columns(
                    role: m.role, name: m.name, seeds: l.seeds.sum() ?? 0,
                    place: rank().over(.partition(by: m.role).order(l.seeds.sum().desc())))
            }
        )
        .where { $0.place.eq(1) }
        .order { ($0.seeds.desc(), $0.role) }
        .fetchAll(db)
    _ =
        try Variety
        .join(Variety.as(Twin.self).all) { $0.name.collate(.nocase).eq($1.name) && $0.id < $1.id }
        .where { a, b in a.taxonID.eq(b.taxonID) }
        .order { a, _ in a.name }
        .limit(5)
        .select { a, b in (a.name, b.name) }
        .fetchAll(db)
}

func joinsB3(_ db: Database) throws {
    _ =
        try Packet
        .where { $0.germination.is(nil) && $0.seeds > 0 }
        .join(Variety.all) { $0.varietyID.eq($1.id) }
        .join(VarietyTrait.where { $0.traitCode.neq("odd") }) { _, v, t in v.id.eq(t.varietyID) }
        .distinct()
        .order { p, v, _ in (p.harvestYear.asc(nulls: .last), v.name) }
        .limit(4)
        .select { p, v, _ in (p.id, v.name, p.harvestYear) }
        .fetchAll(db)
    _ =
        try Packet
        .join(Variety.all) { $0.varietyID.eq($1.id) }
        .where { p, _ in
            p.seeds.eq(
                Packet.as(Other.self).where { $0.varietyID.eq(p.varietyID) }.select {
                    $0.seeds.max()
                }) && p.seeds > 20
        }
        .order { p, v in (v.name.collate(.nocase), p.id) }
        .limit(4)
        .offset(1)
        .select { p, v in (v.name, p.id, p.seeds) }
        .fetchAll(db)
}

func joinsB9(_ db: Database) throws {
    _ =
        try Trait
        .insert {
            ($0.code, $0.label)
        } select: {
            Variety.where { $0.id.eq(V.merveille) }.join(Variety.columns.aliases.jsonEach()) {
                _, _ in true
            }.select { _, a in (a.value.lower(), "Alias " + a.value) }
        } onConflict: {
            $0.code
        }
        .returning(\.code)
        .fetchAll(db)
    _ =
        try Loan
        .join(Packet.all) { $0.packetID.eq($1.id) }
        .join(Variety.all) { $1.varietyID.eq($2.id) }
        .join(Taxon.all) { _, _, v, t in v.taxonID.eq(t.id) }
        .join(Member.all) { l, _, _, _, m in l.memberID.eq(m.id) }
        .where { l, _, v, _, m in m.leftOn.is(nil) && v.isOpenPollinated && l.seeds > 5 }
        .group { _, _, _, t, _ in t.id }
        .order { l, _, _, t, _ in (l.seeds.sum().desc(), t.name) }
        .select { l, p, v, t, m in
            TaxonDemand.Columns(
                taxon: t.name, seeds: l.seeds.sum() ?? 0,
                members: m.name.jsonGroupArray(distinct: true, order: m.name),
                shelves: p.place.shelf.groupConcat(distinct: true))
        }
        .fetchAll(db)
    _ =
        try VarietyTrait
        .join(Variety.where { $0.isOpenPollinated }) { $0.varietyID.eq($1.id) }
        .rightJoin(Trait.all) { vt, _, t in vt.traitCode.eq(t.code) }
        .group { _, _, t in t.code }
        .order { _, v, t in (v.id.count().desc(), t.code) }
        .select { _, v, t in (t.label, v.id.count(), v.name.min()) }
        .fetchAll(db)
}

func joinsB4(_ db: Database) throws {
    _ =
        try Packet
        .join(Variety.all) { $0.varietyID.eq($1.id) }
        .leftJoin(Trial.where { $0.id.year.eq(2024) }) { _, v, t in v.id.eq(t.id.varietyID) }
        .where { p, _, _ in p.germination.isNot(nil) && p.place.shelf.eq("A") }
        .order { p, _, _ in p.germination.testedAt.desc() }
        .limit(3)
        .select { p, v, t in
            TestCard.Columns(name: v.name, place: p.place, germination: p.germination, trial: t)
        }
        .fetchAll(db)
    _ =
        try Member
        .where { $0.role.eq(.grower) }
        .leftJoin(Loan.where { $0.returned.is(nil) }.order { $0.takenAt.desc() }.limit(3)) {
            $0.id.eq($1.memberID)
        }
        .group { m, _ in m.id }
        .having { _, l in l.count() < 3 }
        .order { m, _ in m.name }
        .select { m, l in (m.name, l.count(), l.takenAt.max()) }
        .fetchAll(db)
    _ =
        try Variety
        .where { v in
            v.has(Packet.stocked, by: \.varietyID) && !v.has(Trial.all, by: \.id.varietyID);
            v.name.length() < 12
        }
        .join(Taxon.where { $0.rank.neq(.family) }) { $0.taxonID.eq($1.id) }
        .order { v, t in (t.name, v.name.lower()) }
        .limit(4)
        .select { v, t in (v.name, t.name) }
        .fetchAll(db)
    _ =
        try Variety
        .join(Variety.columns.sowing.jsonEach(\.months)) { _, m in m.value >= 4 }
        .leftJoin(Variety.columns.aliases.jsonEach().as(N.self)) { _, _, _ in true }
        .order { v, m, n in (v.name, m.value, n.key) }
        .limit(5)
        .select { v, m, n in (v.name, m.value, n.value) }
        .fetchAll(db)
    _ =
        try Variety
        .find(V.blackKrim)
        .join(Variety.columns.sowing.jsonTree()) { _, t in t.type.eq("integer") }
        .select { _, t in (t.path, t.value) }
        .fetchAll(db)
}

func joinsB5(_ db: Database) throws {
    _ =
        try Packet
        .leftJoin(Loan.open) { $0.id.eq($1.packetID) }
        .where { p, _ in p.harvestYear.isNot(nil) }
        .group { p, _ in
            Case().when(p.harvestYear >= 2023, then: "fresh").when(
                p.harvestYear >= 2021, then: "aging"
            ).else("old")
        }
        .having { p, _ in p.count() >= 1 }
        .order { p, _ in p.harvestYear.max().desc() }
        .select { p, l in
            (p.harvestYear.min(), p.harvestYear.max(), p.id.count(distinct: true), l.count())
        }
        .fetchAll(db)
    _ =
        try Gap
        .from(
            Loan.where { $0.returned.isNot(nil) }.select { l in
                Gap.Columns(
                    memberID: l.memberID, takenAt: l.takenAt,
                    before: l.takenAt.lag(1).over(
                        .partition(by: l.memberID).order((l.takenAt, l.id))))
            }
        )
        .where { $0.before.isNot(nil) }
        .join(Member.all) { $0.memberID.eq($1.id) }
        .order { g, m in (m.name, g.takenAt) }
        .limit(5)
        .select { g, m in (m.name, (g.takenAt.timeIntervalSince(g.before) / 86400).round(1)) }
        .fetchAll(db)
    _ =
        try Packet
        .leftJoin(Event.where { $0.kind.is(\.remark) }) { $0.id.eq($1.packetID) }
        .leftJoin(Loan.open) { p, _, l in p.id.eq(l.packetID) }
        .where { p, e, l in e.id.isNot(nil) || l.id.isNot(nil) }
        .order { p, e, l in (p.id, e.id, l.id) }
        .limit(6)
        .select { p, e, l in (p.id, e.kind.remark, l.id, l.dueAt) }
        .fetchAll(db)
    _ =
        try Variety
        .leftJoin(Packet.join(Loan.open) { $0.id.eq($1.packetID) }) { $0.id.eq($1.varietyID) }
        .order { v, _, l in (v.name, l.id) }
        .limit(5)
        .select { v, p, l in (v.name, p.id, l.id) }
        .fetchAll(db)
    _ =
        try Variety
        .leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }
        .group { v, _ in v.id }
        .order { v, _ in v.name }
        .limit(4)
        .select { ($0.name, $1.count()) }
        .fetchAll(db)
}
