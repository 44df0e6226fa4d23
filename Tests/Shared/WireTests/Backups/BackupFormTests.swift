import EventLog
import Events
import Testing
import Wire

@Suite("The files of a backup") struct BackupFormTests {
    static var manifest: BackupManifest {
        var manifest = BackupManifest(
            name: "2026-11-24T030000Z", kind: .whole, program: "0.1.0", log: "kafka",
            partitions: 12, hasScans: true, tablesAt: Timestamp(milliseconds: 1),
            recordsAt: Timestamp(milliseconds: 2), finishedAt: Timestamp(milliseconds: 3))
        let file = BackupManifest.File(name: "tables/a.b-0001.zst", bytes: 7, sum: "00ff")
        manifest.schemas = [.init(name: "a", steps: ["schema", "b"])]
        manifest.tables = [
            .init(name: "a.b", columns: ["id", "\"order\""], rows: 2, files: [file])
        ]
        manifest.sequences = [.init(name: "a.b_id_seq", last: 9)]
        manifest.topics = [.init(name: "whereabouts.site", records: 0, files: [])]
        manifest.groups = [.init(name: "locator", topic: "whereabouts.scans", offsets: [0, 5])]
        return manifest
    }

    @Test("A manifest is read as it was written, and one of a later form is refused")
    func manifest() throws {
        #expect(try BackupManifest(json: Self.manifest.json) == Self.manifest)
        var later = Self.manifest
        later.form = BackupManifest.presentForm + 1
        #expect(throws: WireFault.self) { try BackupManifest(json: later.json) }
        #expect(throws: WireFault.self) { try BackupManifest(json: Array("[]".utf8)) }
    }

    @Test("A manifest's numbers can be added, whoever wrote them")
    func counts() throws {
        var (rows, records, bytes, last) = (
            Self.manifest, Self.manifest, Self.manifest, Self.manifest
        )
        rows.tables[0].rows = .max
        records.topics[0].records = .max
        bytes.tables[0].files[0].bytes = .max
        for changed in [rows, records, bytes] {
            #expect(throws: WireFault.self) { try BackupManifest(json: changed.json) }
        }
        // Nobody adds these.
        last.sequences[0].last = .max
        #expect(try BackupManifest(json: last.json) == last)
    }

    @Test("Records are read as they were written, and a file that is cut anywhere is refused")
    func records() throws {
        var headers = LogHeaders()
        headers.append("ce_type", "x")
        let records = [
            StoredRecord(
                topic: "t", partition: 3, offset: 9, appendedAtMicroseconds: 77, key: [1, 2],
                value: [], headers: headers),
            StoredRecord(
                topic: "t", partition: 0, offset: 10, appendedAtMicroseconds: -1, key: nil,
                value: nil, headers: LogHeaders()),
        ]
        var bytes: [UInt8] = []
        for record in records { BackupRecordCodec.append(record, to: &bytes) }
        #expect(try BackupRecordCodec.records(bytes, topic: "t") == records)
        let first = bytes.count - 32
        for length in bytes.indices where length != 0 && length != first {
            #expect(throws: BinaryFault.self) {
                try BackupRecordCodec.records(Array(bytes[..<length]), topic: "t")
            }
        }
    }

    @Test("A restored record has the offset of the last log only")
    func header() {
        var headers = LogHeaders()
        headers.append("ce_type", "x")
        let once = RestoredOffset.replace(in: headers, with: 5)
        let twice = RestoredOffset.replace(in: once, with: 9)
        #expect(RestoredOffset.of(headers) == nil && RestoredOffset.of(twice) == 9)
        #expect(twice["ce_type"] == "x" && twice.encoded.count == once.encoded.count)
    }
}
