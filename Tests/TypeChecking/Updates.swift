import Foundation
import StrongroomTables

// Updates and deletions. See `Scripts/typecheck`.

func updates1(_ db: Database) throws {
    _ = try Taxon.none.update { $0.name = "x" }
        .fetchAll(db)
    _ = try Loan.none.delete()
        .fetchAll(db)
    _ = try ActiveMember.update { $0.points += 1 }
        .fetchAll(db)
    _ = try RecentLoan.delete()
        .fetchAll(db)
    _ = try RecentLoan.where { $0.seeds < 10 }.update { $0.seeds = 10 }
        .fetchAll(db)
}

func updates2(_ db: Database) throws {
    _ = try Packet.where(\.isLow).update { $0.place.shelf = "low" }
        .fetchAll(db)
    _ =
        try Packet
        .find(3)
        .update { $0.germination = Germination(sown: 10, sprouted: 7, testedAt: day("2026-03-01")) }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.place.shelf.eq("C") }
        .update { $0.place.box += 10 }
        .returning { ($0.id, $0.place) }
        .fetchAll(db)
    _ =
        try Trial
        .update(Trial(id: Trial.ID(varietyID: V.soupBean, year: 2023), score: 5, plot: "east"))
        .fetchAll(db)
    _ = try Event.find(2).update { $0.kind.donated = "Chidi" }
        .fetchAll(db)
}

func updates3(_ db: Database) throws {
    _ =
        try Event
        .where { $0.kind.is(\.moved) }
        .update {
            $0.kind = Event.Kind.Columns.moved(
                Event.Move.Columns(fromShelf: $0.kind.moved.fromShelf.lower() ?? "?", toShelf: "Z"))
        }
        .fetchAll(db)
    _ =
        try Member
        .as(Sponsor.self)
        .where { $0.points > 20 }
        .update { $0.points -= 20 }
        .fetchAll(db)
    _ =
        try Variety
        .find(V.fish)
        .update { $0.daysToHarvest = 78 }
        .returning(\.self)
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.place.shelf.eq("B") }
        .update {
            $0.seeds -= 5; $0.grams = ($0.grams ?? 0) * 0.5; $0.harvestYear = nil
        }
        .fetchAll(db)
    _ =
        try Variety
        .update { $0.isOpenPollinated.toggle() }
        .where { $0.habit.is(nil) }
        .returning { ($0.name, $0.isOpenPollinated) }
        .fetchAll(db)
}

func updates4(_ db: Database) throws {
    _ =
        try Member
        .update { m in m.points = Loan.where { $0.memberID.eq(m.id) }.count() * 10 }
        .where { $0.leftOn.is(nil) }
        .fetchAll(db)
    _ =
        try Packet
        .find(2)
        .update { $0.seeds = Packet.as(Other.self).select { $0.seeds.max() } ?? 0 }
        .returning(\.seeds)
        .fetchAll(db)
    _ =
        try Variety
        .find(V.poppy)
        .update {
            $0.habit = .annual; $0.aliases = ["Coquelicot"]; $0.addedOn = day("2026-03-01");
            $0.sowing = Sowing(depth: nil, indoors: false, months: [9])
        }
        .fetchAll(db)
    _ =
        try Packet
        .find(1)
        .update {
            $0.seeds += 1; $0.seeds *= 2; $0.place.box = $0.seeds
        }
        .returning { ($0.seeds, $0.place.box) }
        .fetchAll(db)
    _ =
        try Taxon
        .update(Taxon(id: 11, name: "Papaver 'x'", rank: .species, parentID: nil))
        .fetchAll(db)
}

func updates5(_ db: Database) throws {
    _ =
        try Packet
        .update(
            Packet(
                id: 8, varietyID: V.aji, seeds: 6, grams: 0.5, harvestYear: 2019,
                place: Place(shelf: "C", box: 1), germination: nil, seedsPerGram: nil,
                createdAt: day("2025-01-11"))
        )
        .returning(\.seedsPerGram)
        .fetchAll(db)
    _ = try Packet.find(4).delete()
        .fetchAll(db)
    _ = try Taxon.find(3).delete()
        .fetchAll(db)
    _ =
        try Event
        .where { e in
            e.kind.is(\.remark); e.at < .init(timeIntervalSince1970: 1_714_000_000);
            Packet.where { $0.id.is(e.packetID) && $0.seeds > 50 }.exists()
        }
        .delete()
        .returning(\.id)
        .fetchAll(db)
    _ =
        try Trial
        .order { $0.score.desc(nulls: .last) }
        .limit(2)
        .update { $0.plot = "prize" }
        .fetchAll(db)
}

func updates6(_ db: Database) throws {
    _ =
        try VarietyTrait
        .update(or: .ignore) { $0.traitCode = "heirloom" }
        .where { $0.traitCode.eq("early") }
        .fetchAll(db)
    _ =
        try Trait
        .where { $0.code > "h" }
        .update { $0.label = $0.label.upper() }
        .returning { ($0.code + "!", $0.label.length()) }
        .fetchAll(db)
    _ =
        try Member
        .where { m in
            m.leftOn.isNot(nil); !Loan.where { $0.memberID.eq(m.id) }.exists();
            !Member.as(Ward.self).where { $0.sponsorID.eq(m.id) }.exists()
        }
        .delete()
        .returning { ($0.id, $0.name) }
        .fetchAll(db)
    _ =
        try VarietyTrait
        .where { vt in
            vt.varietyID.in(Variety.where { $0.habit.is(nil) || !$0.isOpenPollinated }.select(\.id))
                || vt.traitCode.in(
                    VarietyTrait.as(Other.self).group(by: \.traitCode).having {
                        $0.varietyID.count().eq(1)
                    }.select(\.traitCode))
        }
        .delete()
        .returning { ($0.varietyID, $0.traitCode) }
        .fetchAll(db)
    _ =
        try Trait
        .as(Old.self)
        .find("hot")
        .update { $0.label = "Hot" }
        .returning { t in (t.code, VarietyTrait.where { $0.traitCode.eq(t.code) }.count()) }
        .fetchAll(db)
}
