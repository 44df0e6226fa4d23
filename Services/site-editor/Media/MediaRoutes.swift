import Access
import Events
import HTTP
import Media
import ServiceHost
import Site
import Synchronization
import Wire

/// Stores files of contents and floor plans, and serves them in full or in part.
struct MediaRoutes: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let store: MediaStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/media",
                maximumBodyBytes: MediaType.allCases.map(\.maximumBytes).max() ?? 0,
                handler: .task { try await keep($0) }),
            Route(
                .get, "/v1/media/{hash}",
                handler: .task { try await hand($0) }),
            Route(
                .post, "/v1/media/{hash}/picture",
                handler: .task { try await drawPage($0) }),
        ]
    }

    private func keep(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let type = MediaType(sniffing: request.body) else {
            throw Problem(
                .mediaTypeUnknown,
                "The bytes are none of "
                    + MediaType.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let said = request.header("content-type")?.prefix { $0 != ";" && !$0.isWhitespace }
            .lowercased()
        // Default types of curl, which it sends for any file, do not contradict the detected type.
        let vague = ["application/octet-stream", "application/x-www-form-urlencoded"]
        if let said, said != type.rawValue, !vague.contains(said) {
            throw Problem(
                .mediaTypeDiffers, "The bytes are \(type.rawValue), not \(said.prefix(60))."
            )
        }
        guard request.body.count <= type.maximumBytes else {
            throw Problem(
                .mediaTooLarge,
                "A file of \(type.rawValue) has at most \(type.maximumBytes) bytes.")
        }
        if type == .svg, let part = PassiveDrawing.foreignPart(of: request.body) {
            throw Problem(.drawingNotPassive, "A drawing may have no active parts; remove \(part).")
        }
        return try await answer(keeping: request.body, as: type, for: try site(request))
    }

    private func hand(_ request: HTTPRequest) async throws -> HTTPResponse {
        let reference = try await reference(request)
        let tag = "\"\(reference.hash)\""
        var headers = [
            ("etag", tag), ("accept-ranges", "bytes"),
            // Content under a hash never changes.
            ("cache-control", "private, max-age=31536000, immutable"),
            ("vary", "authorization, cookie"),
            ("content-type", reference.type), ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ]
        if request.knows(tag) {
            return HTTPResponse(status: 304, headers: Array(headers.prefix(4)))
        }
        // A client whose If-Range names another file gets the complete file, since a part of this
        // one would not fit the part that it has.
        let isSame = request.header("if-range").map { $0 == tag } ?? true
        switch ByteRange(isSame ? request.header("range") : nil, of: reference.bytes) {
        case .whole:
            return response(200, headers, reference, 0..<reference.bytes)
        case .part(let range):
            let bounds = "\(range.lowerBound)-\(range.upperBound - 1)"
            headers.append(("content-range", "bytes \(bounds)/\(reference.bytes)"))
            return response(206, headers, reference, range)
        case .unsatisfiable:
            var response = Problem(
                .rangeUnsatisfiable, "The file has \(reference.bytes) bytes."
            ).response
            response.headers.append(("content-range", "bytes */\(reference.bytes)"))
            return response
        }
    }

    /// Draws a page of a PDF as a picture and stores it like any other file; a floor plan can use
    /// it.
    private func drawPage(_ request: HTTPRequest) async throws -> HTTPResponse {
        let reference = try await reference(request)
        guard reference.type == MediaType.pdf.rawValue else {
            throw Problem(
                .mediaNotPaged, "Only a file of \(MediaType.pdf.rawValue) has pages; name one.")
        }
        let page = try request.wholeNumber("page", in: 1...1_000) ?? 1
        let resolution = try request.wholeNumber("dotsPerInch", in: 36...600) ?? 150
        let picture = try await PageDrawing.picture(
            of: try await store.bytes(reference), page: page, dotsPerInch: resolution)
        return try await answer(keeping: picture, as: .png, for: try site(request))
    }

    /// Stores the file, and answers with its reference, and its size where it is a picture.
    private func answer(
        keeping bytes: [UInt8], as type: MediaType, for site: SiteID?
    ) async throws -> HTTPResponse {
        let isPicture = [MediaType.png, .jpeg, .webp, .svg].contains(type)
        let size = PictureSize(of: type, bytes)
        if isPicture, size == nil {
            throw Problem(
                .pictureUnreadable,
                "The picture has no size between 1 and \(PictureSize.largestSide) pixels.")
        }
        let (reference, isNew) = try await store.keep(
            bytes, as: type, for: site, at: clock.now)
        let pixels = size.map { (width: $0.widthPixels, height: $0.heightPixels) }
        var response = HTTPResponse.json(
            reference.answer(sizePixels: pixels), status: isNew ? 201 : 200)
        response.headers.append(("location", "/v1/media/\(reference.hash)"))
        return response
    }

    private func response(
        _ status: Int, _ headers: [(String, String)], _ reference: MediaReference,
        _ range: Range<Int>
    ) -> HTTPResponse {
        let first = range.lowerBound / MediaStore.pieceBytes
        let end = (range.upperBound - 1) / MediaStore.pieceBytes + 1
        let pieces = Mutex(first..<end)
        return HTTPResponse(
            status: status, headers: headers.map { (name: $0.0, value: $0.1) },
            body: .pulled { [store] in
                guard let piece = pieces.withLock({ $0.popFirst() }) else { return nil }
                return try await store.piece(piece, of: reference.hash, within: range)
            })
    }

    private func reference(_ request: HTTPRequest) async throws -> MediaReference {
        let hash = request.parameters["hash"] ?? ""
        // A file of another site gets the same answer as a missing one, so that nobody can probe
        // for it.
        guard try await isTheirs(hash, request), let reference = try await store.reference(hash)
        else {
            throw Problem(.mediaUnknown, "No file with this hash is kept.")
        }
        return reference
    }

    private func isTheirs(_ hash: String, _ request: HTTPRequest) async throws -> Bool {
        let isOfAllSites = request.caller?.grants.contains { $0.site == nil } ?? false
        return try await store.owners(of: hash).contains { owner in
            guard let owner else { return isOfAllSites }
            return ([owner] + (owner.ofTesters.map { [$0] } ?? [])).contains {
                names(hash, at: $0, request)
            }
        }
    }

    /// Whether the caller may see the file as one of this site. Editors see every file of it, and
    /// others those that the site's published document names for them.
    private func names(_ hash: String, at site: SiteID, _ request: HTTPRequest) -> Bool {
        guard (try? request.check(at: site)) != nil else { return false }
        let reader = request.reader(at: site)
        if reader == .editor { return true }
        return sites.published(site, for: reader)?.index.document.names(media: hash) ?? false
    }

    /// The site that a file is sent for. Nil for all sites, which only an administrator of all of
    /// them may choose.
    private func site(_ request: HTTPRequest) throws(Problem) -> SiteID? {
        let isNamed = request.firstQuery("site") != nil || request.caller?.onlySite != nil
        if isNamed { return try sites.site(of: request) }
        guard request.caller?.grants.contains(where: { $0.site == nil }) == true else {
            throw Problem(.siteMissing, "Name the site: ?site=...")
        }
        return nil
    }
}

extension HTTPRequest {
    /// - Throws: a `Problem` when the parameter is there, but is no whole number within the range.
    func wholeNumber(
        _ name: String, in range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let text = firstQuery(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                .numberOutOfRange,
                "Send \(name) as a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
