import Foundation
import StrongroomTables

// Joins of two to four tables. See `Scripts/typecheck`.

func joinsA1(_ db: Database) throws {
    _ =
        try Loan
        .join(ActiveMember.all) { $0.memberID.eq($1.id) }
        .where { loan, _ in loan.returned.is(nil) }
        .select { ($0.id, $1.name) }
        .fetchAll(db)
    _ =
        try Loan
        .leftJoin(ActiveMember.all) { $0.memberID.eq($1.id) }
        .where { $0.packetID.in([4, 10]) }
        .order { l, _ in l.id }
        .select { ($0.id, $1.name) }
        .fetchAll(db)
    _ =
        try Variety
        .leftJoin(Packet.all) { $0.id.eq($1.varietyID) }
        .where { $1.isLow }
        .order { ($0.name, $1.id) }
        .select { ($0.name, $1.rate) }
        .fetchAll(db)
    _ =
        try Variety
        .group(by: \.id)
        .leftJoin(Packet.all) { $0.id.eq($1.varietyID) }
        .order { v, _ in v.name }
        .select {
            VarietyStock.Columns(
                name: $0.name, packets: $1.count(), seeds: $1.seeds.sum() ?? 0, best: $1.rate.max())
        }
        .fetchAll(db)
    _ =
        try Loan
        .leftJoin(Member.all) { $0.memberID.eq($1.id) }
        .where { $0.id.eq(8) }
        .select { LoanCard.Columns(loan: $0, member: $1, isOpen: $0.returned.is(nil)) }
        .fetchAll(db)
}

func joinsA2(_ db: Database) throws {
    _ =
        try Taxon
        .group(by: \.id)
        .join(Variety.all) { $0.id.eq($1.taxonID) }
        .order { t, v in (v.count().desc(), t.id) }
        .select { ($0, $1.id.count()) }
        .fetchAll(db)
    _ =
        try Event
        .leftJoin(Packet.all) { $0.packetID.eq($1.id) }
        .leftJoin(Variety.all) { $1.varietyID.eq($2.id) }
        .order { e, _, _ in e.at.desc() }
        .limit(3)
        .select { e, _, v in
            FeedLine.Columns(
                title: v.name ?? "Whole library",
                text: Case().when(
                    e.kind.is(\.donated), then: "donated by " + (e.kind.donated ?? "?")
                ).when(e.kind.is(\.moved), then: "moved to " + (e.kind.moved.toShelf ?? "nowhere"))
                    .else(e.kind.remark ?? ""))
        }
        .fetchAll(db)
    _ =
        try Loan
        .join(Packet.all) { $0.packetID.eq($1.id) }
        .where { l, _ in l.seeds >= 100 }
        .select { ($0, $1.seeds) }
        .fetchAll(db)
    _ =
        try Taxon
        .join(Variety.all) { $0.id.eq($1.taxonID) }
        .where { t, _ in t.rank.eq(.genus) }
        .fetchAll(db)
    _ =
        try Loan
        .where { $0.returned.is(nil) }
        .rightJoin(Member.all) { $0.memberID.eq($1.id) }
        .where { _, m in m.leftOn.is(nil) }
        .order { l, m in (m.id, l.id) }
        .select { ($1.name, $0.seeds) }
        .fetchAll(db)
}

func joinsA3(_ db: Database) throws {
    _ =
        try Variety
        .fullJoin(Trial.all) { $0.id.eq($1.id.varietyID) && $1.score >= 9 }
        .where { v, t in v.id.is(nil) || v.habit.eq(.perennial) }
        .select { ($0.name, $1.id.year, $1.plot) }
        .fetchAll(db)
    _ =
        try Variety
        .leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }
        .leftJoin(Trait.all) { $1.traitCode.eq($2.code) }
        .where { v, _, _ in v.taxonID.eq(6) }
        .order { v, _, t in (v.name, t.label) }
        .select { ($0.name, $2) }
        .fetchAll(db)
    _ =
        try Taxon
        .group(by: \.id)
        .having { $0.id > 2 }
        .join(Variety.group(by: \.habit).having { $0.count() >= 1 }) { $0.id.eq($1.taxonID) }
        .order { t, v in (t.id, v.habit) }
        .select { ($0.id, $1.habit, $1.count()) }
        .fetchAll(db)
    _ =
        try Variety
        .join(Packet.order { $0.seeds.desc() }.limit(3)) { $0.id.eq($1.varietyID) }
        .order { _, p in p.seeds.desc() }
        .select { ($0.name, $1.seeds) }
        .fetchAll(db)
    _ = try Member.join(Member.all) { $0.sponsorID.eq($1.id) }
        .fetchAll(db)
}

func joinsA4(_ db: Database) throws {
    _ =
        try Member
        .leftJoin(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }
        .where { m, _ in m.id < 3 }
        .order { m, _ in m.id }
        .select { Sponsored.Columns(member: $0, sponsor: $1) }
        .fetchAll(db)
    _ =
        try Loan
        .join(ActiveMember.as(Borrower.self).all) { $0.memberID.eq($1.id) }
        .order { l, _ in l.id }
        .limit(2)
        .select { ($0.id, $1.name) }
        .fetchAll(db)
    _ =
        try Variety
        .leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }
        .leftJoin(Trait.all) { $1.traitCode.eq($2.code) }
        .where { v, _, _ in v.addedOn.between(day("2024-01-01"), and: day("2025-06-01")) }
        .group { v, _, _ in v.id }
        .having { _, _, t in t.code.count() > 0 }
        .order { v, _, t in (t.code.count().desc(), v.name) }
        .select { v, _, t in (v.name, t.label.groupConcat(", ", order: t.label)) }
        .fetchAll(db)
    _ =
        try Variety
        .where { v in
            v.isOpenPollinated && Packet.where { $0.varietyID.eq(v.id) && $0.seeds >= 10 }.exists();
            !Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { l, p in
                p.varietyID.eq(v.id) && l.returned.is(nil)
            }.exists(); v.habit.in([.annual, .perennial])
        }
        .order { ($0.daysToHarvest.asc(nulls: .last), $0.name) }
        .limit(3)
        .select { ($0.name, $0.daysToHarvest) }
        .fetchAll(db)
    _ =
        try Trial
        .join(Trial.as(Next.self).all) {
            $0.id.varietyID.eq($1.id.varietyID) && $1.id.year.eq($0.id.year + 1)
        }
        .join(Variety.all) { t, _, v in t.id.varietyID.eq(v.id) }
        .where { a, b, _ in b.score >= a.score }
        .order { _, _, v in v.name }
        .select { a, b, v in (v.name, a.score, b.score, b.score - a.score) }
        .fetchAll(db)
}

func joinsA5(_ db: Database) throws {
    _ =
        try Variety
        .join(Variety.columns.sowing.jsonEach(\.months)) { _, _ in true }
        .group { _, m in m.value }
        .order { _, m in m.value }
        .select { v, m in (m.value, v.name.groupConcat("; ", order: v.name)) }
        .fetchAll(db)
    _ =
        try Variety
        .group(by: \.id)
        .leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }
        .leftJoin(Trait.all) { $1.traitCode.eq($2.code) }
        .where { v, _, _ in v.taxonID.in([6, 11]) }
        .order { v, _, _ in v.name }
        .select { v, _, t in
            VarietyDetail.Columns(name: v.name, traits: t.jsonGroupArray(order: t.code))
        }
        .fetchAll(db)
    _ =
        try GrowNote
        .where { $0.match("sow*") }
        .leftJoin(Member.all) { $0.author.eq($1.name) }
        .order { n, _ in n.rank }
        .limit(3)
        .select { n, m in
            NoteHit.Columns(
                title: n.title.highlight("[", "]"), excerpt: n.body.snippet("[", "]", "…", 5),
                member: m.id)
        }
        .fetchAll(db)
    _ =
        try Loan
        .where { $0.takenAt.year.eq(2025) }
        .join(Member.all) { $0.memberID.eq($1.id) }
        .join(Packet.all) { l, _, p in l.packetID.eq(p.id) }
        .join(Variety.all) { _, _, p, v in p.varietyID.eq(v.id) }
        .group { _, m, _, _ in m.id }
        .having { l, _, _, _ in l.count() > 1 }
        .order { l, m, _, _ in (l.seeds.sum().desc(), m.name) }
        .select { l, m, _, v in
            BorrowerYear.Columns(
                name: m.name, seeds: l.seeds.sum() ?? 0,
                varieties: v.name.jsonGroupArray(distinct: true, order: v.name))
        }
        .fetchAll(db)
    _ =
        try Event
        .insert {
            ($0.packetID, $0.at, $0.kind.remark)
        } select: {
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, _ in p.seeds < 20 }.order
            { p, _ in p.id }.select { p, v in
                (
                    p.id, #bind(day("2026-03-01"), as: Date.UnixTimeRepresentation.Subsecond.self),
                    "restock " + v.name
                )
            }
        }
        .returning { ($0.packetID, $0.kind.remark) }
        .fetchAll(db)
}
