import Archive
import Events
import JSON
import Site
import Wire

extension Command {
    /// Reviews a site document.
    public static let check = Command(
        name: "check", summary: "say what is wrong or odd in a site document",
        help: """
            whereabouts check SITE.json

            Names rooms that nobody can get to and why, lifts without levels, ways that lead nowhere,
            rooms that overlap, and names that are there twice on a floor. The last line is JSON. The
            exit status is 1 when there are errors, such as a document that can't be published;
            warnings and remarks are for people to judge.
            """,
        run: { try check($0) })

    private static func check(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(invocation.arguments, options: [])
        guard reader.positional.count == 1 else { throw UsageFault("check takes one document") }
        let review = SiteReview(try readSite(reader.positional[0]))
        for finding in review.findings {
            invocation.note(
                "\(finding.severity.rawValue): \(finding.text) (\(finding.code.rawValue))")
        }
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        review.write(to: &writer)
        writer.endObject()
        invocation.output(writer.finishText())
        if review.hasErrors { throw ReviewFailed() }
    }
}

/// Reads a site document from a file.
func readSite(_ path: String) throws -> SiteDocument {
    guard let bytes = try ArchiveReader(path: path).firstBytes() else {
        throw FileFault(path: path, reason: "it is empty")
    }
    return try SiteDocument(json: bytes)
}

private struct ReviewFailed: Error, CustomStringConvertible {
    let description = "the site has errors"
}
