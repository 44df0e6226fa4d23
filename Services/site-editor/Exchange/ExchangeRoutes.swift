import Archive
import Events
import Geometry
import HTTP
import MapFormats
import ServiceHost
import Site
import SiteExchange
import Synchronization
import Wire

import struct Foundation.TimeZone

/// Imports files of other programs into a site's draft, and exports the draft.
struct ExchangeRoutes: Sendable {
    private static let bodyLimit = 32 << 20

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let publishing: Publishing
    let store: SiteStore
    let imports: ImportStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/imports",
                maximumBodyBytes: Self.bodyLimit,
                handler: .refusing { try await Self.refusing($0, importFile) }),
            Route(
                .get, "/v1/sites/{site}/export",
                handler: .refusing { try await give($0) }),
        ]
    }

    /// Answers every fault in the file as the sender's.
    private static func refusing(
        _ request: HTTPRequest, _ body: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            return try await body(request)
        } catch let refusal as ImportRefusal {
            throw Problem(.importRefused, refusal.description)
        } catch let fault as TableFault {
            throw Problem(.importRefused, fault.description)
        } catch let error as ArchiveError {
            throw Problem(.importRefused, error.detail)
        } catch let fault as WireFault {
            throw Problem(.importRefused, fault.detail)
        }
    }

    /// The time zone of the file's buildings, if the request gives one.
    private static func timeZone(_ request: HTTPRequest) throws(Problem) -> String? {
        guard let name = request.firstQuery("timeZone") else { return nil }
        guard TimeZone(identifier: name) != nil else {
            throw Problem(
                .timeZoneUnknown,
                "Send timeZone as the name of an IANA zone, such as Europe/London.")
        }
        return name
    }

    /// The result of an import for the draft.
    private struct Outcome: Sendable {
        var merge = MergeReport()
        var report = ImportReport()
    }

    /// - Parameters:
    ///   - site: the site that the file goes into; nil for a new one. It keeps its records that the
    ///     file does not have.
    ///   - timeZone: the time zone of the file's buildings; nil for the site's.
    private static func read(
        _ bytes: [UInt8], _ format: MapFormat, into site: SiteDocument?, _ timeZone: String?
    ) throws -> ImportedSite {
        let zone = timeZone ?? site?.buildings.first?.timeZone ?? "Etc/UTC"
        return try format.read(
            .bytes(bytes), into: site,
            ImportOptions(usualName: site?.name, timeZone: zone, frame: site?.frame))
    }

    private func importFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let format = try request.mapFormat(of: MapFormat.served)
        let timeZone = try Self.timeZone(request)
        guard let draft = try await store.draft(of: site) else {
            return try await publishNew(site, format, request, timeZone: timeZone)
        }
        let revision = request.header("if-match") == nil ? nil : try request.expectedRevision()
        let author = try await store.author(of: request, at: site)
        let bytes = request.body
        let outcome = Mutex(Outcome())
        if format.isPart(.bytes(bytes)) {
            let edited = try await store.edit(
                site, expectedRevision: revision, by: author, DraftNote(action: .importing),
                at: clock.now
            ) { draft in
                let changed = try Self.read(bytes, format, into: draft, timeZone)
                let merge = ImportMerge(base: draft, imported: changed.document, current: draft)
                outcome.withLock { $0 = Outcome(merge: merge.report, report: changed.report) }
                return format.givesRises ? .replace(changed.document) : .rewrite(changed.document)
            }
            return answer(site, format, edited, outcome.withLock { $0 })
        }
        let imported = try Self.read(bytes, format, into: draft.document, timeZone)
        let last = try await imports.document(format, of: site)
        let edited = try await store.edit(
            site, expectedRevision: revision, by: author, DraftNote(action: .importing),
            at: clock.now
        ) { document in
            // The last import's metres can't be compared if they are of another frame.
            let base = last?.frame == document.frame ? last : nil
            let merge = ImportMerge(
                base: base, imported: imported.document, current: document)
            outcome.withLock {
                $0 = Outcome(merge: merge.report, report: imported.report)
            }
            return .rewrite(merge.document)
        }
        try await imports.keep(bytes, imported.document, of: format, for: site, at: clock.now)
        return answer(site, format, edited, outcome.withLock { $0 })
    }

    /// Publishes the file as the first version of a new site, which has no draft yet.
    private func publishNew(
        _ site: SiteID, _ format: MapFormat, _ request: HTTPRequest, timeZone: String?
    ) async throws -> HTTPResponse {
        let bytes = request.body
        guard !format.isPart(.bytes(bytes)) else { throw Problem.siteUnknown(site) }
        let imported = try Self.read(bytes, format, into: nil, timeZone)
        let published = try await store.replace(
            site, with: imported.document, expectedVersion: 0, by: request.principal?.id,
            at: clock.now)
        await publishing.done(published, of: site, by: request)
        try await imports.keep(bytes, imported.document, of: format, for: site, at: clock.now)
        let answer = ImportAnswer(
            at: site, format: format.name, isChanged: published.isChanged,
            .version(published.version), merge: MergeReport(), report: imported.report)
        return tagged(answer.json, .version(published.version), status: 201)
    }

    private func answer(
        _ site: SiteID, _ format: MapFormat, _ edited: SiteStore.Edited, _ outcome: Outcome
    ) -> HTTPResponse {
        let answer = ImportAnswer(
            at: site, format: format.name, isChanged: edited.isChanged,
            .revision(edited.draft.revision), merge: outcome.merge, report: outcome.report)
        return tagged(answer.json, .draft(edited.draft.revision))
    }

    private func give(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        security.note(.siteExported, by: request, ["site": site.text])
        let format = try request.mapFormat(of: MapFormat.written)
        guard let write = format.write else { throw Problem.siteUnknown(site) }
        let view = try await store.view(request, of: site)
        let base = format.isWrittenOverFile ? try await imports.file(format, of: site) : nil
        let bytes = try write(
            view.document, base.map { .bytes($0) },
            clock.now.text)
        return HTTPResponse(
            headers: [
                ("content-type", format.mediaType),
                (
                    "content-disposition",
                    "attachment; filename=\"\(site)\(format.fileEnding)\""
                ),
                ("etag", view.tag.text),
            ], body: .bytes(bytes))
    }
}
