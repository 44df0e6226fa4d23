import Foundation
import TestSupport

/// A record as any producer may write it, good or not.
struct RawRecord: Sendable {
    var key: [UInt8]?
    var value: [UInt8]?
    var headers: [(name: String, value: String)] = []
}

extension Campus {
    /// The values of a topic, read by psql or kcat.
    func values(of topic: String) async throws -> [String] {
        switch log {
        case .postgres:
            return try await psql(
                #"SELECT value FROM log."\#(topic)" ORDER BY appended_at, partition, "offset""#)
        case .kafka:
            return try await ProgramRun.of([
                "kcat", "-C", "-b", kafka?.bootstrapServers ?? "", "-t", topic, "-o", "beginning",
                "-e", "-q", "-X", "isolation.level=read_committed", "-f", "%s\\n",
            ]).successful().lines
        }
    }

    /// Writes records past all services, by SQL or by kcat.
    func append(_ records: [RawRecord], to topic: String) async throws {
        switch log {
        case .postgres:
            let id = try await psql("SELECT id FROM log.topics WHERE name = '\(topic)'").first ?? ""
            try await psql(Self.appendStatement(records, topic: id))
        case .kafka:
            for record in records { try await produce(record, to: topic) }
        }
    }

    /// Drops records with this value from a topic, as retention does; on PostgreSQL.
    func forget(_ value: [UInt8], of topic: String) async throws {
        let table = try await records(topic)
        try await psql("DELETE FROM \(table) WHERE value = \(Self.literal(value))")
    }

    /// Gives a record of a topic another value; on PostgreSQL.
    func rewrite(_ topic: String, key: [UInt8], value: [UInt8]) async throws {
        let (table, value) = (try await records(topic), Self.literal(value))
        try await psql("UPDATE \(table) SET value = \(value) WHERE key = \(Self.literal(key))")
    }

    /// The table of a topic.
    private func records(_ topic: String) async throws -> String {
        let id = try await psql("SELECT id FROM log.topics WHERE name = '\(topic)'").first ?? ""
        return "log.records_\(id)"
    }

    /// All go to partition 0: whoever writes by hand need not know how keys are spread.
    private static func appendStatement(_ records: [RawRecord], topic: String) -> String {
        func array(_ items: [String], _ type: String) -> String {
            "ARRAY[\(items.joined(separator: ","))]::\(type)[]"
        }
        let headers = records.map { literal(headerBytes($0.headers)) }
        let arguments = [
            "ARRAY[0]", "ARRAY[\(records.count)]::bigint[]",
            array(records.map { _ in "0" }, "int"),
            array(records.indices.map(String.init), "bigint"),
            array(records.map { literal($0.key) }, "bytea"),
            array(records.map { literal($0.value) }, "bytea"), array(headers, "bytea"),
        ]
        return "SELECT FROM log.append_\(topic)(\(arguments.joined(separator: ",")));"
    }

    private static func literal(_ bytes: [UInt8]?) -> String {
        guard let bytes else { return "NULL" }
        return "'\\x" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }

    /// As the log's schema describes them: each length before its text, little endian.
    private static func headerBytes(_ headers: [(name: String, value: String)]) -> [UInt8] {
        headers.flatMap { header -> [UInt8] in
            let sizes = (UInt16(header.name.utf8.count), UInt32(header.value.utf8.count))
            return withUnsafeBytes(of: sizes.0.littleEndian, Array.init) + header.name.utf8
                + withUnsafeBytes(of: sizes.1.littleEndian, Array.init) + header.value.utf8
        }
    }

    /// A file is one message for kcat, whatever bytes it has. A record without value is a line with
    /// nothing after its key.
    private func produce(_ record: RawRecord, to topic: String) async throws {
        var command = ["kcat", "-P", "-b", kafka?.bootstrapServers ?? "", "-t", topic]
        for header in record.headers { command += ["-H", "\(header.name)=\(header.value)"] }
        let key = record.key.map { String(decoding: $0, as: UTF8.self) }
        guard let value = record.value else {
            let line = Array("\(key ?? ""):\n".utf8)
            _ = try await ProgramRun.of(command + ["-Z", "-K", ":"], input: line).successful()
            return
        }
        if let key { command += ["-k", key] }
        let file = folder.appending(path: "record-\(UUID().uuidString)")
        try Data(value).write(to: file)
        _ = try await ProgramRun.of(command + [file.path]).successful()
    }
}
