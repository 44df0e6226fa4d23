import Cryptography
import EventLog
import Events
import SeededRandomness
import Site
import Testing
import Wire

@Suite("The pieces of a site's document") struct SiteDocumentPiecesTests {
    /// A published site whose document has about this number of bytes.
    private static func published(
        byteCount: Int, _ random: inout SeededRandom
    ) -> (event: SitePublished, json: [UInt8]) {
        var document = SampleEvents.campus.document
        var number = 0
        while document.json.count + 20_400 * document.contents.count < byteCount {
            number += 1
            let letters = (0..<20_000).map { _ in "abcdefgh\u{e9}".randomElement(using: &random)! }
            document.contents.append(
                ContentRecord(
                    id: ContentID("c\(number)"), place: .building(BuildingID("b")), title: "T",
                    text: String(letters)))
            if document.contents.count > 400 { break }
        }
        let event = SitePublished(
            site: SiteID("bush-house"), version: 3, publishedAt: SampleEvents.moment,
            document: document)
        return (event, document.json)
    }

    private static func stored(_ record: LogRecord, _ offset: Int) -> StoredRecord {
        StoredRecord(
            topic: record.topic, partition: 0, offset: Int64(offset), appendedAtMicroseconds: 0,
            key: record.key, value: record.value, headers: record.headers)
    }

    @Test(
        "give the document in every order, also when some come twice or others lie between",
        arguments: 0..<6 as Range<UInt64>)
    func orders(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (event, json) = Self.published(
            byteCount: [1_000, 900_000, 1_900_000][Int(seed % 3)], &random)
        let announced = SiteAnnounced(event, document: json)
        let records = SiteDocumentPieces.records(announced, json)
        #expect(records.count == announced.pieces)
        #expect(records.allSatisfy { ($0.value?.count ?? 0) <= SiteDocumentPieces.mostBytes })
        #expect(Set(records.map(\.key)).count == records.count)
        let strange = LogRecord(
            topic: records[0].topic, key: Array("bush-house/other/0".utf8), value: [1])
        let tombstones = SiteDocumentPieces.tombstones(
            of: event.site, hash: announced.hash, pieces: announced.pieces)
        let all = (records + records.prefix(2) + tombstones + [strange]).shuffled(using: &random)
        var assembly = SiteDocumentAssembly(announced)
        for (offset, record) in all.enumerated() { assembly.add(Self.stored(record, offset)) }
        #expect(assembly.isWhole)
        #expect(try assembly.published() == event)
    }

    @Test("are incomplete while one is missing, and refused with a byte that is another")
    func faults() throws {
        var random = SeededRandom(seed: 1)
        let (event, json) = Self.published(byteCount: 1_900_000, &random)
        let announced = SiteAnnounced(event, document: json)
        let records = SiteDocumentPieces.records(announced, json)
        for missing in records.indices {
            var assembly = SiteDocumentAssembly(announced)
            for (number, record) in records.enumerated() where number != missing {
                assembly.add(Self.stored(record, number))
            }
            // A piece of another length is none.
            var short = records[missing]
            short.value?.removeLast()
            assembly.add(Self.stored(short, 9))
            #expect(!assembly.isWhole)
            #expect(throws: SiteDocumentAssembly.Fault.self) { try assembly.published() }
            var other = records[missing]
            other.value?[5] ^= 1
            assembly.add(Self.stored(other, 10))
            #expect(assembly.isWhole)
            #expect(throws: SiteDocumentAssembly.Fault.self) { try assembly.published() }
        }
    }

    @Test("are counted by the bytes: an announcement with another number is malformed")
    func counts() {
        #expect(SiteDocumentPieces.count(of: 1) == 1)
        #expect(SiteDocumentPieces.count(of: 900_000) == 1)
        #expect(SiteDocumentPieces.count(of: 900_001) == 2)
        #expect(SiteDocumentPieces.most == 36)
        for (bytes, pieces) in [(1_800_001, 2), (1_800_001, 4), (0, 1), (32_000_001, 36)] {
            var announced = SampleEvents.siteAnnounced
            announced.byteCount = bytes
            announced.pieces = pieces
            let json = announced.json
            #expect(throws: WireFault.self) { try SiteAnnounced(json: json) }
        }
    }
}

@Suite("The newest publications of sites") struct SiteAnnouncementsTests {
    @Test(
        "are those of the last version behind the last removal, whole or announced",
        arguments: 0..<40 as Range<UInt64>)
    func newest(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var announcements = SiteAnnouncements()
        // The slow twin keeps the whole history.
        var history: [SiteID: [Int?]] = [:]
        var version = 0
        for offset in 0..<30 {
            let site = SiteID(["a", "b"].randomElement(using: &random)!)
            var record: LogRecord
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                record = LogRecord(
                    topic: Topic.site.name, key: Array(site.text.utf8), value: nil)
                history[site, default: []].append(nil)
            case let kind:
                // Some versions come again.
                if kind > 1 { version += 1 }
                let number = max(1, version - (kind == 2 ? 2 : 0))
                var event = SampleEvents.site
                (event.site, event.version) = (site, number)
                record =
                    kind < 4
                    ? event.record(source: "/x")
                    : SiteAnnounced(event, document: [1]).record(source: "/x")
                history[site, default: []].append(number)
            }
            let stored = StoredRecord(
                topic: record.topic, partition: 0, offset: Int64(offset),
                appendedAtMicroseconds: Int64(offset), key: record.key, value: record.value,
                headers: record.headers)
            let isRead = announcements.apply(stored)
            #expect(isRead)
        }
        for (site, versions) in history {
            let alive = versions.reversed().prefix { $0 != nil }.compactMap(\.self)
            #expect(announcements.newest[site]?.version == alive.max())
            #expect(announcements.removed.contains(site) == alive.isEmpty)
        }
    }

    @Test("tell when a site was removed, also if it was made again, but not of a cleared key")
    func removals() {
        var announcements = SiteAnnouncements()
        let site = SampleEvents.site.site
        let records = [
            SampleEvents.site.record(source: "/x"),
            LogRecord(topic: Topic.site.name, key: Array(site.text.utf8), value: nil),
            SampleEvents.site.record(source: "/x"), SiteAnnouncements.clearing(site),
            SampleEvents.site.record(source: "/x"),
        ]
        for (offset, record) in records.enumerated() {
            let isRead = announcements.apply(
                StoredRecord(
                    topic: record.topic, partition: 0, offset: Int64(offset),
                    appendedAtMicroseconds: Int64(offset), key: record.key, value: record.value,
                    headers: record.headers))
            #expect(isRead)
        }
        #expect(announcements.removedAt == [site: Timestamp(microseconds: 1)])
        #expect(announcements.newest[site] != nil)
    }

    @Test("leave a record of another kind out")
    func others() {
        var announcements = SiteAnnouncements()
        let records = [
            SampleEvents.scan.record(source: "/x"),
            LogRecord(topic: Topic.site.name, key: [1], value: [2]),
        ]
        for record in records {
            let isRead = announcements.apply(
                StoredRecord(
                    topic: Topic.site.name, partition: 0, offset: 0, appendedAtMicroseconds: 0,
                    key: record.key, value: record.value, headers: record.headers))
            #expect(!isRead)
        }
        #expect(announcements.newest.isEmpty)
    }
}
