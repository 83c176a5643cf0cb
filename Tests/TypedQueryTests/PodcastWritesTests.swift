import Foundation
import Strongroom
import StrongroomTables
import StrongroomTestSupport
import Testing

/// Writing the podcast player: inserts, conflicts, updates, deletes, triggers and search.
@Suite struct PodcastWritesTests {
    let database: DatabaseQueue

    init() throws { database = try podcastPlayer() }

    @Test func `inserts of drafts, records, tuples and a selection`() throws {
        try database.write { (db) throws in
            let id = try Podcast.insert { Podcast.Draft(title: "Night") }.returning(\.id).fetchOne(
                db)
            #expect(id == 4)
            let pair = try Podcast.insert {
                Podcast.Draft(title: "One", host: "Ida")
                Podcast.Draft(title: "Two", language: .german)
            }
            .returning { ($0.id, $0.title) }
            .fetchAll(db)
            #expect(pair.map(\.0) == [5, 6])
            try Podcast.insert {
                ($0.title, $0.host, $0.rating)
            } values: {
                ("Three", "Joe", 2.5)
                ("Four", nil, 1)
            }
            .execute(db)
            #expect(try Podcast.where { $0.host.eq("Joe") }.select(\.rating).fetchOne(db) == 2.5)
            try Podcast.insert {
                ($0.title, $0.rating)
            } select: {
                Episode.where(\.isExplicit).select { ($0.title, 5.0) }
            }
            .execute(db)
            #expect(try Podcast.where { $0.title.eq("Squid") }.select(\.id).fetchOne(db) == 9)
            try Podcast.insert {
                $0.title
            } values: {
                "Five"
            }.execute(db)
            let drafts = ["Six", "Seven"].map { Podcast.Draft(title: $0) }
            try Podcast.insert { drafts }.execute(db)
            #expect(try Podcast.fetchCount(db) == 12)
        }
    }

    @Test func `conflicts that update, ignore and replace`() throws {
        try database.write { (db) throws in
            try Podcast.insert {
                Podcast.Draft(title: "Deep Sea", rating: 5)
            } onConflict: {
                $0.title
            } doUpdate: {
                $0.rating = $1.rating
                $0.title += "!"
            }
            .execute(db)
            #expect(try Podcast.find(1).fetchOne(db)?.rating == 5)
            #expect(try Podcast.find(1).fetchOne(db)?.title == "Deep Sea!")
            try PlayedEpisode.insert {
                PlayedEpisode(listenerID: .ann, episodeID: 1, position: 1)
            } onConflict: {
                ($0.listenerID, $0.episodeID)
            } doUpdate: {
                $0.position = $1.position
            } where: {
                $0.position > $1.position
            }
            .execute(db)
            #expect(try PlayedEpisode.limit(1).fetchOne(db)?.position == 1)
            try Podcast.insert(or: .ignore) { Podcast.Draft(id: 1, title: "Other") }.execute(db)
            try Podcast.insert(or: .replace) { Podcast.Draft(id: 2, title: "Rails") }.execute(db)
            #expect(
                try Podcast.select(\.title).fetchAll(db) == ["Deep Sea!", "Rails", "Tiny Loaf"])
            try Podcast.insert {
                Podcast.Draft(id: 3, title: "Tiny Loaf")
            } onConflictDoUpdate: {
                $0.title = $0.title.upper()
            }
            .execute(db)
            #expect(try Podcast.find(3).select(\.title).fetchOne(db) == "TINY LOAF")
        }
    }

    @Test func `upserts of drafts with and without their key`() throws {
        try database.write { (db) throws in
            var draft = Podcast.Draft(try Podcast.find(db, key: 1))
            draft.title = "Deeper Sea"
            let saved = try Podcast.upsert { draft }.returning(\.self).fetchOne(db)
            #expect(saved?.title == "Deeper Sea")
            #expect(saved?.host == "Ada")
            let new = try Podcast.upsert { Podcast.Draft(title: "New") }.returning(\.id).fetchOne(
                db)
            #expect(new == 4)
        }
    }

    @Test(.proves("TUP-002"))
    func `updates by operators, functions, values and conditions`() throws {
        try database.write { (db) throws in
            try Episode.where { $0.podcastID.eq(1) }.update { $0.minutes += 1 }.execute(db)
            #expect(try Episode.select(\.minutes).fetchAll(db) == [43, 36, 3, 55, 48])
            try Episode.find(1).update {
                $0.title = $0.title.upper()
                $0.summary = nil
                $0.isExplicit.toggle()
                $0.kind = .bonus
                $0.publishedAt = midnight("2025-01-01")
                $0.keywords = ["whale"]
            }
            .execute(db)
            let first = try Episode.find(db, key: 1)
            #expect(first.title == "WHALES" && first.summary == nil && first.isExplicit)
            #expect(first.kind == .bonus && first.keywords == ["whale"])
            #expect(first.publishedAt == midnight("2025-01-01"))
            let title: String? = "Big"
            try Episode.find(4).update {
                if let title {
                    $0.title = title
                }
                $0.minutes = Case().when($0.minutes > 50, then: 50).else($0.minutes)
                $0.summary = $0.summary + "!"
                $0.publishedAt = #bind(nil)
            }
            .execute(db)
            #expect(try Episode.find(db, key: 4).title == "Big")
            #expect(try Episode.find(db, key: 4).minutes == 50)
            #expect(try Episode.find(db, key: 4).summary == "Boilers!")
            let ids = try Episode.where(\.isExplicit).update { $0.isExplicit = false }
                .returning(\.id).fetchAll(db)
            #expect(ids == [1, 2])
            try Episode.find(5).update { $0.summary = $0.title }.execute(db)
            let copied = try Episode.find(db, key: 5).summary
            #expect(copied == "Signals")
            try Podcast.update { $0.rating *= 2 }.execute(db)
            #expect(try Podcast.select(\.rating).fetchAll(db) == [9, 7.8, 9.6])
        }
    }

    @Test func `updates and deletes of whole records`() throws {
        try database.write { (db) throws in
            var podcast = try Podcast.find(db, key: 3)
            podcast.host = nil
            try Podcast.update(podcast).execute(db)
            #expect(try Podcast.where { $0.host.is(nil) }.select(\.id).fetchAll(db) == [2, 3])
            try Podcast.delete(podcast).execute(db)
            #expect(try Podcast.find(3).fetchOne(db) == nil)
            #expect(
                try Episode.where { $0.publishedAt.is(nil) }.delete().returning(\.title).fetchAll(
                    db)
                    == ["Signals"])
            try Episode.find([1, 2]).delete().execute(db)
            #expect(try Episode.select(\.id).fetchAll(db) == [3, 4])
            try Episode.delete().execute(db)
            #expect(try Episode.fetchCount(db) == 0)
        }
    }

    @Test func `one of several cases in a table`() throws {
        try database.write { (db) throws in
            try Attachment.insert {
                Attachment.Draft(content: .note("Read this"))
                Attachment.Draft(content: .chapter(7))
            }
            .execute(db)
            #expect(
                try Attachment.select(\.content).fetchAll(db) == [.note("Read this"), .chapter(7)])
            #expect(
                try Attachment.where { $0.content.chapter > 5 }.select(\.id).fetchAll(db) == [2])
            #expect(
                try Attachment.where { $0.content.note.isNot(nil) }.select(\.id).fetchAll(db) == [1]
            )
            try Attachment.find(1).update { $0.content = .chapter(2) }.execute(db)
            #expect(try Attachment.find(db, key: 1).content == .chapter(2))
        }
    }

    @Test(.proves("TEX-049"))
    func `full-text search with its rank, highlights and snippets`() throws {
        try database.write { (db) throws in
            try EpisodeText.insert {
                ($0.rowid, $0.title, $0.summary)
            } select: {
                Episode.select { ($0.id, $0.title, $0.summary ?? "") }
            }
            .execute(db)
            let found =
                try EpisodeText.where { $0.match("boil*") }
                .order { $0.rank }
                .select { ($0.rowid, $0.summary.highlight("<b>", "</b>")) }
                .fetchAll(db)
            #expect(found.map(\.0) == [4])
            #expect(found.map(\.1) == ["<b>Boilers</b>"])
            let titles =
                try EpisodeText.where { $0.match("title: squid OR steam") }
                .join(Episode.all) { $0.rowid.eq($1.id) }
                .order { $1.id }
                .select { $1.title }
                .fetchAll(db)
            #expect(titles == ["Squid", "Steam"])
        }
    }

    @Test(.proves("TRG-002"))
    func `triggers that follow inserts, updates and deletes`() throws {
        try database.write { (db) throws in
            try Episode.createTemporaryTrigger(
                after: .insert { new in
                    Podcast.find(new.podcastID).update { $0.rating += 1 }
                }
            )
            .execute(db)
            try Episode.insert { Episode.Draft(podcastID: 3, title: "Rye") }.execute(db)
            #expect(try Podcast.find(3).select(\.rating).fetchOne(db) == 5.8)
            try Episode.createTemporaryTrigger(
                "plays_of_deleted",
                after: .delete { old in
                    PlayedEpisode.where { $0.episodeID.eq(old.id) }.delete()
                }
            )
            .execute(db)
            try Episode.find(1).delete().execute(db)
            #expect(try PlayedEpisode.select(\.episodeID).fetchAll(db) == [2, 4])
            try Episode.createTemporaryTrigger(
                after: .update {
                    $0.title
                } forEachRow: { old, new in
                    Episode.find(new.id).update { $0.summary = old.title }
                } when: { old, new in
                    old.title.neq(new.title)
                }
            )
            .execute(db)
            try Episode.find(2).update { $0.title = "Octopus" }.execute(db)
            #expect(try Episode.find(db, key: 2).summary == "Squid")
        }
    }
}
