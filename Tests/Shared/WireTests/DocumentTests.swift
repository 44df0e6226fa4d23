import EventLog
import Events
import Foundation
import JSON
import Repository
import Site
import Testing
import Wire

/// Compares docs/asyncapi.json and docs/openapi.json with real encodings. The validator,
/// check_documents.py, shares no code with Whereabouts.
@Suite("AsyncAPI and OpenAPI") struct DocumentTests {
    @Test("encodings match their descriptions, and the documents are well formed")
    func agreement() throws {
        let (status, output) = try check { folder in
            try SampleFolder(folder).writeAll()
        }
        if status == 77 {
            print("skipped: documents against encodings, because \(output)")
            return
        }
        #expect(status == 0, "\(output)")
    }

    @Test("a field that is not described is noticed")
    func canary() throws {
        let (status, output) = try check { folder in
            try SampleFolder(folder).writeAll()
            try SampleFolder(folder).write(schema: "Scan", Array(#"{"colour": "red"}"#.utf8))
        }
        if status == 77 {
            print("skipped: the canary of documents against encodings, because \(output)")
            return
        }
        #expect(status == 1)
        #expect(output.contains("colour"))
    }

    /// The checker's exit status and output, for samples that `fill` writes.
    private func check(_ fill: (URL) throws -> Void) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wire-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try fill(folder)
        let script = repository.appending(
            path: "Tests/Shared/check_documents.py")
        var arguments = [script.path, repository.appending(path: "docs").path, folder.path]
        let schema = repository.deletingLastPathComponent()
            .appending(path: "shared/schemas/asyncapi-3.0.0.json")
        if FileManager.default.fileExists(atPath: schema.path) {
            arguments.append(schema.path)
        } else {
            print(
                "skipped: asyncapi.json against AsyncAPI's schema, because ../shared is not there")
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}

/// The files that check_documents.py reads.
struct SampleFolder {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    func writeAll() throws {
        try writeTopics()
        for (_, event) in SampleEvents.all { try write(event) }
        for answer in try ComparisonSample.answers() {
            try write(schema: "PositionerComparisonAnswer", answer)
        }
        for seed in 0..<10 as Range<UInt64> {
            var events = RandomEvents(seed: seed)
            for event in events.every() { try write(event) }
            try write(schema: "Scan", ScanSubmission(events.scan()).json)
            try write(
                schema: "Survey", ScanSubmission(events.scan(), place: events.place()).json)
            try write(schema: "Tap", ScanSubmission(events.scan(), place: events.place()).json)
            try write(schema: "SiteDocument", events.site().document.json)
            try write(schema: "Position", events.position().json)
        }
    }

    func write(schema: String, _ value: [UInt8]) throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("schema", schema)
        writer.name("value")
        value.withUnsafeBytes { writer.raw($0) }
        writer.endObject()
        try save(writer.finish(), "sample-\(UUID()).json")
    }

    private func write(_ event: any WireEvent) throws {
        let record = event.record(
            source: "/test", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        var headers: [(name: String, value: String)] = []
        func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            headers.append(
                (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        record.headers.forEach(append)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("topic", record.topic)
        writer.name("headers")
        writer.beginObject()
        for header in headers {
            writer.name(header.name)
            writer.string(header.value)
        }
        writer.endObject()
        writer.name("value")
        record.value?.withUnsafeBytes { writer.raw($0) }
        writer.endObject()
        try save(writer.finish(), "sample-\(UUID()).json")
    }

    private func writeTopics() throws {
        var writer = JSONWriter()
        writer.beginArray()
        for topic in Topic.specifications() {
            writer.beginObject()
            writer.field("name", topic.name)
            writer.field("partitions", topic.partitions)
            writer.name("cleanup")
            switch topic.cleanup {
            case .compact: writer.string("compact")
            case .forever: writer.integer(-1)
            case .delete(let age): writer.integer(age.components.seconds * 1_000)
            }
            writer.endObject()
        }
        writer.endArray()
        try save(writer.finish(), "topics.json")
    }

    private func save(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }
}
