import Archive
import Events
import Site
import SiteExchange
import Testing
import Wire

@Suite("IMDF there and back") struct IMDFRoundTripTests {
    private static let created = "2026-11-22T08:00:00Z"

    /// The archive after packing and unpacking, as on disk.
    private func repacked(_ archive: IMDFArchive) throws -> IMDFArchive {
        try IMDFArchive(files: archive.archivedFiles)
    }

    @Test(
        "A path that leads out of the archive is refused, and never packed",
        arguments: [
            "../unit.geojson", "a/../../unit.geojson", "/etc/passwd", "a\\b.json", "C:x.json", "..",
            "a/..", "a\u{0}.json", "a\nb.json", "",
        ])
    func paths(_ path: String) {
        let bytes = Array("{}".utf8)
        #expect(throws: WireFault.self) {
            try IMDFArchive(files: [ArchivedFile(path: path, bytes: bytes)])
        }
        let archive = IMDFArchive(files: [
            .init(path: path, content: .bytes(bytes)), .init(path: "a..b", content: .bytes(bytes)),
        ])
        #expect(archive.archivedFiles.map(\.path) == ["a..b"])
    }

    @Test("Paths within the archive are kept as they are")
    func pathsWithin() throws {
        let paths = [
            "unit.geojson", "IMDFData/unit.geojson", "./a/é b.json", "__MACOSX/._unit", "a..b",
        ]
        let files = paths.map { ArchivedFile(path: $0, bytes: Array("{}".utf8)) }
        #expect(try IMDFArchive(files: files).archivedFiles.map(\.path) == paths)
    }

    @Test("A campus that nobody has changed is written as it was") func unchanged() throws {
        guard let archive = try Polytech.archive() else { return }
        let site = try IMDFExchange.site(from: archive).document
        let written = IMDFExchange.archive(of: site, base: archive, created: Self.created)
        #expect(written == archive)
        #expect(try repacked(written) == archive)
        #expect(try IMDFExchange.site(from: repacked(written)).document == site)
    }

    @Test("An edited campus is the same after a round trip, and only the edits are written")
    func edited() throws {
        guard let archive = try Polytech.archive() else { return }
        var site = try IMDFExchange.site(from: archive).document
        let room = try #require(site.rooms.firstIndex { $0.name == "Classroom 126" })
        site.rooms[room].name = "Studio"
        let written = IMDFExchange.archive(of: site, base: archive, created: Self.created)
        #expect(try IMDFExchange.site(from: repacked(written)).document == site)
        let changed = zip(archive.files, written.files).filter { $0 != $1 }
        #expect(changed.map(\.0.name) == ["unit"])
        let units = zip(archive.features("unit"), written.features("unit")).filter { $0 != $1 }
        #expect(units.count == 1)
        #expect(units[0].1["name"]["en"] == "Studio")
        #expect(units[0].1["name"]["ru"] == "Кабинет 126")
        #expect(units[0].1.geometry == units[0].0.geometry)
    }

    @Test("A campus that is exported without its archive comes back the same and in order")
    func withoutArchive() throws {
        guard let archive = try Polytech.archive() else { return }
        let site = try IMDFExchange.site(from: archive).document
        let written = IMDFExchange.archive(of: site, base: nil, created: Self.created)
        #expect(try IMDFExchange.site(from: repacked(written)).document == site)
    }

    @Test("Random edits of a campus come back", arguments: 0..<2) func random(seed: Int) throws {
        guard let archive = try Polytech.archive() else { return }
        var edits = RandomEdits(
            try IMDFExchange.site(from: archive).document, seed: seed, author: "people")
        edits.make(20)
        let site = edits.document
        let written = IMDFExchange.archive(of: site, base: archive, created: Self.created)
        let back = try IMDFExchange.site(from: repacked(written)).document
        #expect(back.inOrderOfIDs == site.inOrderOfIDs)
        let again = IMDFExchange.archive(of: back, base: written, created: Self.created)
        #expect(try IMDFExchange.site(from: again).document.inOrderOfIDs == site.inOrderOfIDs)
    }

    @Test("A site that never was IMDF comes back complete", arguments: 0..<60)
    func fresh(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        #expect(SiteValidation.faults(in: site).isEmpty)
        let written = IMDFExchange.archive(of: site, base: nil, created: Self.created)
        let back = try IMDFExchange.site(from: repacked(written)).document
        #expect(back.inOrderOfIDs == site.inOrderOfIDs)
    }

    @Test("Changes of another program in an exported archive count", arguments: 0..<20)
    func foreign(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        var written = IMDFExchange.archive(of: site, base: nil, created: Self.created)
        let file = try #require(written.files.firstIndex { $0.name == "building" })
        guard case .features(let head, var features) = written.files[file].content else { return }
        features[0]["name"]["en"] = "Renamed"
        written.files[file].content = .features(head: head, features)
        var expected = site
        expected.buildings[0].name = "Renamed"
        #expect(try IMDFExchange.site(from: written).document.inOrderOfIDs == expected.inOrderOfIDs)
    }

    @Test("A zip unpacks to the files that were packed") func packed() throws {
        let site = RandomSite(seed: 1).document
        let written = IMDFExchange.archive(of: site, base: nil, created: Self.created)
        let files = written.archivedFiles.map { ($0.path, $0.bytes) }
        let packed = try ZipArchive.pack(files)
        #expect(try ZipArchive.pack(files) == packed)
        let unpacked = try ZipArchive.unpack(packed)
        #expect(unpacked.map(\.path) == files.map(\.0))
        #expect(unpacked.map(\.bytes) == files.map(\.1))
    }
}
