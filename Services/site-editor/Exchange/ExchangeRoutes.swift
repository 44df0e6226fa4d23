import Archive
import Events
import Geometry
import HTTP
import MapFormats
import ServiceHost
import Site
import SiteExchange
import Synchronization
import Threads
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
    /// A preview compares and reviews whole sites, which takes a second or more.
    private let work = LongWork("import-previews")

    init(
        sites: SiteDirectory, clock: EventClock, security: SecurityLog, publishing: Publishing,
        store: SiteStore, imports: ImportStore
    ) {
        self.sites = sites
        self.clock = clock
        self.security = security
        self.publishing = publishing
        self.store = store
        self.imports = imports
    }

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

    private func importFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let choices = try ImportChoices(request)
        let format = try request.importedFormat()
        let timeZone = try Self.timeZone(request)
        guard let draft = try await store.draft(of: site) else {
            guard !choices.isPreview else { throw Problem.siteUnknown(site) }
            return try await publishNew(site, format, request, timeZone: timeZone)
        }
        let merging = try await merging(
            request.body, site, format, choices, draft, timeZone: timeZone)
        if choices.isPreview { return try await preview(merging, of: draft) }
        var revision = request.header("if-match") == nil ? nil : try request.expectedRevision()
        // The echo is of this revision of the draft alone.
        if merging.echo != nil { revision = revision ?? draft.revision }
        let author = try await store.author(of: request, at: site)
        let outcome = Mutex(ImportMerging.Outcome(document: draft.document))
        let edited = try await store.edit(
            site, expectedRevision: revision, by: author, DraftNote(action: .importing),
            at: clock.now
        ) { document in
            let found = try merging.outcome(in: document)
            outcome.withLock { $0 = found }
            return format.givesRises ? .replace(found.document) : .rewrite(found.document)
        }
        let found = outcome.withLock { $0 }
        if let imported = merging.imported {
            try await imports.keep(
                merging.bytes, imported.document, of: format, for: site, at: clock.now)
        } else if format.isComparedWithFormer {
            try await imports.keep(
                merging.bytes, found.document, of: format, for: site, at: clock.now)
        }
        let answer = ImportAnswer(
            at: site, format: format.name, isChanged: edited.isChanged,
            .revision(edited.draft.revision), merge: found.merge, report: found.report)
        return tagged(answer.json, .draft(edited.draft.revision))
    }

    /// Reads what the merge of the file needs, and the file itself if it is a site of its own.
    private func merging(
        _ bytes: [UInt8], _ site: SiteID, _ format: MapFormat, _ choices: ImportChoices,
        _ draft: SiteDraft, timeZone: String?
    ) async throws -> ImportMerging {
        let zone = timeZone ?? draft.document.buildings.first?.timeZone ?? "Etc/UTC"
        var options = ImportOptions(
            usualName: draft.document.name, timeZone: zone, frame: draft.document.frame)
        options.drawing = choices.drawing(in: draft.document.frame)
        options.roomList = choices.roomList
        if format.isComparedWithFormer, let file = try await imports.file(format, of: site) {
            options.roomList.former = RoomList.former(.bytes(file), options.roomList)
        }
        var merging = ImportMerging(format: format, bytes: bytes, options: options)
        guard !format.isPart(.bytes(bytes)) else { return merging }
        merging.imported = try format.read(.bytes(bytes), options)
        if choices.prefersFile {
            merging.echo = try format.echo(of: draft.document)
        } else {
            merging.base = try await imports.document(format, of: site)
        }
        return merging
    }

    /// Describes the changes that the import would make, and makes none.
    private func preview(
        _ merging: ImportMerging, of draft: SiteDraft
    ) async throws -> HTTPResponse {
        let answer = await work.run {
            Result { () throws -> [UInt8] in
                let facts = try merging.format.facts(of: .bytes(merging.bytes), merging.options)
                let isReady = facts?.needs.isEmpty ?? true
                let found = isReady ? try merging.outcome(in: draft.document) : nil
                let result = found.map { found in
                    ImportPreview.Result(
                        from: draft.document, to: found.document, merge: found.merge,
                        report: found.report,
                        isTimeZone: { TimeZone(identifier: $0) != nil })
                }
                return ImportPreview(
                    at: draft.site, format: merging.format.name, revision: draft.revision,
                    facts: facts, result
                ).json
            }
        }
        guard let answer else { throw Problem.starting }
        return tagged(try answer.get(), .draft(draft.revision))
    }

    /// Publishes the file as the first version of a new site, which has no draft yet.
    private func publishNew(
        _ site: SiteID, _ format: MapFormat, _ request: HTTPRequest, timeZone: String?
    ) async throws -> HTTPResponse {
        let bytes = request.body
        guard !format.isPart(.bytes(bytes)) else { throw Problem.siteUnknown(site) }
        let imported = try format.read(
            .bytes(bytes), ImportOptions(timeZone: timeZone ?? "Etc/UTC"))
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
