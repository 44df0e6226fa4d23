import JSON
public import Site

/// A page of the records of one kind.
public enum RecordPage {
    /// - Parameters:
    ///   - revision: the revision of the draft; nil for published records.
    ///   - next: nil on the last page.
    public static func json<Record: SiteRecordWire>(
        _ records: [Record], in document: SiteDocument, version: Int, revision: Int?, next: String?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.field("version", version)
        writer.field("revision", revision)
        writer.name(Record.kind.list)
        writer.beginArray()
        for record in records { record.writeAnswer(to: &writer, in: document) }
        writer.endArray()
        writer.next(next)
        writer.endObject()
        return writer.finish()
    }
}

extension SiteRecordWire {
    /// The record after a JSON Merge Patch (RFC 7396). Throws a `WireFault`.
    public func patched(with patch: [UInt8]) throws -> Self {
        try Self(json: merged(patch, into: json))
    }
}

extension SiteDocument {
    /// The document after a JSON Merge Patch (RFC 7396). Throws a `WireFault`.
    public func patched(with patch: [UInt8]) throws -> SiteDocument {
        try SiteDocument(json: merged(patch, into: json))
    }
}

private func merged(_ patch: [UInt8], into json: [UInt8]) throws -> [UInt8] {
    do {
        return try JSONMergePatch.apply(patch, to: json)
    } catch let fault as JSONFault {
        throw WireFault(fault)
    }
}
