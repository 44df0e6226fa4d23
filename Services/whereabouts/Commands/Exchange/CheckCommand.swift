import Archive
import Events
import Site
import Wire

import struct Foundation.TimeZone

extension Command {
    /// Reviews a site document.
    public static let check = Command(
        name: "check", summary: "list errors and oddities of a site document",
        help: """
            whereabouts check SITE.json

            Lists rooms that nobody can get to and why, lifts without levels, connections that lead
            nowhere, rooms that overlap, names that stand twice on a floor, doors away from their
            rooms, opening hours and time zones that can't be read, floor plans whose control points
            disagree, and JSON members that no site has. The last line is JSON. The exit status is 1
            when there are errors, such as a document that can't be published; warnings and remarks
            are for people to judge.
            """,
        run: { try check($0) })

    private static func check(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(invocation.arguments, options: [])
        guard reader.positional.count == 1 else {
            throw UsageFault("check needs one site document")
        }
        let (document, bytes) = try readSiteText(reader.positional[0])
        let review = SiteReview(
            document, unknownMembers: try SiteMembers.unknown(in: bytes),
            isTimeZone: { TimeZone(identifier: $0) != nil })
        for finding in review.findings {
            invocation.note(
                "\(finding.severity.rawValue): \(finding.text) (\(finding.code.rawValue))")
        }
        invocation.output(String(decoding: review.json(), as: UTF8.self))
        if review.hasErrors { throw ReviewFailed() }
    }
}

func readSite(_ path: String) throws -> SiteDocument { try readSiteText(path).document }

/// Reads a site document from a file.
///
/// - Returns: the document, and the file's bytes.
func readSiteText(_ path: String) throws -> (document: SiteDocument, bytes: [UInt8]) {
    guard let bytes = try ArchiveReader(path: path).firstBytes() else {
        throw FileFault(path: path, reason: "it is empty")
    }
    return (try SiteDocument(json: bytes), bytes)
}

private struct ReviewFailed: Error, CustomStringConvertible {
    let description = "the site document has errors; the lines above list them"
}
